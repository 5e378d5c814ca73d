import { describe, expect, test } from '@jest/globals';
import { TAXABLE_UNIT_SHARED } from '../../../src/features/contracts/catalogue.js';
import { NOT_KEPT_IN_STOCK } from '../../../src/features/contracts/stock-keeper.js';
import type { ProductCommand } from '../../../src/features/products/decider.js';
import { product } from '../../../src/features/products/decider.js';
import type { Code } from '../../../src/features/products/domain/product.js';
import type { ProductEvent, ProductFields, Variant, VariantFields } from '../../../src/features/products/events.js';
import {
  GTIN_TAKEN,
  LAST_VARIANT,
  PRICE_TOO_HIGH,
  PRODUCT_HAS_GRID,
  SKU_TAKEN,
  TOO_MANY_VARIANTS,
  VARIANT_EXISTS,
  VARIANT_NOT_PREPARED,
} from '../../../src/features/products/rejections.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { fold } from '../../support/fold.js';
import { NOT_FOUND, STALE } from '../../../src/kernel/events/rejection.js';
import { given } from '../../support/given.js';
import { productChanged, productCreated, productDeleted, variantOf } from '../../support/product-events.js';

const GTIN = '2000000000015';
const OTHER = '96385074';
const gtin: Code = 'gtin-02000000000015';
const other: Code = 'gtin-00000096385074';
const claimOf = (...codes: readonly Code[]) => ({ claimId: 'c1', codes });
const nothing = claimOf();

const bread = productCreated('p1');
const { product: fields } = bread.data;
const dropped = (claimId: string): ProductEvent => ({
  type: 'ProductClaimDropped',
  data: { productId: 'p1', claimId },
});
const shelf = { productType: 'MERCHANDISE' as const, isComposite: false, active: true };
const added = (variant: Variant): ProductEvent => ({ type: 'VariantAdded', data: { productId: 'p1', shelf, variant } });
const variantChanged = (changes: Partial<VariantFields>, was: Partial<VariantFields>): ProductEvent => ({
  type: 'VariantChanged',
  data: { productId: 'p1', variantId: 'p1-v', changes, was },
});
const large = variantOf('v2', { label: 'Grande', gtin: OTHER });

type Change = Extract<ProductCommand, { type: 'change' }>;
const change = (changes: Change['changes'], more: Partial<Change> = {}): ProductCommand => ({
  type: 'change',
  changes,
  claim: nothing,
  prepared: { variantIds: ['p1-v'], revision: 0 },
  ifMatch: undefined,
  ...more,
});
const create = (
  more: Partial<ProductFields> = {},
  variants = [variantOf('p1-v')],
  claim = claimOf(gtin),
): ProductCommand => ({
  type: 'create',
  productId: 'p1',
  product: { ...fields, ...more },
  variants,
  claim,
});
const add = (variant: Variant, claim = claimOf(other), ifMatch?: number): ProductCommand => ({
  type: 'addVariant',
  variant,
  claim,
  opens: false,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});
const changeVariant = (changes: Partial<VariantFields>, claim = nothing, variantId = 'p1-v'): ProductCommand => ({
  type: 'changeVariant',
  variantId,
  changes,
  claim,
  ifMatch: undefined,
});
const remove = (variantId: string, revision: number, variantIds = [variantId]): ProductCommand => ({
  type: 'removeVariant',
  variantId,
  prepared: { variantIds, revision },
  ifMatch: undefined,
});
const end = (revision: number, ifMatch?: number[]): ProductCommand => ({
  type: 'delete',
  prepared: { variantIds: ['p1-v'], revision },
  ifMatch,
});
const money = (value: string) => Decimal.from(value);

