import { toIso } from '../../../kernel/values/clock.js';
import { dayOf, startOfDay } from '../../../kernel/values/days.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import { DISCOUNT_TOO_HIGH, OCCURRED_IN_FUTURE, PAYMENTS_MISMATCH, TOTAL_TOO_HIGH } from '../rejections.js';
import type { NewSale } from './bodies.js';

const AHEAD = 300_000;
const CENTS = 2;
const MOST_TOTAL = Decimal.from('99999999999.99');

export type PricedItem = NewSale['items'][number] & { readonly discount: Decimal; readonly total: Decimal };

/** What each line costs; its discount is at most what it costs without one. */
export function pricedItems({ items }: Pick<NewSale, 'items'>): readonly PricedItem[] {
  const errors: { readonly path: string; readonly message: string }[] = [];
  const priced = items.map((item, index) => {
    const { discount = Decimal.zero } = item;
    const gross = item.quantity.times(item.unitPrice);
    if (discount.greaterThan(gross.round(CENTS))) {
      errors.push({ path: `items[${String(index)}].discount`, message: 'is more than the line costs' });
    }
    const { variantId, quantity, unitPrice, lotCode } = item;
    const total = gross.minus(discount).round(CENTS).max(Decimal.zero);
    return { variantId, quantity, unitPrice, discount, lotCode, total };
  });
  if (errors.length > 0) throw new Rejection(DISCOUNT_TOO_HIGH, undefined, { errors });
  return priced;
}

/** The total, which the payments must add up to. */
export function expectPaid(items: readonly PricedItem[], { payments }: Pick<NewSale, 'payments'>): Decimal {
  const total = Decimal.sum(items.map((item) => item.total));
  if (total.greaterThan(MOST_TOTAL)) {
    throw new Rejection(TOTAL_TOO_HIGH, undefined, {
      errors: [{ path: 'items', message: 'cost more than a sale can' }],
    });
  }
  const paid = Decimal.sum(payments.map(({ amount }) => amount));
  if (!paid.equals(total)) {
    const errors = [{ path: 'payments', message: 'must add up to the total' }];
    throw new Rejection(PAYMENTS_MISMATCH, undefined, { errors, total: total.toNumber(), paid: paid.toNumber() });
  }
  return total;
}

/** When it was sold, and on which day of the store. */
export function saleTime(
  given: string | undefined,
  now: string,
  timeZone: string,
): { readonly occurredAt: string; readonly occurredOn: string } {
  const moment =
    given === undefined ? Date.parse(now) : given.includes('T') ? Date.parse(given) : startOfDay(given, timeZone);
  if (moment > Date.parse(now) + AHEAD) {
    const errors = [{ path: 'occurredAt', message: 'is more than 5 minutes ahead' }];
    throw new Rejection(OCCURRED_IN_FUTURE, undefined, { errors });
  }
  return { occurredAt: given === undefined ? now : toIso(moment), occurredOn: dayOf(moment, timeZone) };
}
