import type { StoredEvent } from '../../ports/event-store.js';
import type { Moment } from './decider.js';
import type { DomainEvent, EventCodec, EventMeta, Recorded } from './event.js';

/** What is recorded beside the data of an event. */
export const metaOf = ({ meta }: Pick<StoredEvent, 'meta'>): EventMeta => JSON.parse(meta) as EventMeta;

export const momentOf = ({ revision, meta }: Pick<Recorded<DomainEvent>, 'revision' | 'meta'>): Moment => ({
  revision,
  at: meta.at,
  actor: meta.actor,
});

/** An event as the log keeps it, parsed and held to its schema. */
export function recordedEvent<E extends DomainEvent>(codec: EventCodec<E>, stored: StoredEvent): Recorded<E> {
  const meta = metaOf(stored);
  const event = codec.decode(stored.type, meta.schemaVersion, JSON.parse(stored.data));
  const { id, stream, revision, position } = stored;
  return { ...event, id, stream, revision, position, meta };
}
