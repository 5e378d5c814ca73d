import type { SoldLotDocument, SoldLotTotals } from '../../../projections/traceability/sold-lots.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import { totalsOf } from '../../kernel/projections/projector.js';
import type { StoreReads } from '../../kernel/routes/request-context.js';
import { inBatches } from '../../kernel/values/in-batches.js';

/** The sold lines of many lots in the order of the lots, then of their sale, read without ever asking lot by lot. */

export interface CountedLot {
  readonly lotId: string;
  readonly lines: number;
  readonly quantity: number;
  readonly returned: number;
}

const IDS_AT_ONCE = 5_000;

/** What was counted of each lot, in the order of the ids. */
export function countsOf(reads: StoreReads, lotIds: readonly string[]): Promise<readonly CountedLot[]> {
  return inBatches(lotIds, IDS_AT_ONCE, async (some) => {
    const bodies = await reads.getBodies(totalsOf(soldLots), some);
    const counted = JSON.parse(`[${bodies.map((body) => body ?? '{}').join(',')}]`) as readonly SoldLotTotals[];
    return some.map((lotId, index) => {
      const { lines = 0, quantity = 0, returned = 0 } = counted[index] ?? {};
      return { lotId, lines, quantity, returned };
    });
  });
}

/** Neighbouring lots that are read together, or a part of one lot. */
interface Span {
  readonly lotIds: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

const BY_SALE = { column: 'soldAt', direction: 'asc' } as const;

export async function soldPage(
  reads: StoreReads,
  lots: readonly CountedLot[],
  offset: number,
  limit: number,
): Promise<readonly SoldLotDocument[]> {
  const pages = await Promise.all(spansOf(lots, offset, limit).map((span) => readSpan(reads, span)));
  return pages.flat();
}

/** At most three: the rest of a first lot, whole lots, the beginning of a last one. */
function spansOf(lots: readonly CountedLot[], offset: number, limit: number): Span[] {
  const spans: Span[] = [];
  let whole: { lotIds: string[]; limit: number } = { lotIds: [], limit: 0 };
  const closeWhole = () => {
    if (whole.lotIds.length > 0) spans.push({ ...whole, offset: 0 });
    whole = { lotIds: [], limit: 0 };
  };
  let skip = offset;
  let wanted = limit;
  for (const { lotId, lines } of lots) {
    if (wanted === 0) break;
    const skipped = Math.min(skip, lines);
    skip -= skipped;
    const taken = Math.min(lines - skipped, wanted);
    if (taken === 0) continue;
    wanted -= taken;
    if (taken === lines) {
      whole.lotIds.push(lotId);
      whole.limit += lines;
    } else {
      closeWhole();
      spans.push({ lotIds: [lotId], offset: skipped, limit: taken });
    }
  }
  closeWhole();
  return spans;
}

async function readSpan(reads: StoreReads, { lotIds, offset, limit }: Span): Promise<SoldLotDocument[]> {
  const { items } = await reads.findBodies(soldLots, { ...among(lotIds), sort: BY_SALE, limit, offset });
  return inOrderOf(lotIds, documentsIn(items));
}

// One text of many is read in half the time of so many texts.
const documentsIn = (bodies: readonly string[]): SoldLotDocument[] =>
  JSON.parse(`[${bodies.join(',')}]`) as SoldLotDocument[];

const among = (lotIds: readonly string[]) =>
  lotIds.length === 1 && lotIds[0] !== undefined
    ? { equal: { lotId: lotIds[0] } }
    : { oneOf: { column: 'lotId', values: lotIds } };

/** The sort keeps the order in which the rows of one lot came. */
function inOrderOf(lotIds: readonly string[], rows: SoldLotDocument[]): SoldLotDocument[] {
  if (lotIds.length === 1) return rows;
  const places = new Map(lotIds.map((lotId, place) => [lotId, place]));
  return rows.sort((a, b) => (places.get(a.lotId) ?? 0) - (places.get(b.lotId) ?? 0));
}

const CHUNK = 1_000;

/** All of them, some at a time: small lots together, large ones by cursor. */
export async function* allSold(
  reads: StoreReads,
  lots: readonly CountedLot[],
): AsyncGenerator<readonly SoldLotDocument[]> {
  let small: CountedLot[] = [];
  let lines = 0;
  const flush = async function* () {
    if (small.length > 0) yield await readSpan(reads, spanOf(small, lines));
    small = [];
    lines = 0;
  };
  for (const lot of lots) {
    if (lot.lines === 0) continue;
    if (lines + lot.lines > CHUNK) yield* flush();
    if (lot.lines > CHUNK) yield* byCursor(reads, lot.lotId);
    else {
      small.push(lot);
      lines += lot.lines;
    }
  }
  yield* flush();
}

const spanOf = (lots: readonly CountedLot[], limit: number): Span => ({
  lotIds: lots.map(({ lotId }) => lotId),
  offset: 0,
  limit,
});

async function* byCursor(reads: StoreReads, lotId: string): AsyncGenerator<readonly SoldLotDocument[]> {
  const query = { equal: { lotId }, sort: BY_SALE, limit: CHUNK };
  for await (const page of pagesOf((at) => reads.findBodies(soldLots, { ...query, ...at }))) yield documentsIn(page);
}

export function quantitiesOf({ quantity, returnedQuantity }: SoldLotDocument) {
  const sold = Decimal.from(quantity);
  const returned = Decimal.from(returnedQuantity);
  return { quantity: sold, returnedQuantity: returned, netQuantity: sold.minus(returned) };
}
