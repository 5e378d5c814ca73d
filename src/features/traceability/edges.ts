import { lotGraph } from '../../../projections/traceability/lot-graph.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { grouped } from '../../kernel/values/grouped.js';
import { inBatches } from '../../kernel/values/batches.js';
import type { KindOfKnown, Known, PagedQuery, Row } from '../../ports/read-models.js';
import type { Led } from './found-lots.js';
import type { Direction, Ends, Leads, Stop, StoredEdge, Walk } from './graph-walk.js';
import { walk } from './graph-walk.js';

const IDS_AT_ONCE = 5_000;
const PAGE = 50_000;
/** Small levels are read on the spot, large ones by a worker. */
const SMALL_PAGE = 200;

type Column = keyof StoredEdge;

const ENDS: Readonly<Record<Direction, readonly [near: keyof Ends, far: keyof Ends]>> = {
  forward: ['source', 'target'],
  backward: ['target', 'source'],
};

const WHOLE_EDGE = ['source', 'target', 'kind', 'variantId', 'quantity', 'settledLater'] as const;

/** For who wants to know how much went where: the edges as they are stored, so that what a reversal brought back is one of its own. */
export async function walkWithEdges(
  context: RequestContext,
  direction: Direction,
  start: readonly string[],
  depth: number,
): Promise<{ readonly walked: Walk<Stop>; readonly edges: readonly StoredEdge[] }> {
  const [near, far] = ENDS[direction];
  const edges: StoredEdge[] = [];
  const stops = new Map<string, Stop>();
  const stopAt = (subject: string): Stop => {
    const stop = stops.get(subject) ?? { subject, ordinal: stops.size };
    stops.set(subject, stop);
    return stop;
  };
  const leads = async (from: readonly Stop[]) => {
    const ids = from.map(({ subject }) => subject);
    const found = (await rowsOf(context, near, ids, WHOLE_EDGE)).map(edgeOf);
    for (const edge of found) edges.push(edge);
    const byNear = grouped(found, (edge) => edge[near]);
    return ids.map((id) => distinct((byNear.get(id) ?? []).map((edge) => edge[far])).map(stopAt));
  };
  return { walked: await walk(leads, start.map(stopAt), depth), edges };
}

/** In the order in which each came first. */
const distinct = (ids: readonly string[]): readonly string[] => (ids.length < 2 ? ids : [...new Set(ids)]);

const BYTES_OF_AN_END = 100;

const takes = ({ to }: Led): number => to.length * BYTES_OF_AN_END;

const LED: Readonly<Record<Direction, KindOfKnown<Led>>> = {
  forward: { name: 'leads to', about: [lotGraph], takes },
  backward: { name: 'comes from', about: [lotGraph], takes },
};

/** For who wants to know where it leads alone: what was found by it is not looked for again. */
export interface KnownWay {
  readonly of: (from: readonly (string | Known<Led>)[]) => Promise<readonly Known<Led>[]>;
  readonly leads: Leads<Known<Led>>;
}

export function knownWay(context: RequestContext, direction: Direction): KnownWay {
  const known = context.reads.knownOfEach(LED[direction], (missing, former) =>
    ledBy(context, direction, missing, former),
  );
  const leads: Leads<Known<Led>> = async (stops) => {
    // As they are now: another request may find something newer meanwhile.
    const values = stops.map(({ value }) => value);
    const asked: (Known<Led> | string)[] = [];
    for (const { to } of values) for (const end of to) asked.push(end);
    const found = await known.of(asked);
    let next = 0;
    return values.map((value) => {
      const first = next;
      let isFound = true;
      for (const end of value.to) if (end !== found[next++]) isFound = false;
      const ends = isFound ? (value.to as readonly Known<Led>[]) : found.slice(first, next);
      value.to = ends;
      return ends;
    });
  };
  return { of: (from) => known.of(from), leads };
}

export const walkKnown = async ({ of, leads }: KnownWay, start: readonly (string | Known<Led>)[], depth: number) =>
  walk(leads, await of(start), depth);

async function ledBy(
  context: RequestContext,
  direction: Direction,
  ids: readonly string[],
  former: readonly (Led | undefined)[],
): Promise<readonly Led[]> {
  const long = ids.flatMap((id, index) => {
    const before = former[index];
    return before && before.rows > SMALL_PAGE ? [[id, before] as const] : [];
  });
  const longIds = new Set(long.map(([id]) => id));
  const others = ids.filter((id) => !longIds.has(id));
  const [byOthers, byLong] = await Promise.all([
    inBatches(others, IDS_AT_ONCE, (some) => ledTo(context, direction, some)),
    Promise.all(long.map(([id, before]) => ledFurther(context, direction, id, before))),
  ]);
  const found = new Map([...byOthers, ...byLong]);
  return ids.map((id) => found.get(id) ?? { to: [], rows: 0 });
}

const PAIR = ['source', 'target'] as const;

async function ledTo(
  context: RequestContext,
  direction: Direction,
  ids: readonly string[],
): Promise<readonly (readonly [string, Led])[]> {
  const [near, far] = ENDS[direction];
  const rows = await rowsOf(context, near, ids, PAIR);
  return [...grouped(rows, (row) => String(row[near]))].map(([id, some]) => [
    id,
    { to: distinct(some.map((row) => String(row[far]))), rows: some.length },
  ]);
}

/** Where a lot or order leads to thousands, only what was added since is read. */
async function ledFurther(
  context: RequestContext,
  direction: Direction,
  id: string,
  { to, rows }: Led,
): Promise<readonly [string, Led]> {
  const [near, far] = ENDS[direction];
  const added = await allRows(context, { equal: { [near]: id }, ...orderedBy(near) }, PAIR, PAGE, rows);
  const more = new Set(added.map((row) => String(row[far])));
  for (const one of to) more.delete(typeof one === 'string' ? one : one.subject);
  return [id, { to: [...to, ...more], rows: rows + added.length }];
}

/** Many ids are read in parts and page by page, so that no answer is without limit. */
const rowsOf = <W extends Column>(
  context: RequestContext,
  near: keyof Ends,
  ids: readonly string[],
  wanted: readonly W[],
): Promise<readonly Row<W>[]> =>
  inBatches(ids, IDS_AT_ONCE, (some) => {
    const first = some.length <= 10 ? SMALL_PAGE : PAGE;
    return allRows(context, { oneOf: { column: near, values: some }, ...orderedBy(near) }, wanted, first);
  });

const orderedBy = (column: keyof Ends): Pick<PagedQuery, 'sort'> => ({ sort: { column, direction: 'asc' } });

async function allRows<W extends Column>(
  context: RequestContext,
  query: Omit<PagedQuery, 'store' | 'limit'>,
  wanted: readonly W[],
  first: number,
  offset = 0,
): Promise<readonly Row<W>[]> {
  const all: Row<W>[] = [];
  const pages = pagesOf((at) => {
    const page = at.cursor === undefined ? { limit: first, offset } : { limit: PAGE };
    return context.reads.findRows(lotGraph, { ...query, ...page, ...at }, wanted);
  });
  for await (const page of pages) for (const row of page) all.push(row);
  return all;
}

const edgeOf = (row: Row<Column>): StoredEdge => ({
  source: String(row.source),
  target: String(row.target),
  kind: row.kind as StoredEdge['kind'],
  variantId: String(row.variantId),
  quantity: Number(row.quantity),
  settledLater: row.settledLater === 1,
});
