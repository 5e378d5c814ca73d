import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { AnyCollection, Generation, Scalar } from '../../../ports/read-models.js';
import type { Cell, Packer } from '../cells.js';
import { GroupedInserts } from './grouped-inserts.js';
import type { KeyTable } from './tables.js';
import { columnOf, keyTableName, numberOf, packerOfColumn } from './tables.js';

/** What a record or a row is found by in one of these tables: values of the key, and of the columns behind it. */
export interface Entries {
  readonly values: readonly Scalar[];
  readonly columns: readonly Scalar[];
}

const isAlike = (a: readonly Scalar[], b: readonly Scalar[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Says by which values of a key records or rows are found. */
export class KeyEntries {
  readonly key: string;
  readonly columns: readonly string[];
  private readonly packKey: Packer;
  private readonly packers: readonly Packer[];
  private readonly inserts: GroupedInserts;
  private readonly remove: StatementSyncInstance;

  constructor(database: DatabaseSyncInstance, collection: AnyCollection, of: KeyTable, generation: Generation) {
    this.key = of.key;
    this.columns = of.columns;
    this.packKey = packerOfColumn(collection, of.key, 'key');
    this.packers = of.columns.map((name) => packerOfColumn(collection, name, 'key'));
    const named = (name: string): string => columnOf(collection, name);
    const [table, number] = [keyTableName(collection, of, generation), numberOf(collection)];
    this.inserts = new GroupedInserts(database, table, {
      shared: ['store', ...of.columns.map(named), number],
      own: [named(of.key)],
    });
    const [first = ''] = of.columns;
    this.remove = database.prepare(
      `delete from ${table} where store = ? and ${named(of.key)} = ? and ${named(first)} = ? and ${number} = ?`,
    );
  }

  add(store: number, number: number, { values, columns }: Entries): void {
    if (values.length === 0) return;
    this.inserts.share([store, ...columns.map(this.packed), number]);
    for (const value of values) this.inserts.add([this.packKey(value)]);
  }

  /** Whether it is found otherwise than before. */
  change(store: number, number: number, before: Entries | undefined, after: Entries | undefined): boolean {
    if (before && after && isAlike(before.values, after.values) && isAlike(before.columns, after.columns)) return false;
    this.inserts.flush();
    const first = this.packed(before?.columns[0] ?? null, 0);
    for (const value of before?.values ?? []) this.remove.run(store, this.packKey(value), first, number);
    if (after) this.add(store, number, after);
    return true;
  }

  /** To be called before the transaction ends. */
  finish(): void {
    this.inserts.flush();
  }

  private readonly packed = (value: Scalar, place: number): Cell => (this.packers[place] as Packer)(value);
}
