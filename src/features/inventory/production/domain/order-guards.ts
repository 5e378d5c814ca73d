import { NOT_FOUND, Rejection } from '../../../../kernel/events/rejection.js';
import type { InventoryEvent, InventoryFact } from '../../events.js';
import { ALREADY_REVERSED, ORDER_NOT_COMPLETED, ORDER_NOT_OPEN, ORDER_NOT_PLANNED } from '../../rejections.js';
import { orderKey } from '../../ledger/touched-revisions.js';
import type { KnownHistory } from '../../ledger/known-history.js';
import { HistoryOutdated, expectWholeHistory } from '../../ledger/known-history.js';
import type { Inventory, OpenOrder } from '../../ledger/state.js';

/** An order that is named by a command; its past is needed once it is closed, and where the client names the revision that it has seen. */
export interface NamedOrder {
  readonly orderId: string;
  readonly past: KnownHistory<InventoryEvent> | undefined;
}

/** A completed order: what was recorded then and since. */
export interface CompletedOrder {
  readonly completed: InventoryFact<'OrderCompleted'>;
  readonly reversals: readonly InventoryFact<'OrderReversed'>[];
  /** Everything that touched it, settlements of its debts included. */
  readonly events: readonly InventoryEvent[];
}

function pastEvents(state: Inventory, { orderId, past }: NamedOrder): readonly InventoryEvent[] {
  if (!past) throw new HistoryOutdated();
  expectWholeHistory(state.history, orderKey(orderId), past);
  if (past.events.length === 0) throw new Rejection(NOT_FOUND);
  return past.events.map(({ event }) => event);
}

function openOrder(state: Inventory, { orderId, past }: NamedOrder): OpenOrder | undefined {
  const order = state.openOrders.get(orderId);
  if (order && past) expectWholeHistory(state.history, orderKey(orderId), past);
  return order;
}

/** The order as long as it can be worked on. */
export function expectOpen(state: Inventory, named: NamedOrder): OpenOrder {
  const order = openOrder(state, named);
  if (order) return order;
  pastEvents(state, named);
  throw new Rejection(ORDER_NOT_OPEN);
}

export function expectPlanned(state: Inventory, named: NamedOrder): OpenOrder {
  const order = openOrder(state, named);
  if (order && !order.started) return order;
  if (!order) pastEvents(state, named);
  throw new Rejection(ORDER_NOT_PLANNED);
}

/** The order as long as something of it can be reversed. */
export function expectCompleted(state: Inventory, named: NamedOrder): CompletedOrder {
  if (state.openOrders.has(named.orderId)) throw new Rejection(ORDER_NOT_COMPLETED);
  const events = pastEvents(state, named);
  const completed = events.find((event) => event.type === 'OrderCompleted' && event.data.orderId === named.orderId);
  if (completed?.type !== 'OrderCompleted') throw new Rejection(ORDER_NOT_COMPLETED);
  const reversals = events.flatMap((event) =>
    event.type === 'OrderReversed' && event.data.orderId === named.orderId ? [event.data] : [],
  );
  if (reversals.some(({ whole }) => whole)) throw new Rejection(ALREADY_REVERSED);
  return { completed: completed.data, reversals, events };
}
