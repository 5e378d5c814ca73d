import type { Actor } from '../kernel/events/event.js';
import type { StoredEvent } from './event-store.js';
import type { VaultWrite } from './vault.js';

/** What the program knows of a log that is brought back to an earlier moment, and the engine does not. */
export interface RestoreRules {
  /** The first events of the log's new life. `kept` are those that stay, `lost` those after them. */
  factsAfter(
    log: { readonly fromLogId: string; readonly size: number; readonly rootHash: string },
    kept: Iterable<StoredEvent>,
    lost: Iterable<StoredEvent>,
  ): readonly FactAfterCut[];
  /** What follows from rows that were erased, where the kept events do not say it. */
  erasuresAfter(kept: Iterable<StoredEvent>, hasRow: (kind: string, id: string) => boolean): readonly FactAfterCut[];
  /** What becomes of rows of the vault, which are newer than the log that they now stand beside. */
  rowsAfter(kept: Iterable<StoredEvent>, lost: Iterable<StoredEvent>): RowAfter;
  /** Rows of the work that the kept events speak of as open, or may have kept in part; a row that stayed counts instead. */
  workAfter(kept: Iterable<StoredEvent>, now: number): readonly VaultWrite[];
}

/** A row with `dueAt` is to be worked on then, and is kept until that is done; without it, it is due and expires as before. */
export type RowAfter = (
  row: RestoredRow,
  moment: RestoredMoment,
) => 'stays' | 'goes' | { readonly value: unknown; readonly dueAt?: number };

export interface FactAfterCut {
  readonly stream: string;
  readonly storeId: string | null;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly actor: Actor;
}

export interface RestoredRow {
  readonly kind: string;
  readonly id: string;
  value(): unknown;
}

export interface RestoredMoment {
  /** The moment of the last event that stays, in milliseconds since 1970. */
  readonly at: number;
  /** When the log is brought back to it, likewise. */
  readonly now: number;
  readonly logId: string;
  /** The position of the last event that stays. */
  readonly cut: string;
  /** The position of the last event that the log has by now. */
  readonly head: string;
}
