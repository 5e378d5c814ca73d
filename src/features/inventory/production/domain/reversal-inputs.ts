import { Decimal, QUANTITY_DECIMALS } from '../../../../kernel/values/decimal.js';
import type { Consumption, InventoryEvent, InventoryFact, Taken } from '../../events.js';
import { entriesOf } from '../../events.js';
import type { Outstanding, Returning } from '../../ledger/bringing-back.js';
import { afterComeback, afterSettling, bringBack, outstandingOf, quantityOf } from '../../ledger/bringing-back.js';
import type { CompletedOrder } from './order-guards.js';
import type { Inventory } from '../../ledger/state.js';
import { valueShare } from '../../ledger/taking.js';

/** What of an order's inputs comes back: debts shrink first, then goods return to the lots that they came from. */

interface Share {
  readonly obtained: Decimal;
  readonly remaining: Decimal;
  readonly whole: boolean;
}

type Input = InventoryFact<'OrderReversed'>['inputs'][number];

export function inputsOf(state: Inventory, order: CompletedOrder, share: Share, at: string): Input[] {
  const { consumptions } = order.completed;
  const returning = consumptions.map((consumption, index) => {
    const outstanding = outstandingInput(order, consumption, index);
    return [partOf(outstanding, returningQty(consumption, outstanding, share))];
  });
  const { comebacks } = bringBack(state, returning, at);
  return comebacks.map((comeback, index) => ({
    ...comeback,
    componentVariantId: consumptions[index]?.variantId ?? '',
  }));
}

/** What the order still has of an input, each lot once. */
function outstandingInput(order: CompletedOrder, consumption: Consumption, index: number): Outstanding {
  const { orderId } = order.completed;
  return order.events.reduce(
    (outstanding, event) => afterEvent(outstanding, event, orderId, index),
    onceEach(outstandingOf(consumption)),
  );
}

function afterEvent(outstanding: Outstanding, event: InventoryEvent, orderId: string, index: number): Outstanding {
  const own = event.type === 'OrderReversed' && event.data.orderId === orderId ? event.data.inputs[index] : undefined;
  const left = own ? afterComeback(outstanding, own) : outstanding;
  return onceEach(entriesOf(event).reduce(afterSettling, left));
}

function onceEach(outstanding: Outstanding): Outstanding {
  const lots = new Map<string, Taken>();
  for (const { quantity, value, ...batch } of outstanding.takes) {
    const before = lots.get(batch.lotId);
    const sums = before && { quantity: before.quantity.plus(quantity), value: before.value.plus(value) };
    lots.set(batch.lotId, { ...batch, ...(sums ?? { quantity, value }) });
  }
  return lots.size === outstanding.takes.length ? outstanding : { ...outstanding, takes: [...lots.values()] };
}

/** The reversed fraction of what was used; the last reversal brings all the rest. */
function returningQty(
  { quantity }: Consumption,
  outstanding: Outstanding,
  { obtained, remaining, whole }: Share,
): Decimal {
  const rest = quantityOf(outstanding);
  return whole ? rest : quantity.timesRatio(remaining, obtained, QUANTITY_DECIMALS).min(rest);
}

/** A part of what is outstanding: what is owed first, then of each lot in proportion, with the value that it left with. */
function partOf({ variantId, locationId, takes, debt }: Outstanding, quantity: Decimal): Returning {
  const owed = debt ? debt.quantity.min(quantity) : Decimal.zero;
  const forgiven =
    debt && owed.isPositive
      ? { ...debt, quantity: owed, value: valueShare(debt.value, debt.quantity, owed) }
      : undefined;
  return { variantId, locationId, forgiven, takes: spread(takes, quantity.minus(owed)) };
}

function spread(takes: readonly Taken[], quantity: Decimal): Taken[] {
  if (!quantity.isPositive) return [];
  const weights = takes.map((taken) => taken.quantity);
  const parts = Decimal.allocate(quantity, weights, QUANTITY_DECIMALS);
  return takes.flatMap((taken, index) => {
    const part = parts[index] ?? Decimal.zero;
    return part.isPositive ? [{ ...taken, quantity: part, value: valueShare(taken.value, taken.quantity, part) }] : [];
  });
}
