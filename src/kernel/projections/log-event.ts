import type { StoredEvent } from '../../ports/event-store.js';
import type { DomainEvent, EventCodec, EventMeta, Recorded } from '../events/event.js';

/** An event as it is stored, whatever it says, with what is recorded beside it. */
export interface LogEvent {
  readonly stored: StoredEvent;
  readonly meta: EventMeta;
  /** The event as a codec reads it that knows its type; throws when it cannot be read. */
  readonly read: (codec: EventCodec<DomainEvent>) => Recorded<DomainEvent>;
}

/** A fold of the whole log, all stores and kinds of events together, into a few documents that belong to no store. */
export interface LogFold {
  /** The id of the document that says how far the fold is, and so which others the next events need. */
  readonly head: string;
  needs(head: object | undefined): readonly string[];
  /** Pure; gives every document that changes, the head among them. */
  fold(documents: ReadonlyMap<string, object>, events: readonly LogEvent[]): ReadonlyMap<string, object>;
}
