import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { Cell } from '../cells.js';
import { OF_STORE } from './tables.js';

const STORES = 1_000;
/** Less than every id. */
const NONE = new Uint8Array();

/**
 * The greatest id that each store has in a table, of those that lie there as bytes. Ids grow with time, so that most new ones are seen to
 * be new without looking for them.
 */
export class GreatestIds {
  private readonly known = new LRUCache<string, Uint8Array>({ max: STORES });
  private readonly select: StatementSyncInstance;

  constructor(database: DatabaseSyncInstance, table: string) {
    // Bytes sort behind all texts.
    this.select = database.prepare(`select id from ${table} where ${OF_STORE} order by id desc limit 1`);
  }

  /** Whether the table surely has no such id. */
  isAbove(store: string, id: Cell): boolean {
    return id instanceof Uint8Array && Buffer.compare(id, this.of(store)) > 0;
  }

  note(store: string, id: Cell): void {
    if (this.isAbove(store, id)) this.known.set(store, id as Uint8Array);
  }

  private of(store: string): Uint8Array {
    let greatest = this.known.get(store);
    if (!greatest) {
      const { id } = (this.select.get(store) as { readonly id: Cell } | undefined) ?? { id: NONE };
      this.known.set(store, (greatest = id instanceof Uint8Array ? id : NONE));
    }
    return greatest;
  }
}
