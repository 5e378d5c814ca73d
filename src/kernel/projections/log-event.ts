import type { StoredEvent } from '../../ports/event-store.js';
import type { EventMeta } from '../events/event.js';

/** An event as it is stored, whatever it says, with what is recorded beside it. */
export interface LogEvent {
  readonly stored: StoredEvent;
  readonly meta: EventMeta;
}

/** A fold of the whole log, all stores and kinds of events together, into a few documents that belong to no store. */
export interface LogFold {
  /** The id of the document that says how far the fold is, and so which others the next events need. */
  readonly head: string;
  needs(head: object | undefined): readonly string[];
  /** Pure; gives every document that changes, the head among them. */
  fold(documents: ReadonlyMap<string, object>, events: readonly LogEvent[]): ReadonlyMap<string, object>;
}
