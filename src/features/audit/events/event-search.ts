import { auditEntities, entityKey, kindKey } from '../../../../projections/audit/audit-entities.js';
import { auditEvents } from '../../../../projections/audit/audit-events.js';
import { languageOf } from '../../../kernel/routes/language.js';
import { rangeOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { defined } from '../../../kernel/values/defined.js';
import { shortKey } from '../../../kernel/values/short-key.js';
import type { EventStore, StoredEvent } from '../../../ports/event-store.js';
import type { Page } from '../../../ports/read-models.js';
import type { ToldEvent, ToldEvents } from './told-events.js';

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

export interface FoundEvent {
  readonly stored: StoredEvent;
  readonly told: ToldEvent;
}

interface Sources {
  readonly eventStore: Pick<EventStore, 'readAt'>;
  readonly toldEvents: ToldEvents;
  /** Of records that events may be about. */
  readonly kinds: readonly string[];
}

const NOTHING: Page<FoundEvent> = { items: [], nextCursor: null };

/** So many events are looked at for one page. */
export const MOST_EXAMINED = 2_000;

/**
 * A page of the store's events. One filter is looked up in the index, the others look at each event: where they let few through, a page
 * holds few, or none, and goes on by its cursor.
 */
export async function searchEvents(
  { eventStore, toldEvents, kinds }: Sources,
  context: RequestContext,
  asked: EventSearch,
  timeZone: string,
): Promise<Page<FoundEvent>> {
  const search = asked.entityId === undefined ? asked : await withKind(context, asked, asked.entityId, kinds);
  if (!search) return NOTHING;
  const items: FoundEvent[] = [];
  const language = languageOf(context);
  const index = await indexFor(context, search);
  let cursor = search.cursor;
  for (let examined = 0; ; examined += search.limit) {
    const page = await positionsOf(context, index, { ...search, cursor }, timeZone);
    for (const stored of await eventStore.readAt(page.items.map(({ position }) => String(position)))) {
      if (search.type !== undefined && stored.type !== search.type) continue;
      const told = toldEvents.of(stored, language);
      if (told && matches(told, search)) items.push({ stored, told });
    }
    const isEnough = items.length > 0 || examined + search.limit >= MOST_EXAMINED;
    if (page.nextCursor === null || isEnough) return { items, nextCursor: page.nextCursor };
    cursor = page.nextCursor;
  }
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
      context.reads.findRows(auditEntities, { equal: { entity: entityKey({ kind, id }) }, ...first }, ['position']),
    ),
  );
  const entityKind = kinds[pages.findIndex(({ items }) => items.length > 0)];
  return entityKind === undefined ? undefined : { ...search, entityKind };
}

/** By what events are looked up. */
type Index =
  | { readonly rows: typeof auditEntities; readonly equal: { readonly entity: number } }
  | { readonly rows: typeof auditEvents; readonly equal: Readonly<Record<string, number>> };

const keyOf = (text: string | undefined) => (text === undefined ? undefined : shortKey(text));

/** The filter that lets the fewest through, as far as that is quickly known. Those that compete share one collection: a cursor fits each. */
async function indexFor(context: RequestContext, search: EventSearch): Promise<Index> {
  const { entityKind, entityId, type, actorId, requestId } = search;
  if (entityKind !== undefined && entityId !== undefined) {
    return { rows: auditEntities, equal: { entity: entityKey({ kind: entityKind, id: entityId }) } };
  }
  if (requestId !== undefined) return { rows: auditEvents, equal: { request: shortKey(requestId) } };
  const filters = Object.entries(defined({ type: keyOf(type), actor: keyOf(actorId) }));
  const [first] = filters;
  if (!first) {
    if (entityKind === undefined) return { rows: auditEvents, equal: {} };
    return { rows: auditEntities, equal: { entity: kindKey(entityKind) } };
  }
  if (filters.length === 1) return { rows: auditEvents, equal: Object.fromEntries(filters) };
  const counts = await Promise.all(
    filters.map(([column, key]) => context.reads.count(auditEvents, { equal: { [column]: key } })),
  );
  const fewest = filters[counts.indexOf(Math.min(...counts))] ?? first;
  return { rows: auditEvents, equal: Object.fromEntries([fewest]) };
}

function positionsOf(context: RequestContext, index: Index, search: EventSearch, timeZone: string) {
  const { order, cursor, limit } = search;
  const paged = {
    ...rangeOf('at', search, timeZone),
    sort: { column: 'at', direction: order },
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  } as const;
  if (index.rows === auditEntities) {
    return context.reads.findRows(auditEntities, { equal: index.equal, ...paged }, ['position']);
  }
  return context.reads.findRows(auditEvents, { equal: index.equal, ...paged }, ['position']);
}

/** The index knows hashes alone, and one filter at a time. */
function matches(told: ToldEvent, { entityKind, entityId, actorId, requestId }: EventSearch): boolean {
  if (actorId !== undefined && told.actorId !== actorId) return false;
  if (requestId !== undefined && told.requestId !== requestId) return false;
  if (entityKind === undefined) return true;
  return told.entities.some(({ kind, id }) => kind === entityKind && (entityId === undefined || id === entityId));
}
