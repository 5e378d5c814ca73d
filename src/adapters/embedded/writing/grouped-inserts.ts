import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Cell } from '../cells.js';

/** To hand a statement over costs three times what SQLite does to add a row; more rows at once save hardly more. */
const MOST = 16;

/** Adds rows to a table, several with one statement. What all of these have in common is handed over once. */
export class GroupedInserts {
  private readonly statements: StatementSyncInstance[] = [];
  private shared: readonly Cell[] = [];
  private own: Cell[] = [];
  private count = 0;

  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly table: string,
    private readonly columns: { readonly shared: readonly string[]; readonly own: readonly string[] },
  ) {}

  /** The rows from here on have these cells in common, until they get others. */
  share(cells: readonly Cell[]): void {
    this.flush();
    this.shared = cells;
  }

  add(cells: readonly Cell[]): void {
    for (const cell of cells) this.own.push(cell);
    this.count += 1;
    if (this.count === MOST) this.flush();
  }

  /** To be called before the transaction ends, and before a row that was added is looked for. */
  flush(): void {
    if (this.count === 0) return;
    const statement = (this.statements[this.count] ??= this.prepared(this.count));
    statement.run(...this.shared, ...this.own);
    this.own = [];
    this.count = 0;
  }

  private prepared(rows: number): StatementSyncInstance {
    const { shared, own } = this.columns;
    const places = (from: number, count: number) => Array.from({ length: count }, (_, index) => `?${from + index}`);
    const values = Array.from({ length: rows }, (_, row) =>
      [...places(1, shared.length), ...places(1 + shared.length + row * own.length, own.length)].join(', '),
    );
    return this.database.prepare(
      `insert into ${this.table} (${[...shared, ...own].join(', ')}) values (${values.join('), (')})`,
    );
  }
}
