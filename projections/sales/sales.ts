import { placeOf } from '../../src/features/card-fees/events.js';
import type {
  Entry,
  InventoryEvent,
  Payment,
  ReturnedLine,
  SaleLine,
  Settlement,
} from '../../src/features/inventory/events.js';
import { inventoryEvents, settlementsOf } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Actor, Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { TYPICAL_SALE } from './parts/typical-sale.js';
import { salesTotals } from './parts/sales-totals.js';
import type { LineCosts } from './parts/sold-costs.js';
import { costsAfterReturn, costsAfterSettling, costsWhenSold } from './parts/sold-costs.js';

/** A sale with everything that happened to it, but for the customer's name: that lies where it can be erased. */

interface SoldLot {
  readonly variantId: string;
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly quantity: number;
}

interface SaleItem {
  readonly variantId: string;
  readonly productId: string;
  readonly description: string;
  readonly unit: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discount: number;
  readonly total: number;
  readonly returnedQuantity: number;
  /** Those that made a debt good later included. */
  readonly lots: readonly (SoldLot & { readonly settledLater: boolean })[];
  /** What was sold without being there and has not come in yet. */
  readonly owed: readonly { readonly variantId: string; readonly quantity: number }[];
}

interface SaleReturn {
  readonly id: string;
  readonly at: string;
  readonly reason: string | null;
  /** To refund. */
  readonly total: number;
  readonly items: readonly {
    readonly line: number;
    readonly variantId: string;
    readonly quantity: number;
    readonly total: number;
    readonly lots: readonly SoldLot[];
  }[];
}

/** A payment with the fee in force; `previousFee` and `previousFeePercent` are there once it was recalculated. */
export interface ShownPayment extends Omit<Shown<Payment>, 'feeTerms'> {
  readonly change: number | null;
  /** The machine whose rate counts. */
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly fixedFee: number | null;
  readonly previousFee?: number | null;
  readonly previousFeePercent?: number | null;
}

type Shown<T> = { readonly [K in keyof T]: T[K] extends Decimal | null ? number | Exclude<T[K], Decimal> : T[K] };

export interface SaleDocument {
  readonly id: string;
  readonly customerId: string | null;
  readonly number: number;
  readonly status: 'COMPLETED' | 'CANCELLED';
  readonly locationId: string;
  readonly occurredAt: string;
  /** Its day in the store's time zone. */
  readonly occurredOn: string;
  readonly items: readonly SaleItem[];
  readonly payments: readonly ShownPayment[];
  readonly total: number;
  readonly returnedTotal: number;
  readonly returns: readonly SaleReturn[];
  readonly cancelledAt: string | null;
  readonly cancelReason: string | null;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Becomes the entity tag. */
  readonly revision: number;
  /** The revisions of every event that touched it, settlements of what it owed included. */
  readonly revisions: readonly number[];
  /** Where the index of card payments keeps its own; null of a sale without any. */
  readonly cardPlace: string | null;
  readonly costs: LineCosts;
}

export const sales = recordCollection<SaleDocument>({
  name: 'sales',
  version: 5,
  hidden: ['occurredOn', 'revision', 'revisions', 'cardPlace', 'costs'],
  columns: {
    number: { type: 'integer', of: ({ number }) => number },
    occurredAt: { type: 'text', of: ({ occurredAt }) => occurredAt },
    customerId: { type: 'id', of: ({ customerId }) => customerId },
    status: { type: 'text', of: ({ status }) => status },
  },
  isWrittenOnce: true,
  indexes: [['number'], ['occurredAt'], ['customerId', 'occurredAt'], ['status', 'occurredAt']],
  typicalBody: TYPICAL_SALE,
  totals: salesTotals,
  totalsById: true,
});

const sum = (a: number, b: Decimal): number => Decimal.from(a).plus(b).toNumber();

const lotOf = (
  variantId: string,
  { lotId, lotCode, quantity }: Omit<SoldLot, 'quantity' | 'variantId'> & { readonly quantity: Decimal },
) => ({
  variantId,
  lotId,
  lotCode,
  quantity: quantity.toNumber(),
});

