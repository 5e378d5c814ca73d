import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Generation, RowCollection, RowWrite } from '../../../ports/read-models.js';
import type { StoreNumbers } from './store-numbers.js';
import { columnOf, tableOf } from './tables.js';

/** One build of a collection of rows. */
export class RowTable {
  private readonly names: readonly string[];
  private readonly insert: StatementSyncInstance;

  constructor(
    database: DatabaseSyncInstance,
    collection: RowCollection,
    generation: Generation,
    private readonly numbers: StoreNumbers,
  ) {
    this.names = Object.keys(collection.columns);
    const columns = this.names.map((name) => columnOf(collection, name));
    this.insert = database.prepare(
      `insert or ignore into ${tableOf(collection, generation)} (store, id, ${columns.join(', ')})
       values (?, ?${', ?'.repeat(columns.length)})`,
    );
  }

  add({ store, id, values }: RowWrite): void {
    this.insert.run(this.numbers.of(store), id, ...this.names.map((name) => values[name] ?? null));
  }
}
