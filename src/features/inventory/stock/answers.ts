import { z } from 'zod';
import { MOVEMENT_KINDS } from '../../../../projections/inventory/parts/stock-facts.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { Recorded } from '../../../kernel/events/event.js';
import type { Entry, InventoryEvent, InventoryFact, Issue, Taken } from '../events.js';

/** What requests about the stock are answered with. */

const amount = z.number();
const moment = z.iso.datetime();

const batch = { variantId: z.uuid(), lotId: z.uuid(), lotCode: z.string().nullable() };

const LOT_ORIGINS = ['RECEIPT', 'PRODUCTION', 'OPENING', 'ADJUSTMENT'] as const;

const lot = z.object({
  lotId: z.uuid(),
  lotCode: z.string().nullable(),
  variantId: z.uuid(),
  receivedAt: moment,
  expiresAt: moment.nullable(),
  status: z.enum(['AVAILABLE', 'BLOCKED']),
  origin: z.enum(LOT_ORIGINS),
  originId: z.uuid(),
});
export const lotAnswer = lot.meta({ id: 'Lot' });

export const heldLot = lot
  .extend({ locationId: z.uuid(), quantity: amount, unitCost: amount.nullable() })
  .meta({ id: 'HeldLot' });
export type HeldLot = z.output<typeof heldLot>;

export const balanceAnswer = z
  .object({ variantId: z.uuid(), locationId: z.uuid(), quantity: amount, averageCost: amount.nullable() })
  .meta({ id: 'StockBalance' });

export const movementAnswer = z
  .object({
    id: z.string().meta({ description: 'Opaque; stays the same' }),
    variantId: z.uuid(),
    lotId: z.uuid().nullable().meta({ description: 'null for goods that are owed' }),
    locationId: z.uuid(),
    quantity: amount,
    balance: amount.meta({ description: 'What the location holds of the variant afterwards' }),
    at: moment,
    kind: z.enum(MOVEMENT_KINDS),
    sourceId: z.uuid().meta({ description: 'The receipt, adjustment, transfer, sale or order' }),
  })
  .meta({ id: 'StockMovement' });

const entered = z.object({
  ...batch,
  expiresAt: moment.nullable(),
  quantity: amount,
  unitCost: amount,
  averageCost: amount,
  balance: amount,
});
export const receiptAnswer = z
  .object({
    id: z.uuid(),
    locationId: z.uuid(),
    supplier: z.string().nullable(),
    document: z.string().nullable(),
    items: z.array(entered),
    createdAt: moment,
  })
  .meta({ id: 'Receipt' });

export const adjustmentAnswer = z
  .object({
    id: z.uuid(),
    reason: z.string(),
    locationId: z.uuid(),
    items: z.array(z.object({ ...batch, quantity: amount, unitCost: amount })),
    createdAt: moment,
  })
  .meta({ id: 'Adjustment' });

export const transferAnswer = z
  .object({
    id: z.uuid(),
    fromLocationId: z.uuid(),
    toLocationId: z.uuid(),
    items: z.array(z.object({ ...batch, quantity: amount })),
    createdAt: moment,
  })
  .meta({ id: 'Transfer' });

/** The fact of the one kind that a command records. */
function factOf<T extends InventoryEvent['type']>(
  events: readonly Recorded<InventoryEvent>[],
  type: T,
): { readonly data: InventoryFact<T>; readonly at: string; readonly etag: number } {
  const event = events.find((one) => one.type === type);
  if (!event) throw new Error(`${type} was not recorded`);
  return { data: event.data as InventoryFact<T>, at: event.meta.at, etag: event.revision };
}

/** Derived for display, never multiplied back. */
export const unitCostOf = ({ quantity, value }: { readonly quantity: Decimal; readonly value: Decimal }): number =>
  (quantity.isZero ? Decimal.zero : value.dividedBy(quantity)).toNumber();

type Moved = Pick<Taken, 'lotId' | 'lotCode' | 'quantity' | 'value'>;

const movedLot = (variantId: string, { lotId, lotCode, quantity, value }: Moved, signed = quantity) => ({
  ...{ variantId, lotId, lotCode },
  quantity: signed.toNumber(),
  unitCost: unitCostOf({ quantity, value }),
});

const enteredLot = (entry: Entry) => ({
  ...movedLot(entry.variantId, entry),
  expiresAt: entry.expiresAt,
  averageCost: entry.averageCost.toNumber(),
  balance: entry.balance.toNumber(),
});

const takenLots = ({ variantId, takes }: Issue) =>
  takes.map((taken) => movedLot(variantId, taken, taken.quantity.negated()));

export function receiptReply(events: readonly Recorded<InventoryEvent>[], locationId: string) {
  const { data, at, etag } = factOf(events, 'StockReceived');
  const { receiptId: id, supplier, document, entries } = data;
  return { body: { id, locationId, supplier, document, items: entries.map(enteredLot), createdAt: at }, etag };
}

export function adjustmentReply(events: readonly Recorded<InventoryEvent>[], locationId: string) {
  const { data, at, etag } = factOf(events, 'StockAdjusted');
  const { adjustmentId: id, reason, entries, issues } = data;
  const items = [...issues.flatMap(takenLots), ...entries.map((entry) => movedLot(entry.variantId, entry))];
  return { body: { id, reason, locationId, items, createdAt: at }, etag };
}

export function transferReply(events: readonly Recorded<InventoryEvent>[]) {
  const { data, at, etag } = factOf(events, 'StockTransferred');
  const { transferId: id, fromLocationId, toLocationId, arrivals } = data;
  const items = arrivals.map(({ variantId, lotId, lotCode, quantity }) => ({
    ...{ variantId, lotId, lotCode },
    quantity: quantity.toNumber(),
  }));
  return { body: { id, fromLocationId, toLocationId, items, createdAt: at }, etag };
}
