import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Generation, Row, RowCollection, RowKeys, RowWrite } from '../../../ports/read-models.js';
import type { Cell } from '../cells.js';
import { packedList, packerOf } from '../cells.js';
import { GroupedInserts } from './grouped-inserts.js';
import type { StoreNumbers } from './store-numbers.js';
import type { KeyTable } from './tables.js';
import { columnOf, keyTableName, keyTablesOf, PLACE, tableOf } from './tables.js';

const packed = packerOf({ kind: 'rows' });

/** One build of a collection of rows. What is repeated is known by its position before it comes here, so rows need no id. */
export class RowTable {
  /** Columns that mostly repeat, and the others. */
  private readonly repeated: readonly string[];
  private readonly own: readonly string[];
  private readonly lists: ReadonlySet<string>;
  private readonly inserts: GroupedInserts;
  private readonly byKeys: readonly KeyRows[];
  private lastPlace: number;
  private last: { readonly store: string; readonly values: Row } | undefined;

  constructor(
    database: DatabaseSyncInstance,
    collection: RowCollection,
    generation: Generation,
    private readonly numbers: StoreNumbers,
  ) {
    const { columns, repeated = [] } = collection;
    this.lists = new Set(Object.entries(columns).flatMap(([name, type]) => (type === 'list' ? [name] : [])));
    this.repeated = repeated;
    this.own = Object.keys(columns).filter((name) => !repeated.includes(name));
    const named = (names: readonly string[]) => names.map((name) => columnOf(collection, name));
    const table = tableOf(collection, generation);
    this.inserts = new GroupedInserts(database, table, {
      shared: ['store', ...named(this.repeated)],
      own: [PLACE, ...named(this.own)],
    });
    this.byKeys = keyTablesOf(collection).map((of) => new KeyRows(database, collection, of, generation));
    const last = database.prepare(`select coalesce(max(${PLACE}), 0) as place from ${table}`);
    this.lastPlace = (last.get() as { readonly place: number }).place;
  }

  add({ store, values, keys }: RowWrite): void {
    const number = this.numbers.of(store);
    const place = (this.lastPlace += 1);
    if (!this.isLikeLast(store, values)) {
      this.inserts.share([number, ...this.cells(values, this.repeated)]);
      this.last = { store, values };
    }
    this.inserts.add([place, ...this.cells(values, this.own)]);
    if (keys) for (const table of this.byKeys) table.add(number, place, values, keys);
  }

  /** Before the transaction ends. */
  finish(): void {
    this.inserts.flush();
    for (const table of this.byKeys) table.finish();
  }

  private isLikeLast(store: string, values: Row): boolean {
    const { last } = this;
    return last?.store === store && this.repeated.every((name) => values[name] === last.values[name]);
  }

  private cells(values: Row, names: readonly string[]): Cell[] {
    return names.map((name) => {
      const value = values[name] ?? null;
      return typeof value === 'string' && this.lists.has(name) ? packedList(value) : packed(value);
    });
  }
}

/** What says by which values of a key the rows are found. */
class KeyRows {
  private readonly inserts: GroupedInserts;

  constructor(
    database: DatabaseSyncInstance,
    collection: RowCollection,
    private readonly of: KeyTable,
    generation: Generation,
  ) {
    const named = (name: string): string => columnOf(collection, name);
    this.inserts = new GroupedInserts(database, keyTableName(collection, of, generation), {
      shared: ['store', ...of.columns.map(named), PLACE],
      own: [named(of.key)],
    });
  }

  add(store: number, place: number, values: Row, keys: RowKeys): void {
    const { key, columns } = this.of;
    const found = keys[key] ?? [];
    if (found.length === 0) return;
    this.inserts.share([store, ...columns.map((name) => packed(values[name] ?? null)), place]);
    for (const value of found) this.inserts.add([packed(value)]);
  }

  finish(): void {
    this.inserts.flush();
  }
}
