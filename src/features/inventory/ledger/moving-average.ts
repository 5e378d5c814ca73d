import { Decimal } from '../../../kernel/values/decimal.js';
import type { MovingAverage } from './state.js';

/** The moving average of a variant: entries move it, issues leave it alone. */

export function averageAfterEntry(pool: MovingAverage, quantity: Decimal, value: Decimal): MovingAverage {
  if (!quantity.isPositive) return pool;
  const total = pool.quantity.plus(quantity);
  if (!pool.quantity.isPositive) {
    // Onto nothing, or onto less than nothing: the entry's own cost is the average.
    const last = value.dividedBy(quantity);
    return { quantity: total, value: total.isPositive ? value.timesRatio(total, quantity) : Decimal.zero, last };
  }
  const sum = pool.value.plus(value);
  return { quantity: total, value: sum, last: sum.dividedBy(total) };
}

export function averageAfterIssue(pool: MovingAverage, quantity: Decimal): MovingAverage {
  const rest = pool.quantity.minus(quantity);
  if (!rest.isPositive) return { quantity: rest, value: Decimal.zero, last: pool.last };
  return { quantity: rest, value: pool.value.timesRatio(rest, pool.quantity), last: pool.last };
}

export type Unwinding =
  { readonly status: 'REDONE'; readonly pool: MovingAverage } | { readonly status: 'SKIPPED'; readonly reason: string };

/** Takes an entry out of the average again, where what is left still has a sensible one. */
export function averageWithoutEntry(pool: MovingAverage, quantity: Decimal, value: Decimal): Unwinding {
  const rest = pool.quantity.minus(quantity);
  if (!rest.isPositive) return { status: 'SKIPPED', reason: 'Nothing would be left in stock' };
  const left = pool.value.minus(value);
  if (left.isNegative) return { status: 'SKIPPED', reason: 'The value left in stock would be negative' };
  return { status: 'REDONE', pool: { quantity: rest, value: left, last: left.dividedBy(rest) } };
}
