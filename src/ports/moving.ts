import type { StoredEvent } from './event-store.js';

/** A log and a vault on their way from one engine to another. */

/** A row as it lies there: sealed, so that nothing on the way can read it, and bound to its kind, id and version. */
export interface SealedRow {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly value: Uint8Array;
  readonly dueAt: number | null;
  readonly expiresAt: number | null;
}

export interface LogToMove {
  readonly logId: string;
  /** In their order, a page at a time, from the event of that number on (from 0). */
  pages(from: number): AsyncIterable<readonly StoredEvent[]>;
  /** It is not to be used any more. */
  markMoved(): Promise<void>;
}

export interface LogTarget {
  /** Gives how many events an earlier try has brought; throws when there is anything else. */
  begin(logId: string): Promise<number>;
  /** Events that follow each other in the log, in their order. */
  append(events: readonly StoredEvent[]): Promise<void>;
  /** All that is there, read back. */
  pages(): AsyncIterable<readonly StoredEvent[]>;
  /** From now on it may be used. */
  finish(): Promise<void>;
}

export interface VaultToMove {
  pages(): AsyncIterable<readonly SealedRow[]>;
  markMoved(): Promise<void>;
}

export interface VaultTarget {
  /** Throws when there is anything else than what an earlier try has brought; writes nothing. */
  expectRoom(logId: string): Promise<void>;
  /** Forgets what an earlier try has brought; throws when there is anything else. */
  begin(logId: string): Promise<void>;
  put(rows: readonly SealedRow[]): Promise<void>;
  count(): Promise<number>;
  finish(): Promise<void>;
}

/** Opens and seals rows; throws where the key is not the one that sealed them. */
export interface RowSeal {
  open(row: SealedRow): unknown;
  seal(row: SealedRow, value: unknown): SealedRow;
}
