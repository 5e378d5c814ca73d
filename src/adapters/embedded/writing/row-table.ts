import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Generation, RowCollection, RowWrite } from '../../../ports/read-models.js';
import { packerOf } from '../cells.js';
import type { StoreNumbers } from './store-numbers.js';
import { columnOf, tableOf } from './tables.js';

const packed = packerOf({ kind: 'rows' });

/** One build of a collection of rows. What is repeated is known by its position before it comes here, so rows need no id. */
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
      `insert into ${tableOf(collection, generation)} (store, ${columns.join(', ')})
       values (?${', ?'.repeat(columns.length)})`,
    );
  }

  add({ store, values }: RowWrite): void {
    this.insert.run(this.numbers.of(store), ...this.names.map((name) => packed(values[name] ?? null)));
  }
}
