import { createHash } from 'node:crypto';
import { fiscalDocuments } from '../../../projections/fiscal/documents.js';
import { holdings } from '../../../projections/inventory/holdings.js';
import { lots as lotRecords } from '../../../projections/inventory/lots.js';
import { lotGraph } from '../../../projections/traceability/lot-graph.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Known } from '../../ports/read-models.js';
import type { KnownWay } from './edges.js';
import { knownWay, walkKnown } from './edges.js';
import type { KnownLot, Led } from './found-lots.js';
import type { Reached } from './graph-walk.js';
import { MAX_DEPTH } from './graph-walk.js';
import { joined } from './joined-walk.js';
import { knownLots } from './known-lots.js';
import type { SalesOfLots, Totals } from './recall-sums.js';
import { salesOf, totalsOf } from './recall-sums.js';
import { countStanding } from './sale-documents.js';

/** What became of lots: many inputs became the same goods, so it is worked out once for all of them. */

export const RESTS_ON = [lotRecords, lotGraph, soldLots, holdings];

/** About what they take in memory with what is known of each, which nobody else may hold any more. */
const BYTES_OF_A_LOT = 900;
const BYTES_OF_AN_ORDER = 400;

export const bytesOf = ({ lots, orders }: Reached<Known<Led>>): number =>
  lots.length * BYTES_OF_A_LOT + orders.length * BYTES_OF_AN_ORDER;

/** Lots that were made with others, and what all of them add up to. */
export interface Made {
  readonly lots: readonly KnownLot[];
  totals(): Totals;
  sales(context: RequestContext): Promise<SalesOfLots>;
  /** How many documents of these sales stand, which changes without any change of the lots. */
  standing(context: RequestContext): Promise<number>;
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
  const further = await keptFurther(context, way, next, isSummedUp);
  const both = joined(first, further.walked, lotIds.length);
  if (both) return { walked: both, made: further.made };
  const walked = await walkKnown(way, lotIds, MAX_DEPTH);
  return { walked, made: await madeOf(context, walked.lots.slice(lotIds.length), isSummedUp) };
}

/** All that became of these lots, themselves included, whatever they were made of. */
function keptFurther(context: RequestContext, way: KnownWay, lots: readonly Known<Led>[], isSummedUp: boolean) {
  const ids = lots.map(({ subject }) => subject).join();
  const key = `became ${createHash('sha256').update(ids).digest('base64')}`;
  return context.reads.kept({ about: RESTS_ON }, key, async ({ about, takes }) => {
    const walked = await walkKnown(way, lots, MAX_DEPTH - 1);
    takes(bytesOf(walked));
    about(walked.lots);
    about(walked.orders);
    return { walked, made: await madeOf(context, walked.lots, isSummedUp) };
  });
}

/** Told apart, so that nothing that was counted of some is taken for that of others. */
let numbers = 0;

async function madeOf(context: RequestContext, stops: readonly Known<Led>[], isSummedUp: boolean): Promise<Made> {
  const lotIds = stops.map(({ subject }) => subject);
  const sales = once((asker: RequestContext) => salesOf(asker, lotIds));
  // Who needs it hears how it went.
  if (isSummedUp) sales(context).catch(() => undefined);
  const lots = await knownLots(context, stops);
  let totals: Totals | undefined;
  const key = `standing of ${String(++numbers)}`;
  return {
    lots,
    sales,
    totals: () => (totals ??= totalsOf('REACHED', lots)),
    standing: (asker) => asker.reads.kept({ collections: [fiscalDocuments] }, key, () => countStanding(asker, lots)),
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
