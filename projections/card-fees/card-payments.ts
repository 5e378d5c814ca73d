import type { CardFeeEvent, CardType, FeeChanges } from '../../src/features/card-fees/events.js';
import { cardFeeEvents, placeOf } from '../../src/features/card-fees/events.js';
import type { InventoryEvent, Payment } from '../../src/features/inventory/events.js';
import { inventoryEvents } from '../../src/features/inventory/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { memoise } from '../../src/kernel/values/memoise.js';
import {
  recordCollection,
  recordProjector,
  rowCollection,
  rowProjector,
} from '../../src/kernel/projections/projector.js';

/**
 * The card payments of each day with the fees in force. Some hundred sales share a document, so that a month of them is read in a
 * moment and a recalculation rewrites a document for a hundred payments. Lists in place of objects keep them short.
 */

export interface PaymentKind {
  readonly cardBrandId: string | null;
  readonly cardType: CardType;
  readonly installments: number;
}

/** Whose rate a fee was computed with. Everything is null of a payment that never had one. */
export interface AppliedTerms {
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly feePercent: number | null;
  readonly fixedFee: number | null;
}

/** The fee before the last recalculation that changed it, the terms of that, and the position of the change. */
type Before = readonly [fee: number | null, terms: number, position: string];

/** `kind` and `terms` are places in the document's lists; `payment` is which one of the sale. */
export type PaymentEntry = readonly [
  payment: number,
  amount: number,
  kind: number,
  terms: number,
  fee: number | null,
  before?: Before,
];

type SaleEntry = readonly [
  saleId: string,
  number: number,
  /** The position of the sale's fact. */
  position: string,
  payments: readonly PaymentEntry[],
];

export interface CardPaymentsDocument {
  /** The place: see `placeOf`. */
  readonly id: string;
  readonly occurredOn: string;
  readonly kinds: readonly PaymentKind[];
  readonly terms: readonly AppliedTerms[];
  readonly sales: readonly SaleEntry[];
}

export const cardPayments = recordCollection<CardPaymentsDocument>({
  name: 'card-payments',
  version: 1,
  hidden: [],
  columns: { place: { type: 'text', of: ({ id }) => id } },
  indexes: [['place']],
});

/** A list to which something is added once, and where in it that stands. */
function placed<T extends object>(
  list: readonly T[],
  item: T,
  names: readonly (keyof T)[],
): { readonly list: readonly T[]; readonly index: number } {
  const index = list.findIndex((known) => names.every((name) => known[name] === item[name]));
  return index >= 0 ? { list, index } : { list: [...list, item], index: list.length };
}

const KIND = ['cardBrandId', 'cardType', 'installments'] as const;
const TERMS = ['feePercent', 'accountId', 'fixedFee', 'accountName'] as const;

const CARD_TYPE_OF: Readonly<Partial<Record<Payment['method'], CardType>>> = { DEBIT: 'debit', CREDIT: 'credit' };

const cardsOf = (payments: readonly Payment[]) =>
  payments.flatMap((payment, index) => {
    const cardType = CARD_TYPE_OF[payment.method];
    return cardType === undefined ? [] : [{ payment, index, cardType }];
  });

const termsOf = ({ feePercent, feeTerms }: Payment): AppliedTerms => ({
  accountId: feeTerms?.accountId ?? null,
  accountName: feeTerms?.accountName ?? null,
  feePercent: feePercent?.toNumber() ?? null,
  fixedFee: feeTerms?.fixedFee.toNumber() ?? null,
});

type SaleCompleted = Recorded<Extract<InventoryEvent, { type: 'SaleCompleted' }>>;

function afterSale(
  document: CardPaymentsDocument | undefined,
  { data, position }: SaleCompleted,
  id: string,
): CardPaymentsDocument {
  const { saleId, number, occurredOn } = data;
  let { kinds, terms, sales } = document ?? { kinds: [], terms: [], sales: [] };
  if (document && sales.some(([known]) => known === saleId)) return document;
  const entries: PaymentEntry[] = [];
  for (const { payment, index, cardType } of cardsOf(data.payments)) {
    const { cardBrandId, amount, fee } = payment;
    const kind = placed(kinds, { cardBrandId, cardType, installments: payment.installments ?? 1 }, KIND);
    const applied = placed(terms, termsOf(payment), TERMS);
    kinds = kind.list;
    terms = applied.list;
    entries.push([index, amount.toNumber(), kind.index, applied.index, fee?.toNumber() ?? null]);
  }
  sales = [...sales, [saleId, number, position, entries]];
  return { id, occurredOn, kinds, terms, sales };
}

