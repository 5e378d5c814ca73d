import type { Decimal } from '../../../kernel/values/decimal.js';
import type { Batch, Entry, Forgiven, Issue, Origin, Settlement, Taken } from '../events.js';
import { averageAfterEntry, averageAfterIssue } from './moving-average.js';
import type { Holding, Lot, Lots } from './lots.js';
import { changedLot } from './lots.js';
import type { Debt, Inventory, MovingAverage, VariantStock } from './state.js';
import { changed, changedStock, stockOf } from './state.js';

/** What recorded movements do to the stock. Deciding uses the same functions, so that it foresees exactly what will be. */

/** Who takes goods, where they may be owed. */
type Taker = Omit<Origin, 'line'>;

export const saleTaker = (sale: {
  readonly saleId: string;
  readonly occurredAt: string;
  readonly customerId: string | null;
}): Taker => ({
  originKind: 'SALE',
  originId: sale.saleId,
  occurredAt: sale.occurredAt,
  customerId: sale.customerId,
});

export const orderTaker = (orderId: string, completedAt: string): Taker => ({
  originKind: 'ORDER',
  originId: orderId,
  occurredAt: completedAt,
  customerId: null,
});

/** Within a transfer the goods stay the store's: the average does not see it. */
type Scope = 'store' | 'transfer';

export function applyIssue(state: Inventory, issue: Issue, taker?: Taker, scope: Scope = 'store'): Inventory {
  const { variantId, locationId, quantity } = issue;
  const stock = stockOf(state, variantId);
  const lots = issue.takes.reduce((list, taken) => withoutTaken(list, taken, locationId), stock.lots);
  const pool = scope === 'store' ? averageAfterIssue(stock.pool, quantity) : stock.pool;
  const debts = issue.debt && taker ? [...stock.debts, { ...taker, ...issue.debt, locationId }] : stock.debts;
  const next = changedStock(stock, { lots, debts, pool, balances: withBalance(stock, locationId, issue.balance) });
  return visited(withStock(state, variantId, stock, next), stock, locationId);
}

export const applyIssues = (state: Inventory, issues: readonly Issue[], taker?: Taker): Inventory =>
  issues.reduce((current, issue) => applyIssue(current, issue, taker), state);

export function applyEntry(state: Inventory, entry: Entry, scope: Scope = 'store'): Inventory {
  const { variantId, locationId, settlements } = entry;
  const stock = stockOf(state, variantId);
  const kept = remainder(entry);
  const pool = scope === 'store' ? averageAfterEntry(stock.pool, entry.quantity, entry.value) : stock.pool;
  const next: VariantStock = {
    lots: kept.quantity.isZero
      ? stock.lots
      : withEntered(stock.lots, entry, { locationId, quantity: kept.quantity, value: kept.value }),
    debts: withSettled(stock.debts, settlements),
    pool,
    balances: withBalance(stock, locationId, entry.balance),
  };
  const moved = visited(withStock(state, variantId, stock, next), stock, locationId);
  return entry.entered > moved.lastEntered ? changed(moved, { lastEntered: entry.entered }) : moved;
}

/** Goods of a debt are no longer owed: they never left. */
export function applyForgiven(state: Inventory, forgiven: Forgiven): Inventory {
  const { variantId, locationId, quantity, value, balance } = forgiven;
  const stock = stockOf(state, variantId);
  const next = changedStock(stock, {
    debts: shrunk(stock.debts, forgiven.debtId, quantity, value),
    pool: averageAfterEntry(stock.pool, quantity, value),
    balances: withBalance(stock, locationId, balance),
  });
  return withStock(state, variantId, stock, next);
}

/** Sets the average of a variant, after a reversal has redone it. */
export const withAverage = (state: Inventory, variantId: string, pool: MovingAverage): Inventory =>
  changed(state, { variants: state.variants.set(variantId, changedStock(stockOf(state, variantId), { pool })) });

/** Blocks a lot, also one of which nothing is left. */
export function applyBlock(
  state: Inventory,
  variantId: string,
  { lotId, lotCode, entered, expiresAt }: Batch,
): Inventory {
  const stock = stockOf(state, variantId);
  const lots = withLot(stock.lots, { lotId, lotCode, entered, expiresAt }, (lot) => changedLot(lot, { blocked: true }));
  return withStock(state, variantId, stock, changedStock(stock, { lots }));
}