const itemOf = (line: SaleLine): SaleItem => ({
  variantId: line.variantId,
  productId: line.productId,
  description: line.description,
  unit: line.unit,
  quantity: line.quantity.toNumber(),
  unitPrice: line.unitPrice.toNumber(),
  discount: line.discount.toNumber(),
  total: line.total.toNumber(),
  returnedQuantity: 0,
  lots: line.issues.flatMap(({ variantId, takes }) =>
    takes.map(({ lotId, lotCode, quantity }) => ({
      variantId,
      lotId,
      lotCode,
      quantity: quantity.toNumber(),
      settledLater: false,
    })),
  ),
  owed: line.issues.flatMap(({ variantId, debt }) => (debt ? [{ variantId, quantity: debt.quantity.toNumber() }] : [])),
});

const paymentOf = (payment: Payment): ShownPayment => ({
  method: payment.method,
  amount: payment.amount.toNumber(),
  cardBrandId: payment.cardBrandId,
  installments: payment.installments,
  feePercent: payment.feePercent?.toNumber() ?? null,
  fee: payment.fee?.toNumber() ?? null,
  feePending: payment.feePending,
  accountId: payment.feeTerms?.accountId ?? null,
  accountName: payment.feeTerms?.accountName ?? null,
  fixedFee: payment.fee && payment.feeTerms ? payment.feeTerms.fixedFee.toNumber() : null,
  tendered: payment.tendered?.toNumber() ?? null,
  change: payment.tendered?.minus(payment.amount).toNumber() ?? null,
  authorizationCode: payment.authorizationCode,
  endToEndId: payment.endToEndId,
  description: payment.description,
});

const isCard = ({ method }: Payment): boolean => method === 'DEBIT' || method === 'CREDIT';

function completed({
  data,
  meta,
  revision,
}: Recorded<Extract<InventoryEvent, { type: 'SaleCompleted' }>>): SaleDocument {
  return {
    id: data.saleId,
    customerId: data.customerId,
    number: data.number,
    status: 'COMPLETED',
    locationId: data.locationId,
    occurredAt: data.occurredAt,
    occurredOn: data.occurredOn,
    items: data.lines.map(itemOf),
    payments: data.payments.map(paymentOf),
    total: data.total.toNumber(),
    returnedTotal: 0,
    returns: [],
    cancelledAt: null,
    cancelReason: null,
    createdBy: meta.actor,
    createdAt: meta.at,
    updatedAt: meta.at,
    revision,
    revisions: [revision],
    cardPlace: data.payments.some(isCard) ? placeOf(data.occurredOn, data.number) : null,
    costs: costsWhenSold(data.lines),
  };
}

type Owed = SaleItem['owed'];

const lessOwed = (
  owed: Owed,
  { variantId, quantity }: { readonly variantId: string; readonly quantity: Decimal },
): Owed =>
  owed.flatMap((debt) => {
    if (debt.variantId !== variantId) return [debt];
    const left = sum(debt.quantity, quantity.negated());
    return left > 0 ? [{ variantId, quantity: left }] : [];
  });

const afterReturn = (item: SaleItem, { quantity, forgiven }: ReturnedLine): SaleItem => ({
  ...item,
  returnedQuantity: sum(item.returnedQuantity, quantity),
  owed: forgiven.reduce(lessOwed, item.owed),
});

function afterSettling(item: SaleItem, entry: Entry, { quantity }: Settlement): SaleItem {
  const { variantId, lotId } = entry;
  const known = item.lots.find((lot) => lot.settledLater && lot.lotId === lotId);
  const lots = known
    ? item.lots.map((lot) => (lot === known ? { ...lot, quantity: sum(lot.quantity, quantity) } : lot))
    : [...item.lots, { ...lotOf(variantId, { ...entry, quantity }), settledLater: true }];
  return { ...item, lots, owed: lessOwed(item.owed, { variantId, quantity }) };
}

