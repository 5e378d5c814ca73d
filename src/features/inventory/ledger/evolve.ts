import { Map as ImmutableMap } from 'immutable';
import { withHold, withoutHolds } from '../../../kernel/patterns/holds.js';
import type { Moment } from '../../../kernel/events/decider.js';
import type { Comeback, Entry, InventoryEvent, InventoryFact, OrderPlan } from '../events.js';
import { entriesOf } from '../events.js';
import { codeKey, noted, orderKey, saleKey } from './touched-revisions.js';
import {
  applyBlock,
  applyEntry,
  applyForgiven,
  applyIssue,
  applyIssues,
  applyRelease,
  orderTaker,
  saleTaker,
} from './moves.js';
import { unmake } from './unwinding.js';
import type { Inventory, OpenOrder } from './state.js';
import { changed } from './state.js';

/** What a fact makes of the stock. */
export function evolveInventory(state: Inventory, event: InventoryEvent, { revision, at }: Moment): Inventory {
  const moved = moveOf(state, event, at);
  const history = noted(moved.history, touchedBy(event), revision);
  return history === moved.history ? moved : changed(moved, { history });
}

function moveOf(state: Inventory, event: InventoryEvent, at: string): Inventory {
  switch (event.type) {
    case 'StockOpened':
    case 'StockReceived':
      return entered(state, event.data.entries);
    case 'StockAdjusted':
      return entered(applyIssues(state, event.data.issues), event.data.entries);
    case 'StockTransferred': {
      const left = event.data.issues.reduce((s, issue) => applyIssue(s, issue, undefined, 'transfer'), state);
      return event.data.arrivals.reduce((s, entry) => applyEntry(s, entry, 'transfer'), left);
    }
    case 'LotBlocked':
      return applyBlock(state, event.data.variantId, event.data);
    case 'LotReleased':
      return applyRelease(state, event.data.variantId, event.data.lotId);
    case 'LotsBlocked':
      return event.data.lots.reduce((s, lot) => applyBlock(s, lot.variantId, lot), state);
    case 'LotsReleased':
      return event.data.lots.reduce((s, { variantId, lotId }) => applyRelease(s, variantId, lotId), state);
    case 'VariantsRetired':
      return changed(state, { retired: withHold(state.retired, event.data.variantIds, event.data.hold) });
    case 'VariantsRestored':
      return changed(state, { retired: withoutHolds(state.retired, event.data.variantIds, event.data.holds) });
    case 'StockKeepingEnded':
      return changed(state, { unkept: withHold(state.unkept, event.data.variantIds, event.data.hold) });
    case 'StockKeepingResumed':
      return changed(state, { unkept: withoutHolds(state.unkept, event.data.variantIds, event.data.holds) });
    case 'LocationRetired':
      return changed(state, { retiredLocations: state.retiredLocations.add(event.data.locationId) });
    case 'SaleCompleted':
      return sold(state, event.data);
    case 'SaleReturned':
    case 'SaleCancelled':
      return cameBack(state, event.data.lines);
    case 'SaleTaxingBegan':
    case 'SaleTaxingEnded':
      return state;
    case 'OrderPlanned':
    case 'OrderStarted':
    case 'OrderStageMarked':
    case 'OrderRecipeRefreshed':
    case 'OrderCancelled':
      return openOrderMoved(state, event);
    case 'OrderCompleted':
      return completed(state, event, at);
    case 'OrderReversed':
      return reversed(state, event.data);
  }
}

const entered = (state: Inventory, entries: readonly Entry[]): Inventory =>
  entries.reduce((current, entry) => applyEntry(current, entry), state);

/** All debts shrink before goods return to lots, as `bringBack` decides it. */
function cameBack(state: Inventory, comebacks: readonly Comeback[]): Inventory {
  const spared = comebacks.flatMap(({ forgiven }) => forgiven).reduce(applyForgiven, state);
  return comebacks.reduce((current, { entries }) => entered(current, entries), spared);
}