export function applyRelease(state: Inventory, variantId: string, lotId: string): Inventory {
  const stock = stockOf(state, variantId);
  const lot = stock.lots.named(lotId);
  if (!lot) return state;
  const isThere = lot.holdings.length > 0;
  const lots = isThere ? stock.lots.with(changedLot(lot, { blocked: false })) : stock.lots.without(lot.entered);
  return withStock(state, variantId, stock, changedStock(stock, { lots }));
}

/** What of an entry stays in the lot once its settlements are made. */
function remainder(entry: Pick<Entry, 'quantity' | 'value' | 'settlements'>): {
  readonly quantity: Decimal;
  readonly value: Decimal;
} {
  let { quantity, value } = entry;
  for (const settled of entry.settlements) {
    quantity = quantity.minus(settled.quantity);
    value = value.minus(settled.value);
  }
  return { quantity, value };
}

function withStock(state: Inventory, variantId: string, before: VariantStock, stock: VariantStock): Inventory {
  const variants = state.variants.set(variantId, stock);
  return changed(state, { variants, lotCount: state.lotCount + stock.lots.size - before.lots.size });
}

/** Most movements are where the variant lay before. */
const visited = (state: Inventory, before: VariantStock, locationId: string): Inventory =>
  before.balances.some((balance) => balance.locationId === locationId)
    ? state
    : changed(state, { usedLocations: state.usedLocations.add(locationId) });

function withBalance(stock: VariantStock, locationId: string, quantity: Decimal): VariantStock['balances'] {
  const known = stock.balances.some((balance) => balance.locationId === locationId);
  if (!known) return [...stock.balances, { locationId, quantity }];
  return stock.balances.map((balance) => (balance.locationId === locationId ? { locationId, quantity } : balance));
}

function withoutTaken(lots: Lots, taken: Taken, locationId: string): Lots {
  const lot = lots.get(taken.entered);
  if (!lot) return lots;
  const holdings: Holding[] = [];
  for (const holding of lot.holdings) {
    if (holding.locationId !== locationId) holdings.push(holding);
    else if (holding.quantity.greaterThan(taken.quantity)) {
      const quantity = holding.quantity.minus(taken.quantity);
      holdings.push({ locationId, quantity, value: holding.value.minus(taken.value) });
    }
  }
  if (holdings.length === 0 && !lot.blocked) return lots.without(taken.entered);
  return lots.with(changedLot(lot, { holdings }));
}

const withEntered = (lots: Lots, batch: Batch, added: Holding): Lots =>
  withLot(lots, batch, (lot) => {
    const before = lot.holdings.find(({ locationId }) => locationId === added.locationId);
    if (!before) return changedLot(lot, { holdings: [...lot.holdings, added] });
    const { locationId, quantity, value } = added;
    const sum = { locationId, quantity: before.quantity.plus(quantity), value: before.value.plus(value) };
    return changedLot(lot, { holdings: lot.holdings.map((holding) => (holding === before ? sum : holding)) });
  });

/** Changes a lot where it stands, or puts it where it stood. */
const withLot = (lots: Lots, { lotId, lotCode, entered, expiresAt }: Batch, change: (lot: Lot) => Lot): Lots =>
  lots.with(change(lots.get(entered) ?? { lotId, lotCode, entered, expiresAt, blocked: false, holdings: [] }));

/** One walk as far as the last of them: a variant that is sold for months without a receipt has thousands, and an entry settles the oldest. */
function withSettled(debts: readonly Debt[], settlements: readonly Settlement[]): readonly Debt[] {
  if (settlements.length === 0) return debts;
  const byDebt = new Map(settlements.map((settlement) => [settlement.debtId, settlement]));
  const left: Debt[] = [];
  for (const [index, debt] of debts.entries()) {
    if (byDebt.size === 0) return left.concat(debts.slice(index));
    const settled = byDebt.get(debt.debtId);
    const after = settled ? lessOwed(debt, settled.quantity, settled.provisional) : debt;
    byDebt.delete(debt.debtId);
    if (after) left.push(after);
  }
  return left;
}

/** Looked for from the end: what is given up is seldom old. */
function shrunk(debts: readonly Debt[], debtId: string, quantity: Decimal, value: Decimal): readonly Debt[] {
  const index = debts.findLastIndex((debt) => debt.debtId === debtId);
  const debt = debts[index];
  if (!debt) return debts;
  const left = lessOwed(debt, quantity, value);
  return left ? debts.with(index, left) : debts.toSpliced(index, 1);
}

function lessOwed(debt: Debt, quantity: Decimal, value: Decimal): Debt | undefined {
  const left = debt.quantity.minus(quantity);
  return left.isPositive ? { ...debt, quantity: left, value: debt.value.minus(value) } : undefined;
}