export const returnOf = ({ data, meta }: Recorded<Extract<InventoryEvent, { type: 'SaleReturned' }>>): SaleReturn => ({
  id: data.returnId,
  at: meta.at,
  reason: data.reason,
  total: data.total.toNumber(),
  items: data.lines.map(({ line, variantId, quantity, total, entries }) => ({
    line,
    variantId,
    quantity: quantity.toNumber(),
    total: total.toNumber(),
    lots: entries.map((entry) => lotOf(entry.variantId, entry)),
  })),
});

/** The sale's own facts; settlements that they make come after them. */
function afterOwnFact(sale: SaleDocument, event: Recorded<InventoryEvent>): SaleDocument {
  if ((event.type !== 'SaleReturned' && event.type !== 'SaleCancelled') || event.data.saleId !== sale.id) return sale;
  const { lines } = event.data;
  const { revision, meta } = event;
  const costs = costsAfterReturn(sale.costs, lines);
  if (event.type === 'SaleCancelled') {
    const items = sale.items.map((item) => ({ ...item, owed: [] }));
    const cancelled = { cancelledAt: meta.at, cancelReason: event.data.reason };
    return { ...sale, ...cancelled, items, costs, status: 'CANCELLED', updatedAt: meta.at, revision };
  }
  const items = sale.items.map((item, index) =>
    lines.filter(({ line }) => line === index).reduce((current, back) => afterReturn(current, back), item),
  );
  const returns = [...sale.returns, returnOf(event)];
  const returnedTotal = sum(sale.returnedTotal, event.data.total);
  return { ...sale, items, costs, returns, returnedTotal, updatedAt: meta.at, revision };
}

function afterEntries(sale: SaleDocument, event: InventoryEvent): SaleDocument {
  const settlements = settlementsOf(event, 'SALE');
  if (settlements.length === 0) return sale;
  const items = [...sale.items];
  let { costs } = sale;
  for (const { entry, settled } of settlements) {
    const item = settled.originId === sale.id ? items[settled.line] : undefined;
    if (!item) continue;
    items[settled.line] = afterSettling(item, entry, settled);
    costs = costsAfterSettling(costs, settled);
  }
  return { ...sale, items, costs };
}

/** A sale after a fact that touched it; the same fact again changes nothing. */
export function saleAfter(sale: SaleDocument | undefined, event: Recorded<InventoryEvent>): SaleDocument | undefined {
  if (!sale) return event.type === 'SaleCompleted' ? completed(event) : undefined;
  const { revision } = event;
  if (sale.revisions.includes(revision)) return sale;
  const after = afterEntries(afterOwnFact(sale, event), event);
  return { ...after, revisions: [...sale.revisions, revision] };
}

type OwnFact = Extract<
  InventoryEvent,
  { readonly type: 'SaleReturned' | 'SaleCancelled' | 'SaleTaxingBegan' | 'SaleTaxingEnded' }
>;

/** What happens to one sale alone. */
const isOwn = (event: InventoryEvent): event is OwnFact =>
  event.type === 'SaleReturned' ||
  event.type === 'SaleCancelled' ||
  event.type === 'SaleTaxingBegan' ||
  event.type === 'SaleTaxingEnded';

function touched(event: InventoryEvent): readonly string[] {
  const ids = new Set<string>();
  if (isOwn(event)) ids.add(event.data.saleId);
  for (const { settled } of settlementsOf(event, 'SALE')) ids.add(settled.originId);
  return [...ids];
}

const touching = <E extends Recorded<InventoryEvent>>(): RecordHandler<SaleDocument, E> => ({
  ids: touched,
  evolve: saleAfter,
});

export const salesProjector = recordProjector(sales, [inventoryEvents], {
  SaleCompleted: { ids: ({ data }) => [data.saleId], evolve: saleAfter },
  SaleReturned: touching(),
  SaleCancelled: touching(),
  SaleTaxingBegan: touching(),
  SaleTaxingEnded: touching(),
  StockOpened: touching(),
  StockReceived: touching(),
  StockAdjusted: touching(),
  StockTransferred: touching(),
  OrderCompleted: touching(),
  OrderReversed: touching(),
});
