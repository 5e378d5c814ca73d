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
}

/** A page of the store's events. It is full, or the last one, unless filters beyond the index let few through; it is never empty with a cursor. */
export async function searchEvents(
  { eventStore, toldEvents }: Sources,
  context: RequestContext,
  search: EventSearch,
  timeZone: string,
): Promise<Page<FoundEvent>> {
  const items: FoundEvent[] = [];
  const language = languageOf(context);
  let cursor = search.cursor;
  for (;;) {
    const page = await positionsOf(context, { ...search, cursor, limit: search.limit - items.length }, timeZone);
    for (const stored of await eventStore.readAt(page.items.map(({ position }) => String(position)))) {
      const told = toldEvents.of(stored, language);
      if (told && matches(stored, told, search)) items.push({ stored, told });
    }
    if (page.nextCursor === null || items.length > 0) return { items, nextCursor: page.nextCursor };
    cursor = page.nextCursor;
  }
}

function positionsOf(context: RequestContext, search: EventSearch, timeZone: string) {
  const { entityKind, entityId, type, actorId, requestId, order, cursor, limit } = search;
  const paged = {
    ...rangeOf('at', search, timeZone),
    sort: { column: 'at', direction: order },
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  } as const;
  if (entityKind !== undefined) {
    const entity = entityId === undefined ? kindKey(entityKind) : entityKey({ kind: entityKind, id: entityId });
    return context.reads.findRows(auditEntities, { equal: { entity }, ...paged }, ['position']);
  }
  const key = (text: string | undefined) => (text === undefined ? undefined : shortKey(text));
  const equal = defined({ actor: key(actorId), type: key(type), request: key(requestId) });
  return context.reads.findRows(auditEvents, { equal, ...paged }, ['position']);
}

/** The index knows hashes alone, and one filter at a time. */
function matches(
  stored: StoredEvent,
  told: ToldEvent,
  { entityKind, entityId, type, actorId, requestId }: EventSearch,
): boolean {
  if (type !== undefined && stored.type !== type) return false;
  if (actorId !== undefined && told.actorId !== actorId) return false;
  if (requestId !== undefined && told.requestId !== requestId) return false;
  if (entityKind === undefined) return true;
  return told.entities.some(({ kind, id }) => kind === entityKind && (entityId === undefined || id === entityId));
}
