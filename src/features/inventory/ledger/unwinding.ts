import { Decimal } from '../../../kernel/values/decimal.js';
import type { CostReversal, Issue, Unmade } from '../events.js';
import { applyIssue, withAverage } from './moves.js';
import type { Unwinding } from './moving-average.js';
import { averageWithoutEntry } from './moving-average.js';
import type { Inventory } from './state.js';
import { stockOf } from './state.js';
import { valueOf } from './taking.js';

function unwound(state: Inventory, variantId: string, issues: readonly Issue[]): Unwinding {
  const quantity = Decimal.sum(issues.map((issue) => issue.quantity));
  return averageWithoutEntry(stockOf(state, variantId).pool, quantity, Decimal.sum(issues.map(valueOf)));
}

/** What it does to a variant's average when goods leave that were never to have been made. */
export function costReversalOf(state: Inventory, variantId: string, issues: readonly Issue[]): CostReversal {
  const { last: before } = stockOf(state, variantId).pool;
  if (issues.length === 0) {
    return { variantId, status: 'SKIPPED', reason: 'Nothing of it is left in its lot', before, after: before };
  }
  const unwinding = unwound(state, variantId, issues);
  if (unwinding.status === 'REDONE') {
    return { variantId, status: 'REDONE', reason: null, before, after: unwinding.pool.last };
  }
  return { variantId, status: 'SKIPPED', reason: unwinding.reason, before, after: before };
}

/** Takes goods of an order out of the stock again; the average is redone where the decision said so. */
export function unmake(state: Inventory, { issues, costReversal }: Unmade): Inventory {
  const { variantId, status } = costReversal;
  const unwinding = unwound(state, variantId, issues);
  const left = issues.reduce((current, issue) => applyIssue(current, issue), state);
  return status === 'REDONE' && unwinding.status === 'REDONE' ? withAverage(left, variantId, unwinding.pool) : left;
}
