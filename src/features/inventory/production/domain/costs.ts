import { Decimal, MONEY_DECIMALS } from '../../../../kernel/values/decimal.js';
import type { Consumption, Issue, RecipeInOrder, Taken } from '../../events.js';
import { valueOf } from '../../ledger/taking.js';
import type { Input } from './inputs.js';

/** What an order cost: cents that add up, and beside them what rounding left. */

interface OrderCosts {
  readonly materialCost: Decimal;
  readonly laborCost: Decimal;
  readonly totalCost: Decimal;
  /** What each by-product bears, in their order. */
  readonly byproductCosts: readonly Decimal[];
  readonly productCost: Decimal;
  readonly roundingDifference: Decimal;
}

export function costsOf(
  issues: readonly Issue[],
  laborCost: Decimal,
  byproducts: RecipeInOrder['byproducts'],
): OrderCosts {
  const exact = Decimal.sum(issues.map(valueOf));
  const materialCost = exact.round(MONEY_DECIMALS);
  const totalCost = materialCost.plus(laborCost);
  let productCost = totalCost;
  const byproductCosts = byproducts.map(({ costSharePercent }) => {
    // Shares of a few cents that are all rounded up could be more than there is.
    const cost = totalCost.timesRatio(costSharePercent, Decimal.hundred, MONEY_DECIMALS).min(productCost);
    productCost = productCost.minus(cost);
    return cost;
  });
  return {
    materialCost,
    laborCost,
    totalCost,
    byproductCosts,
    productCost,
    roundingDifference: exact.minus(materialCost),
  };
}

/** Each part of what was used with its cents: they add up to the material cost. */
export function consumptionsOf(
  issues: readonly Issue[],
  inputs: readonly Pick<Input, 'costKind' | 'plannedQty'>[],
  materialCost: Decimal,
): Consumption[] {
  const values = issues.flatMap(({ takes, debt }) => [...takes, ...(debt ? [debt] : [])].map(({ value }) => value));
  const isFree = !Decimal.sum(values).isPositive;
  const cents = isFree ? values : Decimal.allocate(materialCost, values, MONEY_DECIMALS);
  let next = 0;
  const cost = (): Decimal => cents[next++] ?? Decimal.zero;
  return issues.map((issue, index): Consumption => {
    const { variantId, locationId, quantity, balance } = issue;
    const takes = issue.takes.map((taken) => takenAt(taken, cost()));
    const debt = issue.debt && { ...issue.debt, cost: cost() };
    const { costKind = 'MATERIAL', plannedQty = quantity } = inputs[index] ?? {};
    const consumption = { variantId, locationId, quantity, takes, debt, balance, costKind };
    return plannedQty.equals(quantity) ? consumption : { ...consumption, plannedQty };
  });
}

const takenAt = ({ lotId, lotCode, entered, expiresAt, quantity, value }: Taken, cost: Decimal) => ({
  lotId,
  lotCode,
  entered,
  expiresAt,
  quantity,
  value,
  cost,
});
