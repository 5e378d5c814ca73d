import { Decimal } from '../../kernel/values/decimal.js';
import { defined } from '../../kernel/values/defined.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { OpeningEntry } from '../contracts/stock-keeper.js';
import type { ChangeBody, CreateBody, VariantBody, VariantChangeBody } from './bodies.js';
import type { ProductChanges, VariantChanges } from './decider.js';
import { isGtin } from '../../brazil/gtin.js';
import type { ProductFields, Variant } from './events.js';
import { GTIN_INVALID } from './rejections.js';

/** From what a request says to what is recorded. */

/** What a new product has where the request says nothing, in the order of the stored members. */
const USUAL: ProductFields = {
  description: '',
  catalogDescription: '',
  productType: 'MERCHANDISE',
  isComposite: false,
  expectedComponentCount: null,
  priceCash: Decimal.zero,
  priceCredit: Decimal.zero,
  costPrice: null,
  managerialCost: null,
  profitMargin: Decimal.hundred,
  categoryId: null,
  brandId: null,
  tagIds: [],
  active: true,
  availableForDelivery: false,
  isFavorite: false,
  controlsLots: false,
  sku: null,
  saleUnit: 'UN',
  unitVolumeLiters: null,
  ncm: null,
  cest: null,
  issServiceCode: null,
  nbsCode: null,
  issRate: null,
  issRetained: false,
  netWeightKg: null,
  packagingTareKg: null,
  volumeSpecies: null,
  tribUnit: null,
  tribUnitFactor: null,
  ipiUnitValue: null,
  ipiBaseMode: null,
  ipiInStBase: null,
  pisUnitValue: null,
  cofinsUnitValue: null,
  taxRuleId: null,
  issueBy: 'ENTRY',
};

export function newFields({ stockQty: _stock, variants: _variants, ...body }: CreateBody): ProductFields {
  return { ...USUAL, ...defined(changesOf(body)) };
}

/** What a change says of the product itself. */
export function changesOf({ components, gtin: _gtin, ...body }: ChangeBody): ProductChanges {
  const { tagIds, catalogDescription, isComposite, ...rest } = body;
  return {
    ...rest,
    tagIds: tagIds && [...new Set(tagIds)],
    catalogDescription: catalogDescription === null ? '' : catalogDescription,
    isComposite: isComposite ?? (components && components.length > 0 ? true : undefined),
  };
}

/** A variant as it is recorded; `gtin` is known by then. */
export function newVariant(id: string, gtin: string, body: Omit<VariantBody, 'gtin' | 'stockQty'>): Variant {
  const { label = null, division = null, subdivision = null, sku = null } = body;
  const { netWeightKg = null, packagingTareKg = null, tribUnitFactor = null } = body;
  return { id, label, division, subdivision, gtin, sku, netWeightKg, packagingTareKg, tribUnitFactor };
}

export const variantChangesOf = ({ gtin: _gtin, ...body }: VariantChangeBody): VariantChanges => body;

/** Refuses what is no barcode, by where it stands in the request; nothing and null ask for one. */
export function expectGtins(given: readonly (readonly [path: string, gtin: string | null | undefined])[]): void {
  const wrong = given.filter(([, gtin]) => gtin && !isGtin(gtin)).map(([path]) => path);
  if (wrong.length === 0) return;
  const errors = wrong.map((path) => ({ path, message: 'is no GTIN' }));
  throw new Rejection(GTIN_INVALID, undefined, { errors });
}

/** What is there of a new variant, at what it cost. */
export function openingOf(
  variantId: string,
  stockQty: number | undefined,
  { managerialCost, costPrice }: Pick<ProductFields, 'managerialCost' | 'costPrice'>,
): readonly OpeningEntry[] {
  if (stockQty === undefined || stockQty === 0) return [];
  return [{ variantId, quantity: Decimal.from(stockQty), unitCost: managerialCost ?? costPrice }];
}
