import type { IfMatch } from '../../kernel/events/if-match.js';
import { matches } from '../../kernel/events/if-match.js';
import type { Decimal } from '../../kernel/values/decimal.js';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { defined } from '../../kernel/values/defined.js';
import { difference } from '../../kernel/values/difference.js';
import { NOT_FOUND, Rejection, STALE } from '../../kernel/events/rejection.js';
import { isNcm } from '../../brazil/ncm.js';
import { TAXABLE_UNIT_SHARED } from '../contracts/catalogue.js';
import { NOT_KEPT_IN_STOCK } from '../contracts/stock-keeper.js';
import type { Membership } from './domain/membership.js';
import { leaving } from './domain/membership.js';
import type { Pricing } from './domain/price.js';
import { reprice } from './domain/price.js';
import type { Code, Product, ProductState } from './domain/product.js';
import {
  MOST_VARIANTS,
  codesOf,
  codesOfProduct,
  evolveProduct,
  hasGrid,
  isKeptInStock,
  placeInGrid,
} from './domain/product.js';
import type { ProductEvent, ProductFields, Variant, VariantFields } from './events.js';
import { productEvents } from './events.js';
import {
  GTIN_TAKEN,
  LAST_VARIANT,
  PRICE_TOO_HIGH,
  PRODUCT_HAS_GRID,
  SKU_TAKEN,
  TOO_MANY_VARIANTS,
  VARIANT_EXISTS,
  VARIANT_NOT_PREPARED,
} from './rejections.js';

/** New codes count only while the claim by which they were reserved does. */
export interface CodeClaim {
  readonly claimId: string;
  readonly codes: readonly Code[];
}

type Changes<F> = { readonly [K in keyof F]?: F[K] | undefined };
export type ProductChanges = Changes<ProductFields>;
export type VariantChanges = Changes<VariantFields>;

interface Guarded {
  readonly ifMatch: IfMatch;
}

/** Comes before variants are gone, belong to what has no stock or what kits may not take, or are counted otherwise. */
export interface Preparation {
  /** Those whose goods cannot move. */
  readonly variantIds: readonly string[];
  /** While the product is at this revision, and no kit takes it where none may: others may give it free once it changed. */
  readonly revision: number;
}

export const NOTHING_PREPARED: Preparation = { variantIds: [], revision: -1 };

interface Prepared {
  readonly prepared: Preparation;
}

export type ProductCommand =
  | {
      readonly type: 'create';
      readonly productId: string;
      readonly product: ProductFields;
      readonly variants: readonly Variant[];
      readonly claim: CodeClaim;
    }
  | ({
      readonly type: 'change';
      readonly changes: ProductChanges;
      /** The code of a product without grid. */
      readonly gtin?: string | undefined;
      readonly claim: CodeClaim;
      /** The parts of the kit changed: the record did, whatever else stayed. */
      readonly touched?: boolean;
    } & Guarded &
      Prepared)
  | ({
      readonly type: 'addVariant';
      readonly variant: Variant;
      readonly claim: CodeClaim;
      /** It is to have an opening stock. */
      readonly opens: boolean;
    } & Guarded)
  | ({
      readonly type: 'changeVariant';
      readonly variantId: string;
      readonly changes: VariantChanges;
      readonly claim: CodeClaim;
    } & Guarded)
  | ({ readonly type: 'removeVariant'; readonly variantId: string } & Guarded & Prepared)
  | ({ readonly type: 'leave'; readonly membership: Membership } & Guarded)
  /** Only where merchandise has no valid one. */
  | { readonly type: 'applyNcm'; readonly ncm: string }
  | ({ readonly type: 'delete' } & Guarded & Prepared)
  | { readonly type: 'setTaxableUnit'; readonly variantId: string; readonly unit: string; readonly factor: Decimal }
  /** Comes before a code is taken from a product that does not confirm it. */
  | { readonly type: 'dropClaim'; readonly productId: string; readonly claimId: string; readonly code: Code };

type CommandOf<T extends ProductCommand['type']> = Extract<ProductCommand, { readonly type: T }>;

const HIGHEST_PRICE = 999_999_999.99;

export const takenOf = (code: Code | undefined): Rejection =>
  new Rejection(code?.startsWith('sku-') === true ? SKU_TAKEN : GTIN_TAKEN);

