import { Decimal } from '../../../kernel/decimal.js';
import type { CostReversal, Issue } from '../events.js';
import { applyIssue, withPool } from './moves.js';
import { poolWithout } from './pool.js';
import type { Inventory } from './state.js';
import { stockOf } from './state.js';
import { valueOf } from './taking.js';

/** Takes goods of an order out of the stock again; the average is redone where the decision said so. */
export function unwind(state: Inventory, issues: readonly Issue[], reversals: readonly CostReversal[]): Inventory {
  let current = state;
  for (const { variantId, status } of reversals) {
    const own = issues.filter((issue) => issue.variantId === variantId);
    const quantity = Decimal.sum(own.map((issue) => issue.quantity));
    const unwound = poolWithout(stockOf(current, variantId).pool, quantity, Decimal.sum(own.map(valueOf)));
    for (const issue of own) current = applyIssue(current, issue);
    if (status === 'REDONE' && unwound.status === 'REDONE') current = withPool(current, variantId, unwound.pool);
  }
  return current;
}
