import { auditEvents, changeKey, entityKey, kindKey } from '../../../projections/audit/audit-events.js';
import { toldType } from '../../../projections/audit/parts/histories.js';
import type { DomainEvent, Recorded } from '../../kernel/events/event.js';
import type { Entity } from '../../kernel/events/history.js';
import { recordedEvent } from '../../kernel/events/recorded.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { EventStore, Position, StoredEvent } from '../../ports/event-store.js';

const PAGE = 200;

/** An event as a program reads it; undefined for one that stands in no store's history. */
export function decoded(stored: StoredEvent): Recorded<DomainEvent> | undefined {
  const told = toldType(stored.type);
  return told && recordedEvent(told.codec, stored);
}

const entitiesOf = (event: Recorded<DomainEvent>): readonly Entity[] =>
  toldType(event.type)?.history.about(event.data) ?? [];

export const concerns = (event: Recorded<DomainEvent>, { kind, id }: Entity): boolean =>
  entitiesOf(event).some((entity) => entity.kind === kind && entity.id === id);

/** Every event that made a record what it is, in the order of time, up to a moment (included) when one is given. */
export async function* changesOf(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  entity: Entity,
  until?: string,
  pageSize = PAGE,
): AsyncGenerator<Recorded<DomainEvent>> {
  for await (const event of eventsUnder(eventStore, context, { key: changeKey(entity), until, pageSize })) {
    if (concerns(event, entity)) yield event;
  }
}

/** The same of all records of some kinds. Of several kinds one stream tells, so that the order of time is that of the log, by which their lists are merged. */
export async function* changesOfKinds(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  kinds: readonly string[],
  until: string,
): AsyncGenerator<Recorded<DomainEvent>> {
  const lists = kinds.map((kind) => eventsUnder(eventStore, context, { key: kindKey(kind), until }));
  for await (const event of inOrder(lists)) {
    if (entitiesOf(event).some(({ kind }) => kinds.includes(kind))) yield event;
  }
}

/** The same of some records. */
export async function* changesOfSeveral(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  entities: readonly Entity[],
  until: string,
): AsyncGenerator<Recorded<DomainEvent>> {
  const lists = entities.map((entity) => eventsUnder(eventStore, context, { key: changeKey(entity), until }));
  for await (const event of inOrder(lists)) {
    if (entities.some((entity) => concerns(event, entity))) yield event;
  }
}

type Events = AsyncGenerator<Recorded<DomainEvent>>;

/** Lists in the order of the log as one; what stands in several comes once. */
async function* inOrder(lists: readonly Events[]): Events {
  const heads = await Promise.all(lists.map(async (list) => ({ list, event: await following(list) })));
  for (;;) {
    const [first, ...others] = heads.flatMap(({ event }) => event ?? []);
    if (!first) return;
    const least = others.reduce((before, event) => (event.position < before.position ? event : before), first);
    yield least;
    for (const head of heads) {
      if (head.event?.position === least.position) head.event = await following(head.list);
    }
  }
}

async function following(list: Events): Promise<Recorded<DomainEvent> | undefined> {
  const next = await list.next();
  return next.done === true ? undefined : next.value;
}

interface Under {
  readonly key: number;
  readonly after?: string | undefined;
  readonly until: string | undefined;
  readonly pageSize?: number;
}

/** The events under a key of the index, in the order of time. */
export async function* eventsUnder(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  { key, after, until, pageSize = PAGE }: Under,
): AsyncGenerator<Recorded<DomainEvent>> {
  const range = { ...(after === undefined ? {} : { after }), ...(until === undefined ? {} : { to: until }) };
  const rows = pagesOf(({ cursor }) =>
    context.reads.findRows(
      auditEvents,
      {
        equal: { entity: key },
        range: { column: 'at', ...range },
        sort: { column: 'at', direction: 'asc' },
        limit: pageSize,
        ...(cursor === undefined ? {} : { cursor }),
      },
      ['position'],
    ),
  );
  for await (const page of rows) {
    for (const stored of await eventStore.readAt(page.map(({ position }) => String(position)))) {
      const event = decoded(stored);
      if (event) yield event;
    }
  }
}

/** The event with which a record began; undefined of one that nobody knows. */
export async function firstEventOf(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  entity: Entity,
): Promise<Recorded<DomainEvent> | undefined> {
  for await (const event of changesOf(eventStore, context, entity, undefined, 1)) return event;
  return undefined;
}

/** A page of the events that a record occurs in, in the order of time; `upTo` leaves out what is later than that position. */
export async function eventPage(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  entity: Entity,
  { cursor, limit, upTo }: { readonly cursor?: string | undefined; readonly limit: number; readonly upTo: Position },
): Promise<{ readonly events: readonly Recorded<DomainEvent>[]; readonly nextCursor: string | null }> {
  const { items, nextCursor } = await context.readsPast(upTo).findRows(
    auditEvents,
    {
      equal: { entity: entityKey(entity) },
      sort: { column: 'at', direction: 'asc' },
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    },
    ['position'],
  );
  const positions = items.map(({ position }) => String(position)).filter((position) => position <= upTo);
  const events = (await eventStore.readAt(positions)).flatMap((stored) => decoded(stored) ?? []);
  return {
    events: events.filter((event) => concerns(event, entity)),
    nextCursor: positions.length < items.length ? null : nextCursor,
  };
}
