import { Decimal } from '../../../kernel/values/decimal.js';
import type { Batch, Entry, Forgiven, Settlement } from '../events.js';
import { averageAfterEntry } from './moving-average.js';
import type { Inventory } from './state.js';
import { balanceAt, hasExpired, stockOf } from './state.js';
import { valueShare } from './taking.js';

/** Goods on their way into a lot at a location. */
export interface Arriving extends Batch {
  readonly variantId: string;
  readonly locationId: string;
  readonly quantity: Decimal;
  readonly value: Decimal;
}

/** How many debts one command settles: more would be too large for one event, and nothing could ever enter. The others wait for the next entry. */
export const MOST_SETTLED = 1_000;

type Scope = 'store' | 'transfer';

/** Makes the entries of one command, of which each may settle an equal part of what those before it have left to settle. */
export function enterer(entries: number, at: string, scope: Scope = 'store') {
  let [room, waiting] = [MOST_SETTLED, entries];
  return (state: Inventory, arriving: Arriving): Entry => {
    const entry = enter(state, arriving, { at, scope, most: Math.ceil(room / waiting) });
    room -= entry.settlements.length;
    waiting -= 1;
    return entry;
  };
}

interface Entering {
  readonly at: string;
  readonly scope: Scope;
  /** How many debts may be settled. */
  readonly most: number;
}

/** The entry of goods: open debts of the variant there are settled first, the oldest first. */
function enter(state: Inventory, arriving: Arriving, { at, scope, most }: Entering): Entry {
  const { variantId, locationId, quantity, value, lotId, lotCode, entered, expiresAt } = arriving;
  const stock = stockOf(state, variantId);
  const blocked = stock.lots.get(entered)?.blocked === true;
  const settlements = blocked || hasExpired(arriving, at) ? [] : settle(state, arriving, most);
  const pool = scope === 'store' ? averageAfterEntry(stock.pool, quantity, value) : stock.pool;
  const balance = balanceAt(stock, locationId).plus(quantity);
  const averageCost = pool.last;
  return {
    lotId,
    lotCode,
    entered,
    expiresAt,
    variantId,
    locationId,
    quantity,
    value,
    settlements,
    averageCost,
    balance,
  };
}

function settle(state: Inventory, { variantId, locationId, quantity, value }: Arriving, most: number): Settlement[] {
  const settlements: Settlement[] = [];
  let left = { quantity, value };
  for (const debt of stockOf(state, variantId).debts) {
    if (!left.quantity.isPositive || settlements.length === most) break;
    if (debt.locationId !== locationId) continue;
    const part = debt.quantity.min(left.quantity);
    const cost = valueShare(left.value, left.quantity, part);
    const { debtId, originKind, originId, line, occurredAt, customerId } = debt;
    const origin = { originKind, originId, line, occurredAt, customerId };
    const provisional = valueShare(debt.value, debt.quantity, part);
    settlements.push({ ...origin, debtId, quantity: part, value: cost, provisional });
    left = { quantity: left.quantity.minus(part), value: left.value.minus(cost) };
  }
  return settlements;
}

/** What its origin no longer owes of a debt: to the average it is an entry at what it was owed at. */
export function forgive(state: Inventory, owed: Omit<Forgiven, 'averageCost' | 'balance'>): Forgiven {
  const stock = stockOf(state, owed.variantId);
  const averageCost = averageAfterEntry(stock.pool, owed.quantity, owed.value).last;
  return { ...owed, averageCost, balance: balanceAt(stock, owed.locationId).plus(owed.quantity) };
}

/** What a quantity is worth at a unit cost. */
export const valueAt = (quantity: Decimal, unitCost: Decimal | null): Decimal =>
  unitCost === null ? Decimal.zero : quantity.times(unitCost);
