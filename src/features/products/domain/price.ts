import { Decimal } from '../../../kernel/values/decimal.js';

export interface Pricing {
  readonly priceCash: Decimal;
  /** Percent over the managerial cost. */
  readonly profitMargin: Decimal;
  readonly managerialCost: Decimal | null;
}

const MONEY = 2;
const PERCENT = 4;

/** What fits fifteen digits: an article of a cent sold for a fortune has no greater margin than this. */
export const HIGHEST_MARGIN = Decimal.from('99999999999.9999');

const priceOf = (cost: Decimal, margin: Decimal): Decimal =>
  cost.timesRatio(Decimal.hundred.plus(margin), Decimal.hundred, MONEY);

const marginOf = (cost: Decimal, price: Decimal): Decimal =>
  price.minus(cost).timesRatio(Decimal.hundred, cost, PERCENT).min(HIGHEST_MARGIN);

const same = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

/**
 * With a cost, price and margin follow each other: a new price makes the margin, a new margin the price, and of both the price wins; a new cost
 * keeps the price. Without a cost each is only stored.
 */
export function reprice(before: Pricing, change: { readonly [K in keyof Pricing]?: Pricing[K] | undefined }): Pricing {
  const { priceCash = before.priceCash, managerialCost = before.managerialCost } = change;
  const { profitMargin = before.profitMargin } = change;
  if (!managerialCost?.isPositive) return { priceCash, profitMargin, managerialCost };
  const sameCost = same(managerialCost, before.managerialCost);
  const byMargin = change.priceCash === undefined && change.profitMargin !== undefined;
  if (byMargin && !(sameCost && profitMargin.equals(before.profitMargin))) {
    return { priceCash: priceOf(managerialCost, profitMargin), profitMargin, managerialCost };
  }
  if (sameCost && priceCash.equals(before.priceCash)) return before;
  return { priceCash, profitMargin: marginOf(managerialCost, priceCash), managerialCost };
}
