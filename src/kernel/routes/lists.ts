import { z } from 'zod';
import type { Page, PagedQuery, RecordCollection } from '../../ports/read-models.js';
import { toIso } from '../values/clock.js';
import { momentRange, queryMoment } from '../values/days.js';
import { cursorText, queryInteger } from '../values/fields.js';
import { cursorAt, placeAt } from './list-cursors.js';
import type { RequestContext } from './request-context.js';
import type { Reply } from './route.js';
import { RawJson } from './route.js';

/** Lists that are paged by a cursor: `{ items, nextCursor }`. */

const LIST_LIMIT = 50;
const UUID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const listQuery = z.strictObject({
  cursor: cursorText.optional(),
  limit: queryInteger(1, 200).default(LIST_LIMIT),
  from: queryMoment.optional(),
  to: queryMoment.optional(),
});
export type ListQuery = z.output<typeof listQuery>;

interface Listed {
  readonly id: string;
  readonly createdAt: string;
}

/** The schema of a page, named after its items: clients that are generated have a type for it. */
export function listAnswer<S extends z.ZodType>(item: S) {
  const page = z.object({ items: z.array(item), nextCursor: z.string().nullable() });
  const { id } = z.globalRegistry.get(item) ?? {};
  return id === undefined ? page : page.meta({ id: `${id}Page` });
}

interface SetPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** A page of a small set that is held in memory, in the order of the ids. `list` names it: it takes no cursor of another. */
export function pageById<T>(
  list: string,
  all: Iterable<T>,
  idOf: (item: T) => string,
  { cursor, limit }: Pick<ListQuery, 'cursor' | 'limit'>,
): SetPage<T> {
  const after = cursor === undefined ? '' : (placeAt(list, cursor, UUID)[0] ?? '');
  const rest = [...all].filter((item) => idOf(item) > after).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && rest.length > limit ? cursorAt(list, idOf(last)) : null };
}

/** The same of what was created within `from` and `to`. */
export function pageByIdWithin<T>(
  list: string,
  all: Iterable<T>,
  listed: (item: T) => Listed,
  { cursor, limit, ...range }: ListQuery,
  timeZone: string,
): SetPage<T> {
  const { from, before } = momentRange(range, timeZone);
  const within = [...all].filter((item) => {
    const at = Date.parse(listed(item).createdAt);
    return at >= from && at < before;
  });
  return pageById(list, within, (item) => listed(item).id, { cursor, limit });
}

/** The range of a column of times that a list asks for; days end as the store's time zone has them. */
export function rangeOf(
  column: string,
  period: Pick<ListQuery, 'from' | 'to'>,
  timeZone: string,
): Pick<PagedQuery, 'range'> {
  if (period.from === undefined && period.to === undefined) return {};
  const { from, before } = momentRange(period, timeZone);
  return {
    range: {
      column,
      ...(period.from === undefined ? {} : { from: toIso(from) }),
      ...(period.to === undefined ? {} : { before: toIso(before) }),
    },
  };
}

/** Every page of a query, each read when the one before is done with. */
export async function* pagesOf<T>(
  read: (at: { readonly cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor === null ? {} : { cursor });
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const BODIES_PAGE = 200;

type BodiesQuery = Omit<PagedQuery, 'store' | 'offset' | 'cursor'> & { readonly cursor?: string | undefined };

/** The answers of a plain list, and where it goes on when there are more than its limit; read in small pages. */
export async function bodiesOf(
  context: RequestContext,
  collection: RecordCollection<never>,
  { cursor, limit, ...query }: BodiesQuery,
): Promise<{ readonly bodies: readonly string[]; readonly nextCursor: string | null }> {
  const bodies: string[] = [];
  let next: string | null = cursor ?? null;
  do {
    const page: Page<string> = await context.reads.findBodies(collection, {
      ...query,
      limit: Math.min(BODIES_PAGE, limit - bodies.length),
      ...(next === null ? {} : { cursor: next }),
    });
    bodies.push(...page.items);
    next = page.nextCursor;
  } while (next !== null && bodies.length < limit);
  return { bodies, nextCursor: next };
}

/** A plain list: its items as JSON, and the header that says where it goes on. */
export function plainList(items: readonly string[], nextCursor: string | null): Reply {
  return {
    body: new RawJson(`[${items.join(',')}]`),
    headers: nextCursor === null ? {} : { 'X-Next-Cursor': nextCursor },
  };
}
