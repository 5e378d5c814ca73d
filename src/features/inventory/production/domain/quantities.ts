import { Decimal, MONEY_DECIMALS, QUANTITY_DECIMALS } from '../../../../kernel/values/decimal.js';
import { grouped } from '../../../../kernel/values/grouped.js';
import { afterLoss } from '../../../contracts/batches.js';
import type { OpenOutput } from '../../../contracts/stock-keeper.js';
import type { RecipeInOrder } from '../../events.js';
import type { OpenOrder } from '../../ledger/state.js';

/** What batches of a recipe give and take of labour. Each figure is rounded once. */

const MINUTES_PER_HOUR = Decimal.from(60);

export interface OutputQuantities {
  readonly nominalQty: Decimal;
  /** Nominal without the loss that is expected. */
  readonly expectedQty: Decimal;
}

export function outputOf(
  { yieldQty, expectedLossPercent }: Pick<RecipeInOrder, 'yieldQty' | 'expectedLossPercent'>,
  batches: Decimal,
): OutputQuantities {
  const nominalQty = yieldQty.timesRatio(batches, Decimal.one, QUANTITY_DECIMALS);
  const kept = yieldQty.times(afterLoss(expectedLossPercent));
  return { nominalQty, expectedQty: kept.timesRatio(batches, Decimal.hundred, QUANTITY_DECIMALS) };
}

/** Standard minutes at their rates, in cents. */
export function laborCostOf({ stages }: RecipeInOrder, batches: Decimal): Decimal {
  const perBatch = stages.map(({ standardMinutes, laborRatePerHour }) =>
    standardMinutes && laborRatePerHour ? standardMinutes.times(laborRatePerHour) : Decimal.zero,
  );
  return Decimal.sum(perBatch).timesRatio(batches, MINUTES_PER_HOUR, MONEY_DECIMALS);
}

/** What open orders are expected to make, by variant, in the order of their numbers. */
export function openOutputs(
  orders: Iterable<readonly [orderId: string, order: OpenOrder]>,
): ReadonlyMap<string, readonly OpenOutput[]> {
  const made = [...orders].map(([orderId, { plan }]) => {
    const { recipe, batches, number } = plan;
    const { finishedVariantId } = recipe;
    return { finishedVariantId, orderId, number, quantity: outputOf(recipe, batches).expectedQty };
  });
  made.sort((a, b) => a.number - b.number);
  return grouped(made, ({ finishedVariantId }) => finishedVariantId);
}
