import type { Facts } from '../../src/features/recipes/domain/facts.js';
import type { GivenFormula, GivenItem } from '../../src/features/recipes/domain/formula.js';
import type { Formula } from '../../src/features/recipes/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { VariantFacts } from '../../src/features/contracts/catalogue.js';

/** Variants and formulas for tests; ids are the names of things. */

export const dec = (value: number | string): Decimal => Decimal.from(value);

type Measures = Partial<Record<'netWeightKg' | 'unitVolumeLiters', number>>;

export const variant = (variantId: string, saleUnit: string, measures: Measures = {}): VariantFacts => ({
  variantId,
  productId: `product of ${variantId}`,
  description: variantId,
  productType: 'MERCHANDISE',
  active: true,
  saleUnit,
  gtin: '',
  sku: null,
  priceCash: Decimal.zero,
  ncm: null,
  cest: null,
  taxRuleId: null,
  issueBy: 'ENTRY',
  packagingTareKg: null,
  volumeSpecies: null,
  managerialCost: null,
  netWeightKg: measures.netWeightKg === undefined ? null : dec(measures.netWeightKg),
  unitVolumeLiters: measures.unitVolumeLiters === undefined ? null : dec(measures.unitVolumeLiters),
  tribUnit: null,
  tribUnitFactor: null,
  components: undefined,
});

export const factsOf = (...variants: readonly VariantFacts[]): Facts =>
  new Map(variants.map((one) => [one.variantId, one]));

type Amounts = Partial<Record<'quantity' | 'percent' | 'densityKgPerL' | 'lossPercent', number | string>>;

export const input = (
  componentVariantId: string,
  { quantity, percent, densityKgPerL, lossPercent = 0 }: Amounts,
  costKind: GivenItem['costKind'] = 'MATERIAL',
): GivenItem => ({
  componentVariantId,
  quantity: quantity === undefined ? null : dec(quantity),
  percent: percent === undefined ? null : dec(percent),
  densityKgPerL: densityKgPerL === undefined ? null : dec(densityKgPerL),
  lossPercent: dec(lossPercent),
  costKind,
});

/** What is made of flour and water unless something else is said. */
export const given = (changes: Partial<GivenFormula> = {}): GivenFormula => ({
  finishedVariantId: 'pão',
  yieldQty: dec(1),
  densityKgPerL: null,
  expectedLossPercent: Decimal.zero,
  formulaMode: 'ABSOLUTE',
  percentBasis: 'MASS',
  stages: [],
  byproducts: [],
  items: [input('farinha', { quantity: 10 }), input('água', { quantity: 6 })],
  ...changes,
});

/** The same with every quantity given. */
export const formulaOf = (changes: Partial<GivenFormula> = {}): Formula => given(changes) as Formula;
