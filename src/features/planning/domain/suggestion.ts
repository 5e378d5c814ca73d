import { Decimal } from '../../../kernel/values/decimal.js';
import { largestRun } from '../../contracts/batches.js';
import type { RecipeCopy } from '../../contracts/recipe-book.js';

/** What is known of a recipe's product and inputs at the moment of planning. */
export interface Outlook {
  /** How much of the finished variant lies in lots that may be sold or used. */
  readonly free: Decimal;
  /** Expected from orders that are planned or started. */
  readonly planned: Decimal;
  /** Sold and used in the days looked back at. */
  readonly used: Decimal;
  /** The days that the use is spread over, at least one. */
  readonly days: number;
  /** Free stock of each input. */
  readonly available: ReadonlyMap<string, Decimal>;
}

export interface Suggestion {
  readonly recipeId: string;
  readonly recipeName: string;
  readonly finishedVariantId: string;
  readonly stockQty: number;
  readonly plannedQty: number;
  readonly averageDailySales: number;
  /** How long the free stock lasts; null when nothing is sold or used. */
  readonly coverageDays: number | null;
  readonly targetQty: number;
  readonly suggestedBatches: number;
  readonly suggestedQty: number;
  /** Whole batches that the inputs in stock allow; null when the recipe has none. */
  readonly maxBatches: number | null;
  /** The input that runs out before the suggestion is made; null when none does. */
  readonly limitedBy: string | null;
}

const QUANTITY = 6;

/** What one batch gives after its expected loss. */
const outputOf = ({ yieldQty, expectedLossPercent }: RecipeCopy): Decimal =>
  yieldQty.timesRatio(Decimal.hundred.minus(expectedLossPercent), Decimal.hundred);

/** What is going to be used in the coming days, by the average of the past ones. */
export const targetOf = ({ used, days }: Pick<Outlook, 'used' | 'days'>, coverage: number): Decimal =>
  used.max(Decimal.zero).timesRatio(Decimal.from(coverage), Decimal.from(days));

/** Batches that cover the coming days. */
export function suggest(recipe: RecipeCopy, outlook: Outlook, coverage: number): Suggestion {
  const { free, planned, used, days } = outlook;
  const past = Decimal.from(days);
  const target = targetOf(outlook, coverage);
  const need = target.minus(free).minus(planned).max(Decimal.zero);
  const output = outputOf(recipe);
  const batches = output.isPositive ? need.dividedBy(output).ceil() : Decimal.zero;
  const average = used.max(Decimal.zero).dividedBy(past);
  const limit = largestRun(recipe.items, (variantId) => outlook.available.get(variantId) ?? Decimal.zero);
  return {
    recipeId: recipe.recipeId,
    recipeName: recipe.name,
    finishedVariantId: recipe.finishedVariantId,
    stockQty: free.toNumber(),
    plannedQty: planned.toNumber(),
    averageDailySales: average.round(QUANTITY).toNumber(),
    coverageDays: used.isPositive ? free.timesRatio(past, used).round(2).toNumber() : null,
    targetQty: target.round(QUANTITY).toNumber(),
    suggestedBatches: batches.toNumber(),
    suggestedQty: batches.times(output).round(QUANTITY).toNumber(),
    maxBatches: limit?.batches.toNumber() ?? null,
    limitedBy: limit?.batches.lessThan(batches) === true ? limit.variantId : null,
  };
}