describe('a product', () => {
  test('is created', () => {
    given(product).when(create()).then(bread);
  });
  test('is created with the margin that its price makes', () => {
    given(product)
      .when(create({ priceCash: money('12.6'), profitMargin: money('70') }))
      .then(productCreated('p1', { priceCash: money('12.6'), profitMargin: money('33.3333') }));
  });
  test('is created with the margin that was given when nothing is known of its cost', () => {
    const free = { managerialCost: null, profitMargin: money('70') };
    given(product).when(create(free)).then(productCreated('p1', free));
  });
  test('is created once', () => {
    given(product, bread).when(create()).thenNothing();
  });
  test('is never born when a code that it held was given to another', () => {
    given(product, dropped('c1')).when(create()).thenRefused(GTIN_TAKEN);
    given(product, dropped('c1'))
      .when(create({ sku: 'PAO' }, undefined, claimOf('sku-pao', gtin)))
      .thenRefused(SKU_TAKEN);
  });
  test('is not created with a code that was not claimed', () => {
    given(product)
      .when(create({}, undefined, nothing))
      .thenRefused(GTIN_TAKEN);
    given(product)
      .when(create({ sku: 'PAO' }))
      .thenRefused(SKU_TAKEN);
  });
  test('has each code once', () => {
    given(product)
      .when(create({}, [variantOf('a', { label: 'P' }), variantOf('b', { label: 'G' })]))
      .thenRefused(GTIN_TAKEN);
    given(product)
      .when(create({ sku: 'Pão' }, [variantOf('a', { sku: 'pao' })], claimOf(gtin, 'sku-pao')))
      .thenRefused(SKU_TAKEN);
  });
  test('has no two variants that nobody could tell apart', () => {
    const variants = [variantOf('a', { label: 'Médio' }), variantOf('b', { label: 'MEDIO', gtin: OTHER })];
    given(product)
      .when(create({}, variants, claimOf(gtin, other)))
      .thenRefused(VARIANT_EXISTS);
  });
  test.each<[string, ProductCommand]>([
    ['change', change({ active: false })],
    ['addVariant', add(large)],
    ['changeVariant', changeVariant({ label: 'x' })],
    ['removeVariant', remove('p1-v', 0)],
    ['delete', end(0)],
    ['setTaxableUnit', { type: 'setTaxableUnit', variantId: 'p1-v', unit: 'L', factor: Decimal.one }],
  ])('that is not there takes no %s', (_, command) => {
    given(product).when(command).thenRefused(NOT_FOUND);
    given(product, bread, productDeleted('p1')).when(command).thenRefused(NOT_FOUND);
    given(product, dropped('c1')).when(command).thenRefused(NOT_FOUND);
  });
  test('is not created again when it was deleted', () => {
    given(product, bread, productDeleted('p1')).when(create()).thenRefused(GTIN_TAKEN);
  });
});

describe('a change', () => {
  test('records what differs, and what it was', () => {
    given(product, bread)
      .when(change({ description: 'Pão de Sal', ncm: null, active: true }))
      .then(
        productChanged('p1', { description: 'Pão de Sal', ncm: null }, { description: 'Pão Francês', ncm: '19059090' }),
      );
  });
  test('that changes nothing records nothing', () => {
    given(product, bread).when(change({})).thenNothing();
    given(product, bread)
      .when(change({ ...fields, tagIds: [], netWeightKg: money('0.0500') }))
      .thenNothing();
    given(product, bread)
      .when(change({ description: undefined }))
      .thenNothing();
  });
  test('is recorded when the parts of the kit alone changed', () => {
    given(product, bread)
      .when(change({}, { touched: true }))
      .then(productChanged('p1', {}));
  });
  test('of the price changes the margin', () => {
    given(product, bread)
      .when(change({ priceCash: money('14.17') }))
      .then(
        productChanged(
          'p1',
          { priceCash: money('14.17'), profitMargin: money('49.9471') },
          { priceCash: money('18.9'), profitMargin: Decimal.hundred },
        ),
      );
  });
  test('of the margin that makes the price too high is refused', () => {
    given(product, bread)
      .when(change({ profitMargin: money('99999999999') }))
      .thenRefused(PRICE_TOO_HIGH, {
        errors: [{ path: 'profitMargin', message: 'makes a price that is too high' }],
      });
  });
  test('keeps what null would clear when it is left out', () => {
    const weighed = { netWeightKg: money('0.05'), ipiUnitValue: money('0.1'), ipiInStBase: false };
    given(product, productCreated('p1', weighed))
      .when(change({ ipiUnitValue: null, ipiInStBase: null }))
      .then(
        productChanged(
          'p1',
          { ipiUnitValue: null, ipiInStBase: null },
          { ipiUnitValue: money('0.1'), ipiInStBase: false },
        ),
      );
  });
  test('counts for the record that the client saw', () => {
    given(product, bread)
      .when(change({ active: false }, { ifMatch: [0] }))
      .then(productChanged('p1', { active: false }, { active: true }));
    given(product, bread, productChanged('p1', { active: false }))
      .when(change({ active: true }, { ifMatch: [0] }))
      .thenRefused(STALE);
    given(product, bread)
      .when(change({}, { ifMatch: [1] }))
      .thenRefused(STALE);
  });
  test('is not in the way of the client when only a claim was dropped', () => {
    given(product, bread, dropped('c0'))
      .when(change({ active: false }, { ifMatch: [0] }))
      .then(productChanged('p1', { active: false }, { active: true }));
  });
  test('brings an SKU that was claimed', () => {
    given(product, bread)
      .when(change({ sku: 'Pão' }))
      .thenRefused(SKU_TAKEN);
    given(product, bread, dropped('c1'))
      .when(change({ sku: 'Pão' }, { claim: claimOf('sku-pao') }))
      .thenRefused(SKU_TAKEN);
    given(product, bread)
      .when(change({ sku: 'Pão' }, { claim: claimOf('sku-pao') }))
      .then(productChanged('p1', { sku: 'Pão' }, { sku: null }));
  });
  test('takes another spelling of its SKU without a claim', () => {
    given(product, productCreated('p1', { sku: 'PAO' }))
      .when(change({ sku: 'pão' }))
      .then(productChanged('p1', { sku: 'pão' }, { sku: 'PAO' }));
  });
  test('gives a product without grid another barcode', () => {
    given(product, bread)
      .when(change({}, { gtin: OTHER, claim: claimOf(other) }))
      .then(variantChanged({ gtin: OTHER }, { gtin: GTIN }));
    given(product, bread)
      .when(change({}, { gtin: OTHER }))
      .thenRefused(GTIN_TAKEN);
    given(product, bread)
      .when(change({}, { gtin: GTIN }))
      .thenNothing();
  });
  test('gives a grid no barcode', () => {
    given(product, bread, added(large))
      .when(change({}, { gtin: '7891000315507', claim: claimOf('gtin-07891000315507') }))
      .thenRefused(PRODUCT_HAS_GRID);
  });
});

