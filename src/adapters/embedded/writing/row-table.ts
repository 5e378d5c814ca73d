import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Generation, Row, RowCollection, RowKeys, RowWrite } from '../../../ports/read-models.js';
import type { Cell, Packer } from '../cells.js';
import { GroupedInserts } from './grouped-inserts.js';
import type { Entries } from './key-entries.js';
import { KeyEntries } from './key-entries.js';
import type { StoreNumbers } from './store-numbers.js';
import { columnOf, keyTablesOf, packerOfColumn, PLACE, tableOf } from './tables.js';

/** A column, and how its values lie. */
type Packed = readonly [name: string, pack: Packer];

/** One build of a collection of rows. What is repeated is known by its position before it comes here, so rows need no id. */
export class RowTable {
  /** Columns that mostly repeat, and the others. */
  private readonly repeated: readonly Packed[];
  private readonly own: readonly Packed[];
  private readonly inserts: GroupedInserts;
  private readonly byKeys: readonly KeyEntries[];
  private lastPlace: number;
  private last: { readonly store: string; readonly values: Row } | undefined;

  constructor(
    database: DatabaseSyncInstance,
    collection: RowCollection,
    generation: Generation,
    private readonly numbers: StoreNumbers,
  ) {
    const { columns, repeated = [] } = collection;
    const packing = (name: string): Packed => [name, packerOfColumn(collection, name)];
    this.repeated = repeated.map(packing);
    this.own = Object.keys(columns)
      .filter((name) => !repeated.includes(name))
      .map(packing);
    const named = (of: readonly Packed[]) => of.map(([name]) => columnOf(collection, name));
    const table = tableOf(collection, generation);
    this.inserts = new GroupedInserts(database, table, {
      shared: ['store', ...named(this.repeated)],
      own: [PLACE, ...named(this.own)],
    });
    this.byKeys = keyTablesOf(collection).map((of) => new KeyEntries(database, collection, of, generation));
    const last = database.prepare(`select coalesce(max(${PLACE}), 0) as place from ${table}`);
    this.lastPlace = (last.get() as { readonly place: number }).place;
  }

  add({ store, values, keys }: RowWrite): void {
    const number = this.numbers.of(store);
    const place = (this.lastPlace += 1);
    if (!this.isLikeLast(store, values)) {
      this.inserts.share([number, ...cellsOf(values, this.repeated)]);
      this.last = { store, values };
    }
    this.inserts.add([place, ...cellsOf(values, this.own)]);
    if (keys) for (const table of this.byKeys) table.add(number, place, entriesOf(table, values, keys));
  }

  /** To be called before the transaction ends. */
  finish(): void {
    this.inserts.flush();
    for (const table of this.byKeys) table.finish();
  }

  private isLikeLast(store: string, values: Row): boolean {
    const { last } = this;
    return last?.store === store && this.repeated.every(([name]) => values[name] === last.values[name]);
  }
}

const cellsOf = (values: Row, columns: readonly Packed[]): Cell[] =>
  columns.map(([name, pack]) => pack(values[name] ?? null));

const entriesOf = ({ key, columns }: KeyEntries, values: Row, keys: RowKeys): Entries => ({
  values: keys[key] ?? [],
  columns: columns.map((name) => values[name] ?? null),
});
