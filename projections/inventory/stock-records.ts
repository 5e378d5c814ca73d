import type { Entry, InventoryEvent, Taken } from '../../src/features/inventory/events.js';
import { inventoryEvents } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Actor, Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { foldText } from '../../src/kernel/values/words.js';
import { wordOfId } from './parts/id-words.js';

/** Receipts, adjustments and transfers as they were written, each with its items, its reason and who wrote it. */

export type StockRecordKind = 'RECEIPT' | 'ADJUSTMENT' | 'TRANSFER';

interface Item {
  readonly variantId: string;
  readonly lotId: string;
  readonly lotCode: string | null;
  /** Signed in an adjustment, as the value is. */
  readonly quantity: number;
  readonly unitCost: number;
  readonly value: number;
}

interface ReceivedLot extends Item {
  readonly expiresAt: string | null;
  readonly averageCost: number;
  readonly balance: number;
}

interface Common {
  readonly id: string;
  readonly createdAt: string;
  readonly createdBy: Actor;
  /** Becomes the entity tag. */
  readonly revision: number;
}

interface ReceiptDocument extends Common {
  readonly kind: 'RECEIPT';
  readonly locationId: string;
  readonly supplier: string | null;
  readonly document: string | null;
  readonly items: readonly ReceivedLot[];
}

interface AdjustmentDocument extends Common {
  readonly kind: 'ADJUSTMENT';
  readonly locationId: string;
  readonly reason: string;
  readonly countId: string | null;
  readonly items: readonly Item[];
}

interface TransferDocument extends Common {
  readonly kind: 'TRANSFER';
  readonly fromLocationId: string;
  readonly toLocationId: string;
  readonly items: readonly Item[];
}

type StockRecord = ReceiptDocument | AdjustmentDocument | TransferDocument;

const foldedOrNull = (text: string | null): string | null => (text === null ? null : foldText(text));

export const stockRecords = recordCollection<StockRecord>({
  name: 'stock-records',
  version: 2,
  hidden: ['kind', 'revision'],
  columns: {
    kind: { type: 'text', of: ({ kind }) => kind },
    createdAt: { type: 'text', of: ({ createdAt }) => createdAt },
    supplier: { type: 'text', of: (record) => (record.kind === 'RECEIPT' ? foldedOrNull(record.supplier) : null) },
    document: { type: 'text', of: (record) => (record.kind === 'RECEIPT' ? foldedOrNull(record.document) : null) },
    countId: { type: 'id', of: (record) => (record.kind === 'ADJUSTMENT' ? record.countId : null) },
  },
  indexes: [
    ['kind', 'createdAt'],
    ['kind', 'supplier', 'createdAt'],
    ['kind', 'document', 'createdAt'],
    ['kind', 'countId', 'createdAt'],
  ],
  /** By which variants and lots are looked for. */
  words: ({ items }) => items.flatMap(({ variantId, lotId }) => [wordOfId(variantId), wordOfId(lotId)]).join(' '),
});

type Moved = Pick<Taken, 'lotId' | 'lotCode' | 'quantity' | 'value'>;

const MONEY_DECIMALS = 10;

/** What left has a negative quantity and value; the unit cost is for display, never multiplied back. */
function itemOf(variantId: string, { lotId, lotCode, quantity, value }: Moved, sign: 1 | -1 = 1): Item {
  const signed = (amount: Decimal) => (sign === 1 ? amount : amount.negated());
  return {
    variantId,
    lotId,
    lotCode,
    quantity: signed(quantity).toNumber(),
    unitCost: (quantity.isZero ? Decimal.zero : value.dividedBy(quantity)).toNumber(),
    value: signed(value).round(MONEY_DECIMALS).toNumber(),
  };
}

const receivedLot = (entry: Entry): ReceivedLot => ({
  ...itemOf(entry.variantId, entry),
  expiresAt: entry.expiresAt,
  averageCost: entry.averageCost.toNumber(),
  balance: entry.balance.toNumber(),
});

type Fact<T extends InventoryEvent['type']> = Recorded<Extract<InventoryEvent, { readonly type: T }>>;

const commonOf = ({ meta, revision }: Recorded<InventoryEvent>) => ({
  createdAt: meta.at,
  createdBy: meta.actor,
  revision,
});

/** A receipt from its fact: commands are answered with it as well. */
const receiptOf = (event: Fact<'StockReceived'>): ReceiptDocument => ({
  kind: 'RECEIPT',
  id: event.data.receiptId,
  locationId: event.data.entries[0]?.locationId ?? '',
  supplier: event.data.supplier,
  document: event.data.document,
  items: event.data.entries.map(receivedLot),
  ...commonOf(event),
});

function adjustmentOf(event: Fact<'StockAdjusted'>): AdjustmentDocument {
  const { adjustmentId, reason, countId = null, issues, entries } = event.data;
  const taken = issues.flatMap(({ variantId, takes }) => takes.map((one) => itemOf(variantId, one, -1)));
  return {
    kind: 'ADJUSTMENT',
    id: adjustmentId,
    locationId: (issues[0] ?? entries[0])?.locationId ?? '',
    reason,
    countId,
    items: [...taken, ...entries.map((entry) => itemOf(entry.variantId, entry))],
    ...commonOf(event),
  };
}

const transferOf = (event: Fact<'StockTransferred'>): TransferDocument => ({
  kind: 'TRANSFER',
  id: event.data.transferId,
  fromLocationId: event.data.fromLocationId,
  toLocationId: event.data.toLocationId,
  items: event.data.arrivals.map((arrival) => itemOf(arrival.variantId, arrival)),
  ...commonOf(event),
});

/** What an event writes; nothing where it is of another kind. */
export function recordsOf(event: Recorded<InventoryEvent>): readonly StockRecord[] {
  switch (event.type) {
    case 'StockReceived':
      return [receiptOf(event)];
    case 'StockAdjusted':
      return [adjustmentOf(event)];
    case 'StockTransferred':
      return [transferOf(event)];
    default:
      return [];
  }
}

export const stockRecordsProjector = recordProjector(stockRecords, [inventoryEvents], {
  StockReceived: { ids: ({ data }) => [data.receiptId], evolve: (_, event) => receiptOf(event) },
  StockAdjusted: { ids: ({ data }) => [data.adjustmentId], evolve: (_, event) => adjustmentOf(event) },
  StockTransferred: { ids: ({ data }) => [data.transferId], evolve: (_, event) => transferOf(event) },
});