/** Each code once, and those that are new by a claim that still counts. */
function expectClaimed(before: readonly Code[], after: readonly Code[], claim: CodeClaim, dropped: readonly string[]) {
  const known = new Set(before);
  const claimed = new Set(dropped.includes(claim.claimId) ? [] : claim.codes);
  const seen = new Set<Code>();
  for (const code of after) {
    if (seen.has(code) || !(known.has(code) || claimed.has(code))) throw takenOf(code);
    seen.add(code);
  }
}

function expectFit(variants: readonly Variant[]): void {
  if (variants.length > MOST_VARIANTS) throw new Rejection(TOO_MANY_VARIANTS);
  if (new Set(variants.map(placeInGrid)).size < variants.length) throw new Rejection(VARIANT_EXISTS);
}

function expectVariant({ variants }: Product, variantId: string): Variant {
  const variant = variants.find(({ id }) => id === variantId);
  if (!variant) throw new Rejection(NOT_FOUND);
  return variant;
}

/** One may have been added since the others were prepared, or they may be free again. */
function expectPrepared(revision: number, variants: readonly Variant[], { prepared }: Prepared): void {
  const areHeld = revision === prepared.revision && variants.every(({ id }) => prepared.variantIds.includes(id));
  if (!areHeld) throw new Rejection(VARIANT_NOT_PREPARED);
}

const without = (members: Product['variants'], id: string) => members.filter((variant) => variant.id !== id);

function created({ productId, product, variants, claim }: CommandOf<'create'>): ProductEvent[] {
  expectFit(variants);
  expectClaimed([], codesOf(product, variants), claim, []);
  const fields = priced(product, { ...product, managerialCost: null }, product);
  return [{ type: 'ProductCreated', data: { productId, product: fields, variants: [...variants] } }];
}

/** The fields with what the price rule makes of those that were given. */
function priced(fields: ProductFields, before: Pricing, given: ProductChanges): ProductFields {
  const { priceCash, profitMargin, managerialCost } = reprice(before, given);
  const pricing = { priceCash, profitMargin, managerialCost };
  if (pricing.priceCash.toNumber() > HIGHEST_PRICE) {
    const errors = [{ path: 'profitMargin', message: 'makes a price that is too high' }];
    throw new Rejection(PRICE_TOO_HIGH, undefined, { errors });
  }
  return { ...fields, ...pricing };
}

function changed(product: Product, command: CommandOf<'change'>): ProductEvent[] {
  const { productId, fields, variants } = product;
  const given = defined(command.changes);
  const wanted = priced({ ...fields, ...given }, fields, given);
  const [only] = variants;
  const newGtin = command.gtin !== undefined && command.gtin !== only?.gtin ? command.gtin : undefined;
  if (newGtin !== undefined && hasGrid(variants)) throw new Rejection(PRODUCT_HAS_GRID);
  const relabelled = newGtin === undefined ? variants : variants.map((variant) => ({ ...variant, gtin: newGtin }));
  expectClaimed(codesOfProduct(product), codesOf(wanted, relabelled), command.claim, product.droppedClaims);
  const staysCounted = isKeptInStock(wanted) && wanted.saleUnit === fields.saleUnit;
  const losesStock = isKeptInStock(fields) && !staysCounted;
  const becomesService = wanted.productType === 'SERVICE' && fields.productType !== 'SERVICE';
  if (losesStock || becomesService) expectPrepared(product.revision, losesStock ? variants : [], command);
  const facts = fieldsChanged(product, wanted, command.touched);
  if (newGtin !== undefined && only) facts.push(variantChange(productId, only, { gtin: newGtin }));
  return facts;
}

function fieldsChanged({ productId, fields, variants }: Product, wanted: Partial<ProductFields>, touched = false) {
  const differs = difference(fields, wanted) ?? (touched ? { changes: {}, was: {} } : undefined);
  const facts: ProductEvent[] = [];
  if (differs) {
    facts.push({ type: 'ProductChanged', data: { productId, ...differs, variantIds: variants.map(({ id }) => id) } });
  }
  return facts;
}

const variantChange = (productId: string, before: Variant, changes: Partial<VariantFields>): ProductEvent => ({
  type: 'VariantChanged',
  data: { productId, variantId: before.id, changes, was: difference(before, changes)?.was ?? {} },
});

function variantAdded(product: Product, { variant, claim, opens }: CommandOf<'addVariant'>): ProductEvent[] {
  const { productId, fields, variants, droppedClaims } = product;
  if (variants.some(({ id }) => id === variant.id)) return [];
  if (opens && !isKeptInStock(fields)) throw new Rejection(NOT_KEPT_IN_STOCK);
  expectFit([...variants, variant]);
  expectClaimed(codesOfProduct(product), codesOf(fields, [...variants, variant]), claim, droppedClaims);
  const { active, productType, isComposite } = fields;
  return [{ type: 'VariantAdded', data: { productId, shelf: { active, productType, isComposite }, variant } }];
}