describe('the variants of a product', () => {
  test('are added', () => {
    given(product, bread).when(add(large)).then(added(large));
    given(product, bread, added(large)).when(add(large)).thenNothing();
  });
  test('are added to the record that the client saw', () => {
    given(product, bread)
      .when(add(large, claimOf(other), 0))
      .then(added(large));
    given(product, bread)
      .when(add(large, claimOf(other), 1))
      .thenRefused(STALE);
  });
  test('have codes that were claimed', () => {
    given(product, bread).when(add(large, nothing)).thenRefused(GTIN_TAKEN);
    given(product, bread)
      .when(add({ ...large, gtin: GTIN }))
      .thenRefused(GTIN_TAKEN);
    given(product, bread)
      .when(add({ ...large, sku: 'G' }))
      .thenRefused(SKU_TAKEN);
  });
  test('are at most 200', () => {
    const more = Array.from({ length: 199 }, (_, index) =>
      added(variantOf(`w${String(index)}`, { label: `n${String(index)}`, gtin: String(index).padStart(14, '0') })),
    );
    given(product, bread, ...more.slice(1))
      .when(add(large))
      .then(added(large));
    given(product, bread, ...more)
      .when(add(large))
      .thenRefused(TOO_MANY_VARIANTS);
  });
  test('differ', () => {
    given(product, bread, added(large))
      .when(add(variantOf('v3', { label: 'GRANDE', gtin: '7891000315507' }), claimOf('gtin-07891000315507')))
      .thenRefused(VARIANT_EXISTS);
    given(product, bread, added(large))
      .when(changeVariant({ label: 'grande' }))
      .thenRefused(VARIANT_EXISTS);
  });
  test('change', () => {
    const weighed = variantOf('p1-v', { netWeightKg: money('0.5') });
    given(product, productCreated('p1', {}, [weighed]))
      .when(changeVariant({ netWeightKg: null, label: 'Único', sku: null }))
      .then(variantChanged({ netWeightKg: null, label: 'Único' }, { netWeightKg: money('0.5'), label: null }));
    given(product, bread)
      .when(changeVariant({ label: null, gtin: GTIN }))
      .thenNothing();
    given(product, bread)
      .when(changeVariant({ label: 'x' }, nothing, 'v9'))
      .thenRefused(NOT_FOUND);
  });
  test('change their codes by a claim', () => {
    given(product, bread)
      .when(changeVariant({ gtin: OTHER }))
      .thenRefused(GTIN_TAKEN);
    given(product, bread)
      .when(changeVariant({ gtin: OTHER }, claimOf(other)))
      .then(variantChanged({ gtin: OTHER }, { gtin: GTIN }));
  });
  test('go, but for the last', () => {
    given(product, bread, added(large))
      .when(remove('p1-v', 1))
      .then({ type: 'VariantRemoved', data: { productId: 'p1', variantId: 'p1-v' } });
    given(product, bread).when(remove('p1-v', 0)).thenRefused(LAST_VARIANT);
    given(product, bread).when(remove('v9', 0)).thenRefused(NOT_FOUND);
  });
  test('get the taxable unit that a recipe makes', () => {
    const set: ProductCommand = { type: 'setTaxableUnit', variantId: 'p1-v', unit: 'KG', factor: money('12.48') };
    given(product, bread)
      .when(set)
      .then(
        productChanged('p1', { tribUnit: 'KG' }, { tribUnit: null }),
        variantChanged({ tribUnitFactor: money('12.48') }, { tribUnitFactor: null }),
      );
    given(product, productCreated('p1', { tribUnit: 'KG' }, [variantOf('p1-v', { tribUnitFactor: money('12.48') })]))
      .when(set)
      .thenNothing();
    given(product, bread)
      .when({ ...set, variantId: 'v9' })
      .thenRefused(NOT_FOUND);
  });
  test.each([
    ['of its own', { tribUnit: 'L' }, money('12')],
    ['of its own, in the unit of the sale', {}, money('12')],
    ['of the product', { tribUnit: 'L', tribUnitFactor: money('12') }, null],
  ])('get no other taxable unit while another has a factor %s', (_, fields, tribUnitFactor) => {
    const set: ProductCommand = { type: 'setTaxableUnit', variantId: 'p1-v', unit: 'KG', factor: money('12.48') };
    const grid = productCreated('p1', fields, [variantOf('p1-v'), variantOf('p1-w', { tribUnitFactor })]);
    given(product, grid)
      .when(set)
      .thenRefused(TAXABLE_UNIT_SHARED, { variantIds: ['p1-w'] });
    given(product, grid, productChanged('p1', { tribUnit: 'KG' }))
      .when(set)
      .then(variantChanged({ tribUnitFactor: money('12.48') }, { tribUnitFactor: null }));
  });
  test('get another taxable unit while others have no factor', () => {
    const none = variantOf('p1-w', { tribUnitFactor: null });
    given(product, productCreated('p1', { tribUnit: 'L' }, [variantOf('p1-v'), none]))
      .when({ type: 'setTaxableUnit', variantId: 'p1-v', unit: 'KG', factor: money('12.48') })
      .then(
        {
          type: 'ProductChanged',
          data: { productId: 'p1', changes: { tribUnit: 'KG' }, was: { tribUnit: 'L' }, variantIds: ['p1-v', 'p1-w'] },
        },
        variantChanged({ tribUnitFactor: money('12.48') }, { tribUnitFactor: null }),
      );
  });
});

