import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Generation, Row, RowCollection, RowWrite } from '../../../ports/read-models.js';
import { packerOf } from '../cells.js';
import { GroupedInserts } from './grouped-inserts.js';
import type { StoreNumbers } from './store-numbers.js';
import { columnOf, tableOf } from './tables.js';

const packed = packerOf({ kind: 'rows' });

/** One build of a collection of rows. What is repeated is known by its position before it comes here, so rows need no id. */
export class RowTable {
  /** Columns that mostly repeat, and the others. */
  private readonly repeated: readonly string[];
  private readonly own: readonly string[];
  private readonly inserts: GroupedInserts;
  private last: { readonly store: string; readonly values: Row } | undefined;

  constructor(
    database: DatabaseSyncInstance,
    collection: RowCollection,
    generation: Generation,
    private readonly numbers: StoreNumbers,
  ) {
    const { columns, repeated = [] } = collection;
    this.repeated = repeated;
    this.own = Object.keys(columns).filter((name) => !repeated.includes(name));
    const named = (names: readonly string[]) => names.map((name) => columnOf(collection, name));
    this.inserts = new GroupedInserts(database, tableOf(collection, generation), {
      shared: ['store', ...named(this.repeated)],
      own: named(this.own),
    });
  }

  add({ store, values }: RowWrite): void {
    if (!this.isLikeLast(store, values)) {
      this.inserts.share([this.numbers.of(store), ...this.cells(values, this.repeated)]);
      this.last = { store, values };
    }
    this.inserts.add(this.cells(values, this.own));
  }

  /** Before the transaction ends. */
  finish(): void {
    this.inserts.flush();
  }

  private isLikeLast(store: string, values: Row): boolean {
    const { last } = this;
    return last?.store === store && this.repeated.every((name) => values[name] === last.values[name]);
  }

  private cells(values: Row, names: readonly string[]) {
    return names.map((name) => packed(values[name] ?? null));
  }
}
