import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Generation } from '../../../ports/read-models.js';
import { quoted, tableNamesOf } from './tables.js';

const PREFIX = 'old:';
const WORDS = ':words';
/** What is removed at once: so few that whoever waits meanwhile does not notice. */
const PIECE = 500;

/**
 * Tables whose place others have taken, or whose build was broken off. They get another name at once and are emptied piece by piece,
 * since to drop a table takes as long as it is large; an index of words is small, and goes at once. A process that ends leaves the rest to the next one.
 */
export class OldTables {
  private readonly names: StatementSyncInstance;
  private readonly tables: StatementSyncInstance;

  constructor(private readonly database: DatabaseSyncInstance) {
    this.names = database.prepare(
      `select name from sqlite_master where type = 'table' and name glob '${PREFIX}*' and name not glob '*${WORDS}_*'`,
    );
    this.tables = database.prepare(
      `select name from sqlite_master where type = 'table' and name in (select value from json_each(?))`,
    );
  }

  /** The build's tables, as far as there are any; within a transaction. */
  setAside(collection: { readonly name: string }, generation: Generation): void {
    const aside = `${PREFIX}${randomUUID()}`;
    const names = tableNamesOf(collection, generation);
    for (const { name } of this.tables.all(JSON.stringify(names)) as { readonly name: string }[]) {
      const to = name.endsWith(WORDS) ? aside + WORDS : `${aside}:${String(names.indexOf(name))}`;
      this.database.exec(`alter table ${quoted(name)} rename to ${quoted(to)}`);
    }
  }

  /** Removes a piece, within a transaction. Gives how many rows that were, and undefined once nothing is left. */
  sweep(): number | undefined {
    const found = this.names.get() as { readonly name: string } | undefined;
    if (!found) return undefined;
    const { name } = found;
    const removed = name.endsWith(WORDS) ? 0 : this.removePiece(quoted(name));
    if (removed === 0) this.database.exec(`drop table ${quoted(name)}`);
    return removed;
  }

  private removePiece(table: string): number {
    const piece = `delete from ${table} where rowid in (select rowid from ${table} limit ${PIECE})`;
    return this.database.prepare(piece).run().changes;
  }
}
