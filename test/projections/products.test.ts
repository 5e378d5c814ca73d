import { describe, expect, test } from '@jest/globals';
import { kitsProjector } from '../../projections/products/kits.js';
import { products, productsProjector, searchWords, wordOfTag } from '../../projections/products/products.js';
import { variantsProjector } from '../../projections/products/variants.js';
import type { DomainEvent } from '../../src/kernel/events/event.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { wordsOf } from '../../src/kernel/values/words.js';
import { givenProjection, recorded } from '../support/given-projection.js';
import { productChanged, productCreated, productDeleted, variantOf } from '../support/product-events.js';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

const variant = (id: string, fields: object = {}) => ({
  id,
  label: null,
  division: null,
  subdivision: null,
  gtin: '2000000000015',
  sku: null,
  netWeightKg: null,
  packagingTareKg: null,
  tribUnitFactor: null,
  ...fields,
});

/** The document of `productCreated('p')`. */
const document = {
  id: 'p',
  categoryId: null,
  brandId: null,
  tagIds: [],
  isComposite: false,
  expectedComponentCount: null,
  description: 'Pão Francês',
  catalogDescription: '',
  productType: 'MERCHANDISE',
  priceCash: 18.9,
  priceCredit: 19.9,
  costPrice: null,
  managerialCost: 9.45,
  profitMargin: 100,
  active: true,
  availableForDelivery: false,
  isFavorite: false,
  controlsLots: false,
  sku: null,
  saleUnit: 'KG',
  unitVolumeLiters: null,
  ncm: '19059090',
  cest: null,
  issServiceCode: null,
  nbsCode: null,
  issRate: null,
  issRetained: false,
  netWeightKg: '0.05',
  packagingTareKg: null,
  volumeSpecies: null,
  taxRuleId: null,
  issueBy: 'ENTRY',
  tribUnit: null,
  tribUnitFactor: null,
  ipiUnitValue: null,
  ipiBaseMode: null,
  ipiInStBase: null,
  pisUnitValue: null,
  cofinsUnitValue: null,
  gtin: '2000000000015',
  createdAt: at(0),
  updatedAt: at(0),
  variants: [variant('p-v')],
  revision: 0,
};

const shelf = { active: true, productType: 'MERCHANDISE' as const, isComposite: false };

describe('products', () => {
  const given = givenProjection(productsProjector);

  test('hold every field: amounts as numbers, industrial values as texts', () => {
    given.when([productCreated('p')]).then({ p: document });
  });

  test('take changes, and null clears', () => {
    given
      .when([
        productCreated('p'),
        productChanged('p', {
          priceCash: Decimal.from('20.5'),
          netWeightKg: null,
          tribUnitFactor: Decimal.from('1.5'),
        }),
      ])
      .then({
        p: { ...document, priceCash: 20.5, netWeightKg: null, tribUnitFactor: '1.5', updatedAt: at(1), revision: 1 },
      });
  });

  const small = variantOf('v2', { label: 'P', gtin: '2000000000022', netWeightKg: Decimal.from('0.2') });

  test('of a grid have a code by variant alone', () => {
    given.when([productCreated('p'), { type: 'VariantAdded', data: { productId: 'p', shelf, variant: small } }]).then({
      p: {
        ...document,
        gtin: null,
        variants: [variant('p-v'), variant('v2', { label: 'P', gtin: '2000000000022', netWeightKg: '0.2' })],
        updatedAt: at(1),
        revision: 1,
      },
    });
  });

  test('follow their variants', () => {
    const facts: DomainEvent[] = [
      productCreated('p'),
      { type: 'VariantAdded', data: { productId: 'p', shelf, variant: small } },
      {
        type: 'VariantChanged',
        data: { productId: 'p', variantId: 'p-v', changes: { tribUnitFactor: Decimal.from('2') }, was: {} },
      },
      { type: 'VariantRemoved', data: { productId: 'p', variantId: 'v2' } },
    ];
    given.when(facts).then({
      p: { ...document, variants: [variant('p-v', { tribUnitFactor: '2' })], updatedAt: at(3), revision: 3 },
    });
  });

  test('go', () => {
    given.when([productCreated('p'), productDeleted('p'), productChanged('p', { active: false })]).then({});
  });
});

