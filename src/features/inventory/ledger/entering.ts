import type { Decimal } from '../../../kernel/values/decimal.js';
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

/** What is known of goods before they enter. */
type Coming = Pick<Arriving, 'variantId' | 'locationId' | 'quantity'>;

/** Goods that all come to one location. */
export const comingTo = (locationId: string, goods: readonly Omit<Coming, 'locationId'>[]): readonly Coming[] =>
  goods.map(({ variantId, quantity }) => ({ variantId, locationId, quantity }));

/** Makes the entries of one command, which together settle no more than that. */
export function enterer(before: Inventory, coming: readonly Coming[], at: string, scope: Scope = 'store') {
  const share = fairShare(coming.map((one) => debtsWithin(before, one)));
  let room = MOST_SETTLED;
  return (state: Inventory, arriving: Arriving): Entry => {
    const entry = enter(state, arriving, { at, scope, most: Math.min(share, room) });
    room -= entry.settlements.length;
    return entry;
  };
}

/** How many debts the goods could settle, or as many as one command settles. */
function debtsWithin(state: Inventory, { variantId, locationId, quantity }: Coming): number {
  let [count, left] = [0, quantity];
  for (const debt of stockOf(state, variantId).debts) {
    if (!left.isPositive || count === MOST_SETTLED) break;
    if (debt.locationId !== locationId) continue;
    left = left.minus(debt.quantity);
    count += 1;
  }
  return count;
}

/** How many each may settle: all that they could, unless that is too much for one command; then those that could settle more get equal parts. */
function fairShare(wanted: readonly number[]): number {
  let [room, waiting] = [MOST_SETTLED, wanted.length];
  for (const count of [...wanted].sort((a, b) => a - b)) {
    if (count * waiting > room) return Math.max(1, Math.floor(room / waiting));
    room -= count;
    waiting -= 1;
  }
  return MOST_SETTLED;
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
