import type { SoldLotsDocument } from '../../../projections/traceability/sold-lots.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { StoreReads } from '../../kernel/routes/request-context.js';
import { readTogether } from '../../kernel/values/json-texts.js';

/** The sold lines of many lots in the order of the lots, then of their sale, read without ever asking lot by lot. */

/** What one line of a sale took of one lot. */
export interface SoldLot extends Omit<SoldLotsDocument, 'lines'> {
  readonly line: number;
  readonly lotId: string;
  readonly variantId: string;
  readonly locationId: string;
  readonly quantity: string;
  readonly returnedQuantity: string;
}

/** How much was sold of a lot. */
export interface CountedLot {
  readonly lotId: string;
  /** Some sales have two lines of the same lot. */
  readonly sales: number;
  readonly lines: number;
}

/** Whole neighbouring lots that are read together, or some lines of one lot. */
type Span = readonly CountedLot[] | { readonly lot: CountedLot; readonly offset: number; readonly limit: number };

const BY_SALE = { column: 'soldAt', direction: 'asc' } as const;

interface Rows {
  readonly rows: readonly SoldLot[];
  /** Whether there are more sales of the lots by now than were counted: any of them may be missing then. */
  readonly isOutdated: boolean;
}

export async function soldPage(
  reads: StoreReads,
  lots: readonly CountedLot[],
  offset: number,
  limit: number,
): Promise<Rows> {
  const spans = spansOf(lots, offset, limit);
  const pages = await Promise.all(
    spans.map(async (span) =>
      'lot' in span ? { rows: await partOf(reads, span), isOutdated: false } : wholeLots(reads, span, 1),
    ),
  );
  return {
    rows: pages.flatMap(({ rows }) => rows).slice(0, limit),
    isOutdated: pages.some(({ isOutdated }) => isOutdated),
  };
}

/** At most three: the rest of a first lot, whole lots, the beginning of a last one. */
function spansOf(lots: readonly CountedLot[], offset: number, limit: number): Span[] {
  const spans: Span[] = [];
  let whole: CountedLot[] = [];
  const closeWhole = () => {
    if (whole.length > 0) spans.push(whole);
    whole = [];
  };
  let skip = offset;
  let wanted = limit;
  for (const lot of lots) {
    if (wanted === 0) break;
    const skipped = Math.min(skip, lot.lines);
    skip -= skipped;
    const taken = Math.min(lot.lines - skipped, wanted);
    if (taken === 0) continue;
    wanted -= taken;
    if (taken === lot.lines) {
      whole.push(lot);
    } else {
      closeWhole();
      spans.push({ lot, offset: skipped, limit: taken });
    }
  }
  closeWhole();
  return spans;
}

/** What was sold meanwhile need not come last: no more than `more` sales of it are given as well. */
async function wholeLots(reads: StoreReads, lots: readonly CountedLot[], more: number): Promise<Rows> {
  const counted = lots.reduce((sum, { sales }) => sum + sales, 0);
  const limit = counted + more;
  const [first] = lots;
  const lotIds = lots.map(({ lotId }) => lotId);
  const among = lots.length === 1 && first ? ofLot(first) : { oneOf: { column: 'lotId', values: lotIds } };
  const { items } = await reads.findBodies(soldLots, { ...among, sort: BY_SALE, limit });
  const places = new Map(lotIds.map((lotId, place) => [lotId, place]));
  const rows = linesIn(items, places);
  // The sort keeps the order in which the sales of one lot came.
  if (lots.length > 1) rows.sort((a, b) => (places.get(a.lotId) ?? 0) - (places.get(b.lotId) ?? 0));
  return { rows, isOutdated: items.length > counted };
}

/** Where a sale has two lines of the lot, only reading from the beginning tells which sale holds the line at a place. */
async function partOf(reads: StoreReads, { lot, offset, limit }: Exclude<Span, readonly CountedLot[]>) {
  if (lot.sales === lot.lines) {
    const { items } = await reads.findBodies(soldLots, { ...ofLot(lot), sort: BY_SALE, limit, offset });
    return linesIn(items, new Set([lot.lotId]));
  }
  const rows: SoldLot[] = [];
  for await (const some of allOfLot(reads, lot)) {
    rows.push(...some);
    if (rows.length >= offset + limit) break;
  }
  return rows.slice(offset, offset + limit);
}

const ofLot = ({ lotId }: CountedLot) => ({ equal: { lotId } });

/** What the sales took of these lots. */
function linesIn(bodies: readonly string[], lots: Pick<ReadonlySet<string>, 'has'>): SoldLot[] {
  const rows: SoldLot[] = [];
  for (const { saleId, customerId, soldAt, lines } of readTogether(bodies) as SoldLotsDocument[]) {
    for (const [line, lotId, variantId, locationId, quantity, returnedQuantity] of lines) {
      if (!lots.has(lotId)) continue;
      rows.push({ saleId, customerId, soldAt, line, lotId, variantId, locationId, quantity, returnedQuantity });
    }
  }
  return rows;
}

const CHUNK = 1_000;

/** All of them, some at a time: small lots together, large ones by cursor. */
export async function* allSold(reads: StoreReads, lots: readonly CountedLot[]): AsyncGenerator<readonly SoldLot[]> {
  let small: CountedLot[] = [];
  let lines = 0;
  const flush = async function* () {
    if (small.length > 0) yield (await wholeLots(reads, small, CHUNK)).rows;
    small = [];
    lines = 0;
  };
  for (const lot of lots) {
    if (lot.lines === 0) continue;
    if (lines + lot.lines > CHUNK) yield* flush();
    if (lot.lines > CHUNK) yield* allOfLot(reads, lot);
    else {
      small.push(lot);
      lines += lot.lines;
    }
  }
  yield* flush();
}

async function* allOfLot(reads: StoreReads, lot: CountedLot): AsyncGenerator<readonly SoldLot[]> {
  const query = { ...ofLot(lot), sort: BY_SALE, limit: CHUNK };
  const own = new Set([lot.lotId]);
  for await (const page of pagesOf((at) => reads.findBodies(soldLots, { ...query, ...at }))) yield linesIn(page, own);
}

export function quantitiesOf({ quantity, returnedQuantity }: SoldLot) {
  const sold = Decimal.from(quantity);
  const returned = Decimal.from(returnedQuantity);
  return { quantity: sold, returnedQuantity: returned, netQuantity: sold.minus(returned) };
}