describe('the end of a product', () => {
  const referring = { categoryId: 'c', brandId: 'b', tagIds: ['t'] };
  test('says what counted it', () => {
    given(product, productCreated('p1', referring))
      .when(end(0, [0]))
      .then(productDeleted('p1', referring));
    given(product, bread)
      .when(end(0, [1]))
      .thenRefused(STALE);
  });
});

describe('goods that others may have given free, since the product changed after they were kept from moving,', () => {
  const renamed = productChanged('p1', { description: 'Broa' }, { description: fields.description });
  test.each([
    ['deletion', end(0)],
    ['kind', change({ productType: 'SERVICE' })],
    ['unit', change({ saleUnit: 'ML' })],
  ])('are kept from it once more: %s', (_, command) => {
    given(product, bread, renamed).when(command).thenRefused(VARIANT_NOT_PREPARED);
  });
});

describe('a variant that was added meanwhile', () => {
  test('and whose goods may still move keeps its product, and itself, from being deleted', () => {
    given(product, bread, added(large)).when(end(1)).thenRefused(VARIANT_NOT_PREPARED);
    given(product, bread, added(large))
      .when(remove('v2', 1, []))
      .thenRefused(VARIANT_NOT_PREPARED);
  });
  test.each([{ productType: 'SERVICE' }, { isComposite: true }] as const)(
    'and has a stock of its own keeps its product from having none: %j',
    (kind) => {
      const prepared = { variantIds: ['p1-v'], revision: 1 };
      given(product, bread, added(large)).when(change(kind, { prepared })).thenRefused(VARIANT_NOT_PREPARED);
    },
  );
  test('has no opening stock where its product has none by then', () => {
    given(product, productCreated('p1', { productType: 'SERVICE' }))
      .when({ type: 'addVariant', variant: large, claim: claimOf(other), opens: true, ifMatch: undefined })
      .thenRefused(NOT_KEPT_IN_STOCK);
  });
});

describe('a claim that is dropped', () => {
  const drop = (code: Code): ProductCommand => ({ type: 'dropClaim', productId: 'p1', claimId: 'c1', code });
  test('is remembered once', () => {
    given(product, bread).when(drop(other)).then(dropped('c1'));
    given(product, bread, dropped('c1')).when(drop(other)).thenNothing();
  });
  test('keeps a product from being born', () => {
    given(product).when(drop(gtin)).then(dropped('c1'));
    given(product, dropped('c0')).when(drop(gtin)).thenNothing();
  });
  test('is none when the product has the code', () => {
    given(product, bread).when(drop(gtin)).thenNothing();
    given(product, bread, productDeleted('p1')).when(drop(gtin)).thenNothing();
  });
  test('leaves the state of the product as it was', () => {
    const [before, after] = [fold(product.decider, [bread]), fold(product.decider, [bread, dropped('c1')])];
    expect(after).toEqual({ ...(before as object), droppedClaims: ['c1'] });
  });
});
