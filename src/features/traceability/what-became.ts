import { createHash } from 'node:crypto';
import { holdings } from '../../../projections/inventory/holdings.js';
import { lots as lotRecords } from '../../../projections/inventory/lots.js';
import { lotGraph } from '../../../projections/traceability/lot-graph.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Known } from '../../ports/read-models.js';
import type { Sold } from './counted-sales.js';
import { CountedSales } from './counted-sales.js';
import type { KnownWay } from './edges.js';
import { knownWay, walkKnown } from './edges.js';
import type { KnownLot, Led } from './found-lots.js';
import type { Reached } from './graph-walk.js';
import { MAX_DEPTH } from './graph-walk.js';
import { joined } from './joined-walk.js';
import { knownLots } from './known-lots.js';
import type { Totals } from './recall-sums.js';
import { totalsOf } from './recall-sums.js';
import { SummedLots } from './summed-lots.js';

/** What became of lots: many inputs became the same goods, so it is worked out once for all of them. */

export const RESTS_ON = [lotRecords, lotGraph, soldLots, holdings];

/** About what they take in memory with what is known of each, which nobody else may hold any more. */
const BYTES_OF_A_LOT = 900;
const BYTES_OF_AN_ORDER = 400;
/** What is remembered of each of them to go on from there. */
const BYTES_OF_A_RECKONED_LOT = 200;
/** Lots by which a walk is told from others, not by those where it began. */
const FEW = 100;

export const bytesOf = ({ lots, orders, bytes }: Reached<Known<Led>>): number =>
  lots.length * BYTES_OF_A_LOT + orders.length * BYTES_OF_AN_ORDER + bytes;

/** Lots that were made with others, and what all of them add up to. */
export interface Made {
  readonly lots: readonly KnownLot[];
  totals(): Totals;
  /** What was sold of all these lots. */
  soldTogether(context: RequestContext): Promise<Sold>;
}

/** The lots of a recall, those with the code first, and apart what was made with them. */
interface Became {
  readonly walked: Reached<Known<Led>>;
  readonly made: Made;
}

/** `isSummedUp`: what takes longest begins at once. */
export async function whatBecame(
  context: RequestContext,
  lotIds: readonly string[],
  isSummedUp: boolean,
): Promise<Became> {
  const way = knownWay(context, 'forward');
  const first = await walkKnown(way, lotIds, 1);
  const next = first.lots.slice(lotIds.length);
  if (next.length === 0) return { walked: first, made: await madeOf(context, next, isSummedUp) };
  const further = await keptFurther(context, way, lotIds, next, isSummedUp);
  const both = joined(first, further.walked, lotIds.length);
  if (both) return { walked: both, made: further.made };
  const walked = await walkKnown(way, lotIds, MAX_DEPTH);
  return { walked, made: await madeOf(context, walked.lots.slice(lotIds.length), isSummedUp) };
}

/** All that became of these lots, themselves included, whatever they were made of. */
function keptFurther(
  context: RequestContext,
  way: KnownWay,
  lotIds: readonly string[],
  next: readonly Known<Led>[],
  isSummedUp: boolean,
) {
  const nextIds = next.map(({ subject }) => subject);
  return context.reads.kept({ about: RESTS_ON }, `became ${hashOf(nextIds)}`, async ({ about, takes }) => {
    const walked = await walkKnown(way, next, MAX_DEPTH - 1);
    takes(bytesOf(walked));
    about(walked.lots);
    about(walked.orders);
    // Where they are thousands the next order adds one to them.
    const begun = hashOf(nextIds.length > FEW ? lotIds : nextIds);
    const reckoning = await keptReckoning(context, begun, walked.lots.length);
    return { walked, made: await madeOf(context, walked.lots, isSummedUp, reckoning) };
  });
}

/** Goes on where it ended when there are more lots, or something was written about some. */
interface Reckoning {
  readonly sold: CountedSales;
  readonly sums: SummedLots;
}

const newReckoning = (): Reckoning => ({ sold: new CountedSales(), sums: new SummedLots() });

/** For longer than what rests on the lots: it sees for itself which of them are known otherwise. */
const keptReckoning = (context: RequestContext, begun: string, lots: number): Promise<Reckoning> =>
  context.reads.kept({}, `reckoning from ${begun}`, ({ takes }) => {
    takes(lots * BYTES_OF_A_RECKONED_LOT);
    return Promise.resolve(newReckoning());
  });

const hashOf = (ids: readonly string[]): string => createHash('sha256').update(ids.join()).digest('base64');

async function madeOf(
  context: RequestContext,
  stops: readonly Known<Led>[],
  isSummedUp: boolean,
  { sold, sums }: Reckoning = newReckoning(),
): Promise<Made> {
  const lotIds = stops.map(({ subject }) => subject);
  const known = knownLots(context, stops);
  const soldTogether = once((asker: RequestContext) => sold.of(asker, lotIds, known));
  // Who needs it hears how it went.
  if (isSummedUp) soldTogether(context).catch(() => undefined);
  const lots = await known;
  let totals: Totals | undefined;
  return {
    lots,
    soldTogether,
    totals: () => (totals ??= totalsOf('REACHED', sums.of(lots))),
  };
}

/** What `make` gave first; a failure is not remembered. */
export function once<A, T>(make: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let made: Promise<T> | undefined;
  return (argument) =>
    (made ??= make(argument).catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
