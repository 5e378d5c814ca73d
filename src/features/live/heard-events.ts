import { toldType } from '../../../projections/audit/parts/histories.js';
import type { DomainEvent, EventMeta } from '../../kernel/events/event.js';
import { metaOf } from '../../kernel/events/recorded.js';
import type { StoredEvent } from '../../ports/event-store.js';

/** An event as this process hears of it, its own or another process's. */
export interface HeardEvent extends DomainEvent {
  readonly stream: string;
  readonly meta: Pick<EventMeta, 'storeId'>;
}

/** The kinds of records that an event is about, or changes all the same. */
export function kindsOf({ type, data }: DomainEvent): ReadonlySet<string> {
  const history = toldType(type)?.history;
  const entities = history?.about(data) ?? [];
  return new Set([...entities.map(({ kind }) => kind), ...(history?.kinds ?? [])]);
}

/** An event out of the log; the data of one that tells nothing of a store are left alone. */
export function heardEvent({ type, data, meta, stream }: StoredEvent): HeardEvent {
  const { storeId, schemaVersion } = metaOf({ meta });
  const codec = toldType(type)?.codec;
  const facts = codec?.decode(type, schemaVersion, JSON.parse(data)).data;
  return { type, data: facts, stream, meta: { storeId } };
}