export type FeesRecalculated = Recorded<Extract<CardFeeEvent, { type: 'FeesRecalculated' }>>;

interface Change {
  readonly payment: number;
  readonly fee: number;
  readonly to: Pick<FeeChanges, 'feePercent' | 'fixedFee'>;
}

/** By place, then by sale. Worked out once an event. */
const changesOf = memoise(({ data }: FeesRecalculated): ReadonlyMap<string, ReadonlyMap<string, readonly Change[]>> => {
  const places = new Map<string, Map<string, Change[]>>();
  for (const to of data.changes) {
    for (const { saleId, number, payment, fee } of to.payments) {
      const place = placeOf(to.occurredOn, number);
      let sales = places.get(place);
      if (!sales) places.set(place, (sales = new Map<string, Change[]>()));
      const change = { payment, fee: fee.toNumber(), to };
      const known = sales.get(saleId);
      if (known) known.push(change);
      else sales.set(saleId, [change]);
    }
  }
  return places;
});

/** What it changed of one sale's payments. */
export const changesOfSale = (event: FeesRecalculated, place: string, saleId: string): readonly Change[] =>
  changesOf(event).get(place)?.get(saleId) ?? [];

function afterRecalculation(
  document: CardPaymentsDocument | undefined,
  event: FeesRecalculated,
  id: string,
): CardPaymentsDocument | undefined {
  const changed = changesOf(event).get(id);
  if (!document || !changed) return document;
  const { accountId, accountName } = event.data;
  let { terms } = document;
  const indexes = new Map<Change['to'], number>();
  const indexOf = (to: Change['to']): number => {
    const known = indexes.get(to);
    if (known !== undefined) return known;
    const { list, index } = placed(
      terms,
      { accountId, accountName, feePercent: to.feePercent.toNumber(), fixedFee: to.fixedFee.toNumber() },
      TERMS,
    );
    terms = list;
    indexes.set(to, index);
    return index;
  };
  const sales = document.sales.map((sale): SaleEntry => {
    const changes = changed.get(sale[0]);
    if (!changes) return sale;
    return [sale[0], sale[1], sale[2], sale[3].map((entry) => afterChange(entry, changes, event.position, indexOf))];
  });
  return { ...document, terms, sales };
}

function afterChange(
  entry: PaymentEntry,
  changes: readonly Change[],
  position: string,
  indexOf: (to: Change['to']) => number,
): PaymentEntry {
  const [payment, amount, kind, terms, fee, before] = entry;
  const change = changes.find((one) => one.payment === payment);
  if (!change || (before && before[2] >= position)) return entry;
  return [payment, amount, kind, indexOf(change.to), change.fee, [fee, terms, position]];
}

export const cardPaymentsProjector = recordProjector(cardPayments, [inventoryEvents, cardFeeEvents], {
  SaleCompleted: {
    ids: ({ data }) => (cardsOf(data.payments).length > 0 ? [placeOf(data.occurredOn, data.number)] : []),
    evolve: afterSale,
  },
  FeesRecalculated: { ids: (event) => [...changesOf(event).keys()], evolve: afterRecalculation },
});

/** Sales that count nowhere any more, by the day on which they were made. */
export const cancelledSales = rowCollection({
  name: 'cancelled-sales',
  version: 1,
  columns: { occurredOn: 'text', saleId: 'id', position: 'text' },
  indexes: [['occurredOn']],
});

export const cancelledSalesProjector = rowProjector(cancelledSales, [inventoryEvents], {
  SaleCancelled: ({ data: { saleId, occurredOn }, position }) => [
    { key: saleId, values: { occurredOn, saleId, position } },
  ],
});

/** The brands that are in sales. */
export const usedCardBrands = recordCollection<{ readonly id: string }>({
  name: 'used-card-brands',
  version: 1,
  hidden: [],
  columns: {},
  indexes: [],
});

export const usedCardBrandsProjector = recordProjector(usedCardBrands, [inventoryEvents], {
  SaleCompleted: {
    ids: ({ data }) => [
      ...new Set(data.payments.flatMap(({ cardBrandId }) => (cardBrandId === null ? [] : [cardBrandId]))),
    ],
    evolve: (document, _event, id) => document ?? { id },
  },
});