/** What the collection says of a product for filters and searches. */
function indexed(fact: ReturnType<typeof productCreated>) {
  const evolve = productsProjector.records.get('ProductCreated')?.evolve;
  const made = evolve?.(undefined, recorded(fact, 0), 'p') as Parameters<NonNullable<typeof products.words>>[0];
  const columns = Object.fromEntries(Object.entries(products.columns).map(([name, { of }]) => [name, of(made, 'p')]));
  return { columns, words: wordsOf(products.words?.(made) ?? '') };
}

describe('a search', () => {
  const tagId = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
  const coded = productCreated('p', { sku: 'PAO-001', tagIds: [tagId] }, [
    variantOf('v', { gtin: '07891000100103', sku: '00000042' }),
  ]);

  test('finds words of the description and the codes of product and variants', () => {
    expect(indexed(coded).words).toEqual([
      'pao',
      'frances',
      '001',
      '07891000100103',
      '7891000100103',
      '00000042',
      wordsOf(wordOfTag(tagId))[0],
    ]);
  });

  test('finds the products of a tag by a word that nobody types', () => {
    expect(wordsOf(wordOfTag(tagId))).toHaveLength(1);
    expect(wordsOf(tagId).some((word) => wordOfTag(tagId).startsWith(word))).toBe(false);
  });

  test.each([
    ['07891000100103', '7891000100103'],
    ['7891000100103', '7891000100103'],
    ['00000042', '00000042'],
    ['pao 000123456789', 'pao 000123456789'],
  ])('for %s asks for %s', (typed, asked) => {
    expect(searchWords(typed)).toBe(asked);
  });
});

describe('filters', () => {
  const zero = Decimal.zero;

  test.each([
    [{}, { active: 1, missingCredit: 0, needsNcm: 0 }],
    [
      { active: false, priceCredit: zero },
      { active: 0, missingCredit: 1 },
    ],
    [
      { productType: 'SERVICE' as const, priceCredit: zero, ncm: null },
      { missingCredit: 0, needsNcm: 0 },
    ],
    [{ ncm: null }, { needsNcm: 1 }],
    [{ ncm: '00000000' }, { needsNcm: 1 }],
    [{ ncm: '99010000' }, { needsNcm: 1 }],
    [{ description: '  PÃO  Doce ' }, { description: 'pao doce' }],
  ])('of %j are %j', (fields, columns) => {
    expect(indexed(productCreated('p', fields)).columns).toMatchObject(columns);
  });
});

test('variants know their product, whatever becomes of it', () => {
  const v2 = variantOf('v2', { gtin: '96385074' });
  const changes = { gtin: '7891000100103' };
  givenProjection(variantsProjector)
    .when([
      productCreated('p'),
      productCreated('q'),
      { type: 'VariantAdded', data: { productId: 'p', shelf, variant: v2 } },
      { type: 'VariantChanged', data: { productId: 'p', variantId: 'v2', changes, was: {} } },
      productDeleted('q'),
    ])
    .then({
      'p-v': { id: 'p-v', productId: 'p', gtin: '2000000000015' },
      v2: { id: 'v2', productId: 'p', gtin: '7891000100103' },
    });
});

describe('kits', () => {
  const part = {
    componentVariantId: 'v',
    componentProductId: 'x',
    quantity: Decimal.from('1.5'),
    parentVariantId: null,
  };
  const replaced = (components: readonly object[]) => ({
    type: 'KitComponentsReplaced',
    data: { productId: 'p', components },
  });

  test('hold their parts', () => {
    givenProjection(kitsProjector)
      .when([replaced([]), replaced([part])])
      .then({ p: { id: 'p', components: [{ componentVariantId: 'v', quantity: 1.5, parentVariantId: null }] } });
  });

  test('are none without parts', () => {
    givenProjection(kitsProjector)
      .when([replaced([part]), replaced([])])
      .then({});
  });
});
