import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';

const SHAPES = 500;

/** Statements are prepared once per text. */
export class Statements {
  private readonly prepared = new LRUCache<string, StatementSyncInstance>({ max: SHAPES });

  constructor(private readonly database: DatabaseSyncInstance) {}

  of(sql: string): StatementSyncInstance {
    let statement = this.prepared.get(sql);
    if (!statement) this.prepared.set(sql, (statement = this.database.prepare(sql)));
    return statement;
  }
}
