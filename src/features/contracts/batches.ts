import { Decimal, QUANTITY_DECIMALS } from '../../kernel/values/decimal.js';

/** What batches of a recipe take and give beside the product: the same for who foresees, who plans and who makes them. Each figure is rounded once. */

interface Input {
  readonly componentVariantId: string;
  readonly quantity: Decimal;
  readonly lossPercent: Decimal;
}

/** What is left of a hundred after a loss of so many percent. */
export const afterLoss = (percent: Decimal): Decimal => Decimal.hundred.minus(percent);

/** What must leave the stock of an input, its own loss included. */
export const needOf = ({ quantity, lossPercent }: Omit<Input, 'componentVariantId'>, batches: Decimal): Decimal =>
  quantity.timesRatio(batches.times(Decimal.hundred), afterLoss(lossPercent), QUANTITY_DECIMALS);

export const byproductQty = ({ quantityPerBatch }: { readonly quantityPerBatch: Decimal }, batches: Decimal): Decimal =>
  quantityPerBatch.timesRatio(batches, Decimal.one, QUANTITY_DECIMALS);

interface Run {
  readonly variantId: string;
  /** Whole. */
  readonly batches: Decimal;
  /** With the part of a batch that the stock would do for as well. */
  readonly exact: Decimal;
}

function runOf(input: Input, available: Decimal): Run {
  const stock = available.max(Decimal.zero);
  const [kept, used] = [afterLoss(input.lossPercent), input.quantity.times(Decimal.hundred)];
  // The need is rounded, so that stock that falls short of it by less than half a millionth does as well: one division does not tell.
  const nearest = stock.timesRatio(kept, used, 0);
  const batches = needOf(input, nearest).greaterThan(stock) ? nearest.minus(Decimal.one) : nearest;
  return { variantId: input.componentVariantId, batches, exact: stock.timesRatio(kept, used) };
}

const isShorter = (run: Run, other: Run): boolean =>
  run.batches.equals(other.batches) ? run.exact.lessThan(other.exact) : run.batches.lessThan(other.batches);

/** How many whole batches the inputs allow, and which of them is the first to run out; undefined where there are none. */
export const largestRun = (
  inputs: readonly Input[],
  available: (variantId: string) => Decimal,
): Pick<Run, 'variantId' | 'batches'> | undefined =>
  inputs
    .map((input) => runOf(input, available(input.componentVariantId)))
    .reduce<Run | undefined>((least, run) => (least && !isShorter(run, least) ? least : run), undefined);
