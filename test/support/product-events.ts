import type { ProductFields, Variant } from '../../src/features/products/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';

/** Facts about products as their stream would hold them; what matters to a test is named, the rest is usual. */

const usual: ProductFields = {
  description: 'Pão Francês',
  catalogDescription: '',
  productType: 'MERCHANDISE',
  isComposite: false,
  expectedComponentCount: null,
  priceCash: Decimal.from('18.9'),
  priceCredit: Decimal.from('19.9'),
  costPrice: null,
  managerialCost: Decimal.from('9.45'),
  profitMargin: Decimal.hundred,
  categoryId: null,
  brandId: null,
  tagIds: [],
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
  netWeightKg: Decimal.from('0.05'),
  packagingTareKg: null,
  volumeSpecies: null,
  tribUnit: null,
  tribUnitFactor: null,
  ipiUnitValue: null,
  ipiBaseMode: null,
  ipiInStBase: null,
  pisUnitValue: null,
  cofinsUnitValue: null,
};

export const variantOf = (id: string, fields: Partial<Variant> = {}): Variant => ({
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

export const productCreated = (
  productId: string,
  fields: Partial<ProductFields> = {},
  variants: readonly Variant[] = [variantOf(`${productId}-v`)],
) => ({
  type: 'ProductCreated' as const,
  data: { productId, product: { ...usual, ...fields }, variants: [...variants] },
});

export const productChanged = (
  productId: string,
  changes: Partial<ProductFields>,
  was: Partial<ProductFields> = {},
) => ({ type: 'ProductChanged' as const, data: { productId, changes, was, variantIds: [`${productId}-v`] } });

export const productDeleted = (
  productId: string,
  was: Partial<Pick<ProductFields, 'categoryId' | 'brandId' | 'tagIds'>> = {},
) => ({
  type: 'ProductDeleted' as const,
  data: { productId, variantIds: [`${productId}-v`], was: { categoryId: null, brandId: null, tagIds: [], ...was } },
});