function variantChanged(product: Product, { variantId, changes, claim }: CommandOf<'changeVariant'>): ProductEvent[] {
  const { productId, fields, variants, droppedClaims } = product;
  const before = expectVariant(product, variantId);
  const differs = difference<VariantFields>(before, defined(changes));
  if (!differs) return [];
  const after = variants.map((variant) => (variant === before ? { ...before, ...differs.changes } : variant));
  expectFit(after);
  expectClaimed(codesOfProduct(product), codesOf(fields, after), claim, droppedClaims);
  return [{ type: 'VariantChanged', data: { productId, variantId, ...differs } }];
}

function taxableUnitSet(product: Product, { variantId, unit, factor }: CommandOf<'setTaxableUnit'>): ProductEvent[] {
  const { productId, fields, variants } = product;
  const before = expectVariant(product, variantId);
  const ofProduct = difference<ProductFields>(fields, { tribUnit: unit });
  const others = variants.filter((one) => one !== before && (one.tribUnitFactor ?? fields.tribUnitFactor)?.isPositive);
  if (ofProduct && others.length > 0) {
    throw new Rejection(TAXABLE_UNIT_SHARED, undefined, { variantIds: others.map(({ id }) => id) });
  }
  const ofVariant = difference<VariantFields>(before, { tribUnitFactor: factor });
  const variantIds = variants.map(({ id }) => id);
  return [
    ...(ofProduct ? [{ type: 'ProductChanged', data: { productId, ...ofProduct, variantIds } } as const] : []),
    ...(ofVariant ? [{ type: 'VariantChanged', data: { productId, variantId, ...ofVariant } } as const] : []),
  ];
}

function decideProduct(product: Product, command: ProductCommand): ProductEvent[] {
  const { productId, fields, variants, revision } = product;
  if ('ifMatch' in command && !matches(command.ifMatch, revision)) throw new Rejection(STALE);
  switch (command.type) {
    case 'create':
      return [];
    case 'change':
      return changed(product, command);
    case 'addVariant':
      return variantAdded(product, command);
    case 'changeVariant':
      return variantChanged(product, command);
    case 'removeVariant':
      expectPrepared(revision, [expectVariant(product, command.variantId)], command);
      if (without(variants, command.variantId).length === 0) throw new Rejection(LAST_VARIANT);
      return [{ type: 'VariantRemoved', data: { productId, variantId: command.variantId } }];
    case 'leave':
      return fieldsChanged(product, leaving(fields, command.membership));
    case 'applyNcm':
      if (fields.productType === 'SERVICE' || isNcm(fields.ncm)) return [];
      return fieldsChanged(product, { ncm: command.ncm });
    case 'delete': {
      expectPrepared(revision, variants, command);
      const { categoryId, brandId, tagIds } = fields;
      const variantIds = variants.map(({ id }) => id);
      return [{ type: 'ProductDeleted', data: { productId, variantIds, was: { categoryId, brandId, tagIds } } }];
    }
    case 'setTaxableUnit':
      return taxableUnitSet(product, command);
    case 'dropClaim': {
      const { claimId, code } = command;
      const settled = codesOfProduct(product).includes(code) || product.droppedClaims.includes(claimId);
      return settled ? [] : [{ type: 'ProductClaimDropped', data: { productId, claimId } }];
    }
  }
}

/** No product is there: it may be created, kept from ever being, or deleted. */
function decideWithout(state: 'none' | 'ended', command: ProductCommand): ProductEvent[] {
  if (command.type === 'dropClaim') {
    const { productId, claimId } = command;
    return state === 'none' ? [{ type: 'ProductClaimDropped', data: { productId, claimId } }] : [];
  }
  if (command.type !== 'create') throw new Rejection(NOT_FOUND);
  if (state === 'ended') throw takenOf(command.claim.codes[0]);
  return created(command);
}

const decider: Decider<ProductState, ProductCommand, ProductEvent> = {
  initial: 'none',
  evolve: evolveProduct,
  decide: (state, command) =>
    typeof state === 'string' ? decideWithout(state, command) : decideProduct(state, command),
};

export const product: StreamType<ProductState, ProductCommand, ProductEvent> = {
  category: 'product',
  decider,
  events: productEvents,
  weigh: (state) => (typeof state === 'string' ? 1 : 5 + state.variants.length),
};
