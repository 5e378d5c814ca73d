import type { Moment } from '../../../kernel/events/decider.js';
import { defined } from '../../../kernel/values/defined.js';
import { foldText } from '../../../kernel/values/words.js';
import type { ProductEvent, ProductFields, Variant } from '../events.js';
import { paddedGtin } from '../../../brazil/gtin.js';

export interface Product {
  readonly productId: string;
  readonly fields: ProductFields;
  /** At least one. */
  readonly variants: readonly Variant[];
  readonly createdAt: string;
  readonly changedAt: string;
  /** The revision of its own last change. */
  readonly revision: number;
  /** The claims of codes that it held and lost before it confirmed them. */
  readonly droppedClaims: readonly string[];
}

/** `ended`: it will never be, or be again. */
export type ProductState = Product | 'none' | 'ended';

export const MOST_VARIANTS = 200;

export type Kind = Pick<ProductFields, 'productType' | 'isComposite'>;

/** Kits and services have no stock of their own. */
export const isKeptInStock = ({ productType, isComposite }: Kind): boolean =>
  productType === 'MERCHANDISE' && !isComposite;

/** Which code it is, so that two that count as one are equal: `gtin-07891234567895`, `sku-pao-01`. */
export type Code = `${'gtin' | 'sku'}-${string}`;

export const gtinCode = (gtin: string): Code => `gtin-${paddedGtin(gtin)}`;
export const skuCode = (sku: string): Code => `sku-${foldText(sku)}`;

const codesOfVariant = ({ gtin, sku }: Pick<Variant, 'gtin' | 'sku'>): Code[] =>
  sku === null ? [gtinCode(gtin)] : [gtinCode(gtin), skuCode(sku)];

/** Every code of a product, one that it has twice twice. */
export const codesOf = (
  fields: Pick<ProductFields, 'sku'>,
  variants: readonly Pick<Variant, 'gtin' | 'sku'>[],
): readonly Code[] => [...(fields.sku === null ? [] : [skuCode(fields.sku)]), ...variants.flatMap(codesOfVariant)];

export const codesOfProduct = ({ fields, variants }: Product): readonly Code[] => codesOf(fields, variants);

/** One that is sold in one form only. */
export const hasGrid = (variants: readonly Variant[]): boolean =>
  variants.length !== 1 ||
  variants.some(({ label, division, subdivision }) => (label ?? division ?? subdivision) !== null);

/** A variant's place: nobody could tell two variants in one place apart. */
export const placeInGrid = ({ label, division, subdivision }: Variant): string =>
  JSON.stringify([label, division, subdivision].map((text) => (text === null ? null : foldText(text))));

const mapVariant = (product: Product, id: string, map: (variant: Variant) => Variant): Product => ({
  ...product,
  variants: product.variants.map((variant) => (variant.id === id ? map(variant) : variant)),
});

function changed(product: Product, event: ProductEvent): Product {
  switch (event.type) {
    case 'ProductChanged':
      return { ...product, fields: { ...product.fields, ...defined(event.data.changes) } };
    case 'VariantAdded':
      return { ...product, variants: [...product.variants, event.data.variant] };
    case 'VariantChanged':
      return mapVariant(product, event.data.variantId, (variant) => ({ ...variant, ...defined(event.data.changes) }));
    case 'VariantRemoved':
      return { ...product, variants: product.variants.filter(({ id }) => id !== event.data.variantId) };
    default:
      return product;
  }
}

export function evolveProduct(state: ProductState, event: ProductEvent, { revision, at }: Moment): ProductState {
  if (event.type === 'ProductCreated') {
    const { productId, product: fields, variants } = event.data;
    return { productId, fields, variants, createdAt: at, changedAt: at, revision, droppedClaims: [] };
  }
  if (event.type === 'ProductDeleted') return 'ended';
  if (event.type === 'ProductClaimDropped') {
    if (typeof state === 'string') return 'ended';
    return { ...state, droppedClaims: [...state.droppedClaims, event.data.claimId] };
  }
  return typeof state === 'string' ? state : { ...changed(state, event), changedAt: at, revision };
}
