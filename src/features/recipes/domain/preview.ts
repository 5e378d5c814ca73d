import { Decimal, MONEY_DECIMALS } from '../../../kernel/values/decimal.js';
import { byproductQty, largestRun, needOf } from '../../contracts/batches.js';
import type { VariantFacts } from '../../contracts/catalogue.js';
import type { Estimate, Need } from '../../contracts/stock-keeper.js';
import type { Formula, FormulaItem } from '../events.js';
import type { Costs } from './costing.js';
import { costsOf, expectedOutputOf } from './costing.js';

/** What each input must be there with for so many batches. */
export const needsOf = (
  { items }: Formula,
  batches: Decimal,
  facts: ReadonlyMap<string, VariantFacts>,
): readonly Need[] =>
  items.map((item) => ({
    variantId: item.componentVariantId,
    quantity: needOf(item, batches),
    expiryFirst: facts.get(item.componentVariantId)?.issueBy === 'EXPIRY',
  }));

interface PreviewedItem {
  readonly item: FormulaItem;
  readonly required: Decimal;
  readonly available: Decimal;
  readonly missing: Decimal;
  readonly unitCost: Decimal;
  readonly cost: Decimal;
}

interface PreviewedByproduct {
  readonly variantId: string;
  readonly quantity: Decimal;
  readonly costSharePercent: Decimal;
  /** Its share of the whole, in cents. */
  readonly cost: Decimal;
}

export interface Preview {
  readonly items: readonly PreviewedItem[];
  readonly byproducts: readonly PreviewedByproduct[];
  readonly costs: Costs;
  readonly expectedOutput: Decimal;
  readonly maxBatches: Decimal;
  readonly limitingVariantId: string | null;
}

/** `estimates`: what the stock says of each need. */
export function previewOf(formula: Formula, batches: Decimal, estimates: readonly Estimate[]): Preview {
  const byVariant = new Map(estimates.map((estimate) => [estimate.variantId, estimate]));
  const availableOf = (variantId: string) => byVariant.get(variantId)?.available.max(Decimal.zero) ?? Decimal.zero;
  const costOf = ({ componentVariantId }: FormulaItem) => byVariant.get(componentVariantId)?.cost ?? Decimal.zero;
  const costs = costsOf(formula, batches, formula.items.map(costOf));
  const items = formula.items.map((item, index): PreviewedItem => {
    const required = needOf(item, batches);
    const available = availableOf(item.componentVariantId);
    return {
      item,
      required,
      available,
      missing: required.minus(available).max(Decimal.zero),
      unitCost: required.isZero ? Decimal.zero : costOf(item).dividedBy(required),
      cost: costs.items[index] ?? Decimal.zero,
    };
  });
  const run = largestRun(formula.items, availableOf);
  return {
    items,
    byproducts: byproductsOf(formula, batches, costs),
    costs,
    expectedOutput: expectedOutputOf(formula, batches),
    maxBatches: run?.batches ?? Decimal.zero,
    limitingVariantId: run?.variantId ?? null,
  };
}

const byproductsOf = ({ byproducts }: Formula, batches: Decimal, { total }: Costs): readonly PreviewedByproduct[] =>
  byproducts.map(({ variantId, quantityPerBatch, costSharePercent }) => ({
    variantId,
    quantity: byproductQty({ quantityPerBatch }, batches),
    costSharePercent,
    cost: total.timesRatio(costSharePercent, Decimal.hundred, MONEY_DECIMALS),
  }));
