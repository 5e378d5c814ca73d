import type { HoldingDocument } from '../../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots, remainingOf } from '../../../../projections/inventory/lots.js';
import { boundedCache } from '../../../kernel/values/bounded-cache.js';
import { dayOf } from '../../../kernel/values/days.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { documentOf } from '../../../kernel/routes/stored-records.js';

/** Lots as answers show them. */

/** The moment that an answer is about, in a store's time zone. */
interface Moment {
  readonly at: string;
  readonly timeZone: string;
}

/** The same few expiries come again and again. */
const days = boundedCache<string>(5_000);

/** The last day on which it may be used, as labels have it. */
export function expiryDay(expiresAt: string | null, timeZone: string): string | null {
  if (expiresAt === null) return null;
  const key = `${expiresAt} ${timeZone}`;
  let day = days.get(key);
  if (day === undefined) days.set(key, (day = dayOf(Date.parse(expiresAt) - 1, timeZone)));
  return day;
}

/** Records whose items are lots that may expire, each with its day. */
export const withExpiryDays = (records: readonly object[], timeZone: string): readonly object[] =>
  records.map((record) => {
    const { items = [] } = record as { readonly items?: readonly { readonly expiresAt?: string | null }[] };
    const shown = items.map((item) =>
      item.expiresAt === undefined ? item : { ...item, expiresOn: expiryDay(item.expiresAt, timeZone) },
    );
    return { ...record, items: shown };
  });

export const lotDocument = (record: StoredRecord): LotDocument => documentOf(lots, record);

export const shownLot = (lot: LotDocument, { at, timeZone }: Moment) => ({
  lotId: lot.lotId,
  lotCode: lot.lotCode,
  variantId: lot.variantId,
  receivedAt: lot.receivedAt,
  expiresAt: lot.expiresAt,
  expiresOn: expiryDay(lot.expiresAt, timeZone),
  expired: lot.expiresAt !== null && lot.expiresAt <= at,
  status: lot.status,
  origin: lot.origin,
  originId: lot.originId,
  receiptId: lot.receiptId,
  supplier: lot.supplier,
  document: lot.document,
});

/** One lot with what is left of it, and who blocked or released it why. */
export const lotRecord = (lot: LotDocument, moment: Moment) => ({
  ...shownLot(lot, moment),
  quantity: remainingOf(lot).toNumber(),
  marks: lot.marks,
});

/** What a location holds of a lot. What is spent is shown at what it entered with; one of `hidden` has no cost. */
export function heldRow(lot: LotDocument, holding: HoldingDocument, moment: Moment, hidden: ReadonlySet<string>) {
  const { locationId, quantity, exact } = holding;
  const worth = quantity === 0 ? lot.totalsByCause.entered : exact;
  const row = { ...shownLot(lot, moment), locationId, quantity };
  return hidden.has(lot.lotId) ? row : { ...row, unitCost: worth ? unitCostOf(worth) : null };
}

function unitCostOf(worth: { readonly quantity: string; readonly value: string }): number {
  const quantity = Decimal.from(worth.quantity);
  return (quantity.isZero ? Decimal.zero : Decimal.from(worth.value).dividedBy(quantity)).toNumber();
}