function sold(state: Inventory, sale: InventoryFact<'SaleCompleted'>): Inventory {
  const taker = saleTaker(sale);
  const after = sale.lines.reduce((current, { issues }) => applyIssues(current, issues, taker), state);
  const unkept = sale.lines.filter(({ variantId }) => !after.variants.has(variantId));
  const soldUnkept =
    unkept.length === 0 ? after.soldUnkept : after.soldUnkept.union(unkept.map(({ variantId }) => variantId));
  return changed(after, { soldUnkept, lastSale: Math.max(after.lastSale, sale.number) });
}

type OpenOrderEvent = Extract<
  InventoryEvent,
  { readonly type: 'OrderPlanned' | 'OrderStarted' | 'OrderStageMarked' | 'OrderRecipeRefreshed' | 'OrderCancelled' }
>;

function openOrderMoved(state: Inventory, event: OpenOrderEvent): Inventory {
  const { orderId } = event.data;
  if (event.type === 'OrderPlanned') return planned(state, orderId, event.data);
  const order = state.openOrders.get(orderId);
  if (!order) return state;
  if (event.type === 'OrderCancelled') return changed(state, { openOrders: state.openOrders.remove(orderId) });
  return changed(state, { openOrders: state.openOrders.set(orderId, changedOrder(order, event)) });
}

function planned(state: Inventory, orderId: string, plan: OrderPlan): Inventory {
  const order: OpenOrder = { plan, started: false, stages: ImmutableMap() };
  const lastOrder = Math.max(state.lastOrder, plan.number);
  return changed(state, { openOrders: state.openOrders.set(orderId, order), lastOrder });
}

function changedOrder(
  order: OpenOrder,
  event: Exclude<OpenOrderEvent, { readonly type: 'OrderPlanned' | 'OrderCancelled' }>,
): OpenOrder {
  switch (event.type) {
    case 'OrderStarted':
      return { ...order, started: true };
    case 'OrderStageMarked': {
      const { stageId, done, notes } = event.data;
      return { ...order, stages: order.stages.set(stageId, { done, notes }) };
    }
    case 'OrderRecipeRefreshed': {
      const { orderId: _, ...refreshed } = event.data;
      return { ...order, plan: { ...order.plan, ...refreshed }, stages: ImmutableMap() };
    }
  }
}

type OrderCompleted = Extract<InventoryEvent, { readonly type: 'OrderCompleted' }>;

function completed(state: Inventory, event: OrderCompleted, at: string): Inventory {
  const { orderId, consumptions, number } = event.data;
  const used = applyIssues(state, consumptions, orderTaker(orderId, at));
  const made = entered(used, entriesOf(event));
  const openOrders = made.openOrders.remove(orderId);
  return changed(made, { openOrders, lastOrder: Math.max(made.lastOrder, number) });
}

function reversed(state: Inventory, { output, byproducts, inputs }: InventoryFact<'OrderReversed'>): Inventory {
  const restored = cameBack([output, ...byproducts].reduce(unmake, state), inputs);
  const [first] = output.issues;
  const lot = first?.takes[0];
  return lot ? applyBlock(restored, first.variantId, lot) : restored;
}

/** Sales, orders and lot codes that later decisions may ask for. */
function touchedBy(event: InventoryEvent): string[] {
  const keys = ownKeys(event);
  for (const { variantId, lotCode, settlements } of entriesOf(event)) {
    if (lotCode !== null) keys.push(codeKey(variantId, lotCode));
    for (const { originKind, originId } of settlements) {
      keys.push(originKind === 'SALE' ? saleKey(originId) : orderKey(originId));
    }
  }
  return keys;
}

function ownKeys(event: InventoryEvent): string[] {
  switch (event.type) {
    case 'SaleCompleted':
    case 'SaleReturned':
    case 'SaleCancelled':
    case 'SaleTaxingBegan':
    case 'SaleTaxingEnded':
      return [saleKey(event.data.saleId)];
    case 'OrderPlanned':
    case 'OrderStarted':
    case 'OrderStageMarked':
    case 'OrderRecipeRefreshed':
    case 'OrderCancelled':
    case 'OrderCompleted':
    case 'OrderReversed':
      return [orderKey(event.data.orderId)];
    default:
      return [];
  }
}
