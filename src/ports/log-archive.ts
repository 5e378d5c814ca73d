import type { StoredEvent } from './event-store.js';

/** Where an event lies in the bytes of its page. */
export interface EventBytes {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly start: number;
  readonly end: number;
  /** How many bytes of it are its metadata. */
  readonly metaBytes: number;
  /** False where somebody wrote something else than text over it. */
  readonly isText: boolean;
  /** False where the one before it in the log is missing, as far as the log's positions tell. */
  readonly isNext: boolean;
}

/** Some events one after the other; the bytes are the reader's own. */
export interface BytesPage {
  readonly bytes: Buffer;
  readonly events: readonly EventBytes[];
}

/** A log that is only read, from its beginning to its end: what an auditor needs, with or without a running service. */
export interface LogArchive {
  readonly logId: string;
  /** All events in their order, each as what is hashed of it. */
  sealed(): AsyncIterable<BytesPage>;
  /** All events in their order, each as a line of JSON that ends with its metadata. */
  lines(): AsyncIterable<BytesPage>;
  stream(name: string): Promise<readonly StoredEvent[]>;
  close(): Promise<void>;
}
