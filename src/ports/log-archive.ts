import type { StoredEvent } from './event-store.js';

/** A log that is only read, from its beginning to its end: what an auditor needs, with or without a running service. */
export interface LogArchive {
  readonly logId: string;
  /** All events in their order, a page at a time. */
  all(): AsyncIterable<readonly StoredEvent[]>;
  stream(name: string): Promise<readonly StoredEvent[]>;
  close(): Promise<void>;
}
