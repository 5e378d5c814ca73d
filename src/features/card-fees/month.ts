import { setImmediate as othersFirst } from 'node:timers/promises';
import type {
  AppliedTerms,
  CardPaymentsDocument,
  PaymentEntry,
  PaymentKind,
} from '../../../projections/card-fees/card-payments.js';
import { cancelledSales, cardPayments } from '../../../projections/card-fees/card-payments.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { StoreReads } from '../../kernel/routes/request-context.js';
import type { Position } from '../../ports/event-store.js';
import type { PaymentInForce } from './domain/recalculation.js';
import { monthAfter } from '../../kernel/values/days.js';

/** Documents that are read at once: some two thousand sales. */
const PAGE = 20;
const CANCELLED_PAGE = 1_000;

export type MonthReads = Pick<StoreReads, 'find' | 'findRows'>;

/** A month of card payments as they were at some position of the log. */
export interface MonthAsOf {
  readonly month: string;
  readonly asOf: Position;
}

export interface ShownPayment extends PaymentInForce {
  readonly terms: AppliedTerms;
}

/** Some payments that follow each other, and the place up to which they are all. */
export interface MonthPart {
  readonly upTo: string;
  readonly payments: readonly ShownPayment[];
}

const endOf = (month: string): string => `${monthAfter(month)}-`;

async function cancelledBy(reads: MonthReads, { month, asOf }: MonthAsOf): Promise<ReadonlySet<string>> {
  const cancelled = new Set<string>();
  const pages = pagesOf((at) =>
    reads.findRows(cancelledSales, {
      range: { column: 'occurredOn', from: `${month}-`, before: endOf(month) },
      sort: { column: 'occurredOn', direction: 'asc' },
      limit: CANCELLED_PAGE,
      ...at,
    }),
  );
  for await (const page of pages) {
    for (const { saleId, position } of page) if (String(position) <= asOf) cancelled.add(String(saleId));
  }
  return cancelled;
}

/** The card payments of the month's completed sales, in pages, from behind a place on; cancelled sales count nowhere. */
export async function* paymentsOf(reads: MonthReads, as: MonthAsOf, after = ''): AsyncGenerator<MonthPart> {
  const cancelled = await cancelledBy(reads, as);
  const start = after === '' ? { from: `${as.month}-` } : { after };
  const pages = pagesOf(async (at) => {
    // Pages that are kept come at once: without a pause a large month would hold up everybody else.
    if (at.cursor !== undefined) await othersFirst();
    return reads.find(cardPayments, {
      range: { column: 'place', ...start, before: endOf(as.month) },
      sort: { column: 'place', direction: 'asc' },
      limit: PAGE,
      ...at,
    });
  });
  for await (const page of pages) {
    const payments: ShownPayment[] = [];
    for (const { body } of page) addPayments(payments, JSON.parse(body) as CardPaymentsDocument, as, cancelled);
    const last = page.at(-1);
    if (last) yield { upTo: last.id, payments };
  }
}

function addPayments(
  payments: ShownPayment[],
  { occurredOn, kinds, terms, sales }: CardPaymentsDocument,
  { asOf }: MonthAsOf,
  cancelled: ReadonlySet<string>,
): void {
  const percents = terms.map(({ feePercent }) => (feePercent === null ? null : Decimal.from(feePercent)));
  for (const [saleId, number, position, entries] of sales) {
    if (position > asOf || cancelled.has(saleId)) continue;
    for (const entry of entries) {
      const { fee, place } = feeAsOf(entry, asOf);
      payments.push({
        saleId,
        number,
        occurredOn,
        payment: entry[0],
        amount: Decimal.from(entry[1]),
        ...kindOf(kinds[entry[2]]),
        fee: fee === null ? null : Decimal.from(fee),
        feePercent: percents[place] ?? null,
        terms: terms[place] ?? NO_TERMS,
      });
    }
  }
}

const NO_TERMS: AppliedTerms = { accountId: null, accountName: null, feePercent: null, fixedFee: null };
const NO_KIND: PaymentKind = { cardBrandId: null, cardType: 'credit', installments: 1 };

const kindOf = (kind = NO_KIND): PaymentKind => kind;

/** What changed later is not seen; one change back is known, and a month is recalculated by one job at a time. */
function feeAsOf([, , , terms, fee, before]: PaymentEntry, asOf: Position): { fee: number | null; place: number } {
  if (before && before[2] > asOf) return { fee: before[0], place: before[1] };
  return { fee, place: terms };
}
