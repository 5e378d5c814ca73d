import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Generation } from '../../../ports/read-models.js';
import { keyTablesPrefix, quoted, tableNamesOf } from './tables.js';

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
  private readonly primaryKey: StatementSyncInstance;

  constructor(private readonly database: DatabaseSyncInstance) {
    this.names = database.prepare(
      `select name from sqlite_master where type = 'table' and name glob '${PREFIX}*' and name not glob '*${WORDS}_*'`,
    );
    this.tables = database.prepare(
      `select name from sqlite_master where type = 'table' and (name in (select value from json_each(?)) or name glob ?)`,
    );
    this.primaryKey = database.prepare('select name from pragma_table_info(?) where pk > 0 order by pk');
  }

  /** The build's tables, as far as there are any; within a transaction. */
  setAside(collection: { readonly name: string }, generation: Generation): void {
    const aside = `${PREFIX}${randomUUID()}`;
    const names = JSON.stringify(tableNamesOf(collection, generation));
    const found = this.tables.all(names, `${keyTablesPrefix(collection, generation)}*`) as { readonly name: string }[];
    for (const [index, { name }] of found.entries()) {
      const to = name.endsWith(WORDS) ? aside + WORDS : `${aside}:${String(index)}`;
      this.database.exec(`alter table ${quoted(name)} rename to ${quoted(to)}`);
    }
  }

  /** Removes a piece, within a transaction. Gives how many rows that were, and undefined once nothing is left. */
  sweep(): number | undefined {
    const found = this.names.get() as { readonly name: string } | undefined;
    if (!found) return undefined;
    const { name } = found;
    const removed = name.endsWith(WORDS) ? 0 : this.removePiece(name);
    if (removed === 0) this.database.exec(`drop table ${quoted(name)}`);
    return removed;
  }

  private removePiece(table: string): number {
    const key = (this.primaryKey.all(table) as { readonly name: string }[]).map(({ name }) => quoted(name)).join(', ');
    const piece = `delete from ${quoted(table)} where (${key}) in (select ${key} from ${quoted(table)} limit ${PIECE})`;
    return this.database.prepare(piece).run().changes;
  }
}
