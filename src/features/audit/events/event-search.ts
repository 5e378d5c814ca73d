import { auditEvents, entityKey, kindKey } from '../../../../projections/audit/audit-events.js';
import { languageOf } from '../../../kernel/routes/language.js';
import { rangeOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { defined } from '../../../kernel/values/defined.js';
import { shortKey, shortKeyOf } from '../../../kernel/values/short-key.js';
import type { EventTeller, ToldPage } from '../../../ports/event-teller.js';
import type { Page } from '../../../ports/read-models.js';
import type { Frequencies } from './frequencies.js';

export interface EventSearch {
  readonly entityKind?: string | undefined;
  readonly entityId?: string | undefined;
  readonly type?: string | undefined;
  readonly actorId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface FoundEvents {
  readonly page: ToldPage;
  readonly nextCursor: string | null;
}

interface Sources {
  readonly teller: EventTeller;
  readonly frequencies: Frequencies;
  /** The kinds of records that events may be about. */
  readonly kinds: readonly string[];
}

const NOTHING: FoundEvents = { page: { count: 0, bytes: new Uint8Array(), names: [], places: [] }, nextCursor: null };

/** So many events are looked at for one page. */
export const MOST_EXAMINED = 2_000;
/** So many rows of the index for each event of a page, where the index knows several filters. */
const SIFTED = 4;

/**
 * A page of the store's events. One filter is looked up in the index, the others look at its rows as far as those hold what they ask for,
 * and at each event: where they let few through, a page holds few, or none, and goes on by its cursor.
 */
export async function searchEvents(
  { teller, frequencies, kinds }: Sources,
  context: RequestContext,
  asked: EventSearch,
  { timeZone, whole }: { readonly timeZone: string; readonly whole: boolean },
): Promise<FoundEvents> {
  const search = asked.entityId === undefined ? asked : await withKind(context, asked, asked.entityId, kinds);
  if (!search) return NOTHING;
  const { type, actorId, requestId, entityKind, entityId } = search;
  const hidesCosts = !context.may('production.costs');
  const telling = { language: languageOf(context), whole, hidesCosts, type, actorId, requestId, entityKind, entityId };
  const index = await indexFor(context, search, frequencies);
  let cursor = search.cursor;
  let examined = 0;
  for (;;) {
    const examine = rowsAtOnce(index, search, examined);
    const { positions, nextCursor } = await positionsOf(context, index, { ...search, cursor }, { timeZone, examine });
    const page = positions.length === 0 ? NOTHING.page : await teller.tell(positions, telling);
    examined += examine;
    if (nextCursor === null || page.count > 0 || examined >= MOST_EXAMINED) return { page, nextCursor };
    cursor = nextCursor;
  }
}

function rowsAtOnce({ sift }: Index, { limit }: EventSearch, examined: number): number {
  if (!sift) return limit;
  return examined === 0 ? SIFTED * limit : MOST_EXAMINED;
}

/** An id is that of one record, whatever its kind; undefined for one that no event is about. */
async function withKind(
  context: RequestContext,
  search: EventSearch,
  id: string,
  kinds: readonly string[],
): Promise<EventSearch | undefined> {
  if (search.entityKind !== undefined) return search;
  const first = { sort: { column: 'at', direction: 'asc' }, limit: 1 } as const;
  const pages = await Promise.all(
    kinds.map((kind) =>
      context.reads.findRows(auditEvents, { equal: { entity: entityKey({ kind, id }) }, ...first }, ['position']),
    ),
  );
  const entityKind = kinds[pages.findIndex(({ items }) => items.length > 0)];
  return entityKind === undefined ? undefined : { ...search, entityKind };
}

/** Columns of the index of events, and the keys that are wanted in them. */
type Keys = Readonly<Record<string, number>>;

/** By what events are looked up. */
interface Index {
  readonly equal: Keys;
  /** What the rows that it finds must hold as well. */
  readonly sift?: Keys;
}

const keyOf = (text: string | undefined) => (text === undefined ? undefined : shortKey(text));

/** The filter that lets the fewest through, as far as that is quickly known. Those that compete share one collection: a cursor fits each. */
async function indexFor(context: RequestContext, search: EventSearch, frequencies: Frequencies): Promise<Index> {
  const { entityKind, entityId, type, actorId, requestId } = search;
  if (entityKind !== undefined && entityId !== undefined) {
    return { equal: { entity: entityKey({ kind: entityKind, id: entityId }) } };
  }
  if (requestId !== undefined) return { equal: { request: shortKeyOf('request', requestId) } };
  const filters = Object.entries(defined({ type: keyOf(type), actor: keyOf(actorId) }));
  const [first] = filters;
  if (!first) {
    return { equal: entityKind === undefined ? {} : { entity: kindKey(entityKind) } };
  }
  if (filters.length === 1) return { equal: Object.fromEntries(filters) };
  const counts = await Promise.all(filters.map(([column, key]) => frequencies.of(context, column, key)));
  const fewest = filters[counts.indexOf(Math.min(...counts))] ?? first;
  const others = filters.filter((filter) => filter !== fewest);
  return { equal: Object.fromEntries([fewest]), sift: Object.fromEntries(others) };
}

interface FoundPositions {
  readonly positions: readonly string[];
  readonly nextCursor: string | null;
}

async function positionsOf(
  context: RequestContext,
  index: Index,
  search: EventSearch,
  { timeZone, examine }: { readonly timeZone: string; readonly examine: number },
): Promise<FoundPositions> {
  const { order, cursor } = search;
  const paged = {
    ...rangeOf('at', search, timeZone),
    sort: { column: 'at', direction: order },
    limit: examine,
    ...(cursor === undefined ? {} : { cursor }),
  } as const;
  const asked = { equal: index.equal, ...paged };
  if (index.sift) return sifted(context, asked, index.sift, search.limit);
  return positionsIn(await context.reads.findRows(auditEvents, asked, ['position']));
}

/** As many of the rows that hold some keys as a page takes. */
async function sifted(
  context: RequestContext,
  asked: Parameters<RequestContext['reads']['findRows']>[1],
  keys: Keys,
  limit: number,
): Promise<FoundPositions> {
  const { items, nextCursor } = await context.reads.findRows(auditEvents, asked, ['position', 'actor', 'type']);
  const wanted = Object.entries(keys);
  const found: { readonly position: string; readonly place: number }[] = [];
  for (const [place, row] of items.entries()) {
    const cells: Readonly<Record<string, unknown>> = row;
    if (wanted.every(([column, key]) => cells[column] === key)) found.push({ position: String(row.position), place });
  }
  const positions = found.slice(0, limit).map(({ position }) => position);
  const last = found[limit - 1];
  if (last === undefined || last.place === items.length - 1) return { positions, nextCursor };
  // The page ends in the middle of what was looked at: its cursor is that of the row.
  const upToLast = await context.reads.findRows(auditEvents, { ...asked, limit: last.place + 1 }, ['position']);
  return { positions, nextCursor: upToLast.nextCursor };
}

const positionsIn = ({ items, nextCursor }: Page<{ readonly position: unknown }>): FoundPositions => {
  return { positions: items.map(({ position }) => String(position)), nextCursor };
};
