import { holdings } from '../../../projections/inventory/holdings.js';
import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../projections/inventory/lots.js';
import { lots as lotRecords, quantitiesByCause, remainingOf } from '../../../projections/inventory/lots.js';
import type { SoldLotTotals } from '../../../projections/traceability/sold-lots.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { totalsOf } from '../../kernel/projections/projector.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import { inBatches } from '../../kernel/values/batches.js';
import { readTogether } from '../../kernel/values/json-texts.js';
import type { KindOfKnown, Known } from '../../ports/read-models.js';
import type { Held, KnownLot, Led } from './found-lots.js';
import type { LotLabel } from './lots.js';

const BYTES_OF_A_LOT = 550;
const BYTES_OF_A_HOLDING = 150;

const KNOWN_LOT: KindOfKnown<KnownLot | null> = {
  name: 'lot of a recall',
  about: [lotRecords, soldLots, holdings],
  takes: (lot) => BYTES_OF_A_LOT + (lot?.held.length ?? 0) * BYTES_OF_A_HOLDING,
};

const LOTS_AT_ONCE = 2_500;

/** In their order; of what is not known nothing is given. */
export async function knownLots(context: RequestContext, reached: readonly Known<Led>[]): Promise<readonly KnownLot[]> {
  const known = context.reads.knownOfEach(KNOWN_LOT, (missing) =>
    inBatches(missing, LOTS_AT_ONCE, (some) => readLots(context, some)),
  );
  const found = await known.of(reached.map(({ subject, value }) => value.lot ?? subject));
  const lots: KnownLot[] = [];
  for (const [index, lot] of found.entries()) {
    const stop = reached[index];
    if (stop) stop.value.lot = lot;
    if (lot.value) lots.push(lot.value);
  }
  return lots;
}

type Totals = Pick<LotDocument, 'totalsByCause'>;

/** The same of lots whose documents are at hand. */
export const knownOfDocuments = (
  { reads }: RequestContext,
  documents: readonly LotDocument[],
): Promise<readonly KnownLot[]> =>
  inBatches(documents, LOTS_AT_ONCE, async (some) => {
    const left = some.filter((lot) => remainingOf(lot).isPositive).map(({ lotId }) => lotId);
    const [counts, held] = await Promise.all([
      reads.getBodies(
        totalsOf(soldLots),
        some.map(({ lotId }) => lotId),
      ),
      heldByLot(reads, left),
    ]);
    const counted = readTogether(counts) as readonly (SoldLotTotals | null)[];
    return some.map((lot, index) => knownLot(lot, lot, counted[index], held.get(lot.lotId)));
  });

async function readLots({ reads }: RequestContext, ids: readonly string[]): Promise<readonly (KnownLot | null)[]> {
  const [counts, hidden, columns] = await Promise.all([
    reads.getBodies(totalsOf(soldLots), ids),
    reads.getHidden(lotRecords, ids),
    reads.getColumns(lotRecords, ids, ['lotCode', 'variantId', 'left']),
  ]);
  const left = ids.filter((_id, index) => columns[index]?.left === 1);
  const held = await heldByLot(reads, left);
  const counted = readTogether(counts) as readonly (SoldLotTotals | null)[];
  const totals = readTogether(hidden) as readonly (Totals | null)[];
  return ids.map((lotId, index) => {
    const found = columns[index];
    if (!found) return null;
    const label = { lotId, lotCode: found.lotCode as string | null, variantId: String(found.variantId) };
    return knownLot(label, totals[index] ?? { totalsByCause: {} }, counted[index], held.get(lotId));
  });
}

let versions = 0;

function knownLot(
  { lotId, lotCode, variantId }: LotLabel,
  totals: Totals,
  counted: SoldLotTotals | null | undefined,
  held: readonly Held[] = NOTHING,
): KnownLot {
  const { sales = 0, lines = 0, quantity = 0, returned = 0 } = counted ?? {};
  return {
    version: ++versions,
    lotId,
    lotCode,
    variantId,
    sales,
    lines,
    sold: exact(quantity),
    returned: exact(returned),
    life: quantitiesByCause(totals),
    inStock: held.length === 0 ? Decimal.zero : Decimal.sumOf(held, ({ quantity }) => Decimal.from(quantity)),
    held,
  };
}

const NOTHING: readonly Held[] = [];

/** Most of them are nothing, and nothing is one for all. */
const exact = (quantity: number): Decimal => (quantity === 0 ? Decimal.zero : Decimal.from(quantity));

const HELD_AT_ONCE = 1_000;
const HELD_PAGE = 1_000;

const heldByLot = async (reads: RequestContext['reads'], lotIds: readonly string[]) =>
  grouped(await inBatches(lotIds, HELD_AT_ONCE, (some) => heldOf(reads, some)), ({ lotId }) => lotId);

/** Some lots at a time: every page asks of all that it may speak of. */
async function heldOf(reads: RequestContext['reads'], lotIds: readonly string[]): Promise<readonly Held[]> {
  const held: Held[] = [];
  const pages = pagesOf((at) =>
    reads.findBodies(holdings, {
      oneOf: { column: 'lotId', values: lotIds },
      equal: { left: 1 },
      sort: { column: 'lotId', direction: 'asc' },
      limit: lotIds.length > 10 ? HELD_PAGE : 200,
      ...at,
    }),
  );
  for await (const bodies of pages) {
    for (const one of readTogether(bodies) as readonly HoldingDocument[]) {
      held.push({ lotId: one.lotId, locationId: one.locationId, quantity: one.quantity });
    }
  }
  return held;
}
