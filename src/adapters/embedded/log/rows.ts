import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { VaultCipher } from '../../vault-cipher.js';
import type { RowRequest } from './protocol.js';
import { ABSENT, ANY } from './protocol.js';

/** Writes vault rows inside the log worker's transaction. */
export class LogRows {
  private readonly find;
  private readonly insert;
  private readonly update;
  private readonly remove;
  private readonly removeExpired;

  constructor(
    database: DatabaseSyncInstance,
    private readonly cipher: VaultCipher,
  ) {
    this.find = database.prepare('select version, expiresAt from vault where kind = ? and id = ?');
    this.insert = database.prepare(
      'insert or replace into vault (kind, id, version, value, dueAt, expiresAt) values (?, ?, ?, ?, ?, ?)',
    );
    this.update = database.prepare(
      'update vault set version = ?, value = ?, dueAt = ?, expiresAt = ? where kind = ? and id = ?',
    );
    this.remove = database.prepare('delete from vault where kind = ? and id = ?');
    this.removeExpired = database.prepare(
      'delete from vault where rowid in (select rowid from vault where expiresAt <= ? order by expiresAt limit ?)',
    );
  }

  /** The version of each row before its write; undefined when one is not as expected. */
  check(rows: readonly RowRequest[], now: number): readonly number[] | undefined {
    const written = new Map<string, number>();
    const before: number[] = [];
    for (const row of rows) {
      const [kind, id, value, expected] = row;
      const key = `${kind}\n${id}`;
      const version = written.get(key) ?? this.versionOf(kind, id, now);
      if (expected !== ANY && expected !== version) return undefined;
      before.push(version);
      if (rows.length > 1) written.set(key, value === null ? ABSENT : versionAfter(row, version));
    }
    return before;
  }

  write(rows: readonly RowRequest[], before: readonly number[]): void {
    rows.forEach((row, index) => {
      const [kind, id, value, , dueAt, expiresAt] = row;
      const known = before[index] ?? ABSENT;
      if (value === null) {
        this.remove.run(kind, id);
        return;
      }
      const version = versionAfter(row, known);
      const sealed = this.cipher.seal({ kind, id, version }, value);
      // A row that has expired counts as absent but may still lie there.
      if (known === ABSENT) this.insert.run(kind, id, version, sealed, dueAt, expiresAt);
      else this.update.run(version, sealed, dueAt, expiresAt, kind, id);
    });
  }

  sweep(now: number, limit: number): number {
    return this.removeExpired.run(now, limit).changes;
  }

  private versionOf(kind: string, id: string, now: number): number {
    const row = this.find.get(kind, id) as { version: number; expiresAt: number | null } | undefined;
    return !row || (row.expiresAt !== null && row.expiresAt <= now) ? ABSENT : row.version;
  }
}

const versionAfter = ([, , , , , , firstVersion]: RowRequest, before: number): number =>
  before === ABSENT ? firstVersion : before + 1;
