import { randomInt } from 'node:crypto';

/**
 * Durable rows that no replay could rebuild: secrets and operational state (keys, sessions, deliveries, leases, reactor checkpoints).
 * Values are encrypted at rest; every write is a compare-and-set.
 */
export interface VaultRow {
  readonly kind: string;
  readonly id: string;
  /** Grows by one with each write. A row that was gone never comes back with a version that it had. */
  readonly version: number;
  readonly value: unknown;
  /** Milliseconds since 1970: what `due` sorts by. */
  readonly dueAt?: number;
}

export interface VaultWrite {
  readonly kind: string;
  readonly id: string;
  /** JSON; `undefined` deletes the row. */
  readonly value: unknown;
  /** The version that must be there: a number, `absent`, or `any`. */
  readonly expected: number | 'absent' | 'any';
  /** The version that the row begins with if there was none: a `newVersion` that the writer keeps, so that it need not read the row to write it again. */
  readonly firstVersion?: number;
  /** It belongs to one command, which nobody else stores rows for: where appends do not store rows, it goes again when that is refused. */
  readonly endsWhenRefused?: true;
  readonly dueAt?: number;
  /** Milliseconds since 1970, after which the row counts as absent and is swept. */
  readonly expiresAt?: number;
}

const VERSIONS = 2 ** 47;

/** What a row may begin with: nobody who holds a version of an earlier row of its name can meet it. */
export const newVersion = (): number => randomInt(1, VERSIONS);

export interface Vault {
  get(kind: string, id: string): Promise<VaultRow | undefined>;
  /** In one read; missing ids are left out, the order is any. */
  getMany(kind: string, ids: readonly string[]): Promise<readonly VaultRow[]>;
  /**
   * Durable when it resolves. Rows are written in the given order; a row that is not as expected gives `false`, and neither it nor any after it is
   * written (where `atomic`, none before it either).
   */
  write(writes: readonly VaultWrite[]): Promise<boolean>;
  /** Rows of a kind in the order of their ids. */
  list(
    kind: string,
    options: { readonly after?: string; readonly prefix?: string; readonly limit: number },
  ): Promise<readonly VaultRow[]>;
  /** Rows of a kind whose `dueAt` is not later than `before`, the earliest first. */
  due(kind: string, before: number, limit: number): Promise<readonly VaultRow[]>;
  /** Deletes what has expired; gives how many rows. */
  sweep(now: number): Promise<number>;
  readonly atomic: boolean;
  close(): Promise<void>;
}
