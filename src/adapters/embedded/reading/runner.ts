import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Cells, Plan } from './plan.js';
import type { Cell } from '../cells.js';
import { unpacked } from '../cells.js';
import type { Sql } from './conditions.js';
import { asJson, withValues } from './rows-as-json.js';
import { Statements } from './statements.js';

/** Runs plans on one connection. */
export class PlanRunner {
  private readonly statements: Statements;

  constructor(private readonly database: DatabaseSyncInstance) {
    this.statements = new Statements(database);
  }

  run(plan: Plan): Cells[] {
    return this.rowsOf(plan).map((row) => unpackedRow(row, row.length));
  }

  /** The rows of a page, without the columns that say where it ends, and where that is if there is more: nobody asks that of other rows. */
  page(plan: Plan, limit: number): { readonly rows: readonly Cells[]; readonly end: Cells | undefined } {
    const found = this.rowsOf(plan);
    const last = endOf(found, limit);
    const end = last && unpackedRow(last, END);
    return { rows: found.slice(0, limit).map((row) => unpackedRow(row, row.length - END)), end };
  }

  /** The rows as JSON, perhaps some more of them than were asked for. */
  json(plan: Plan): string {
    const parts: string[] = [];
    this.walk(plan, (step) => {
      const [count, text] = this.raw(asJson(step, plan.width))[0] ?? [];
      if (typeof text === 'string') parts.push(text);
      return Number(count);
    });
    return withValues(`[${parts.join()}]`);
  }

  private rowsOf(plan: Plan): Cell[][] {
    const found: Cell[][] = [];
    this.walk(plan, (step) => {
      const some = this.raw(step);
      for (const row of some) found.push(row);
      return some.length;
    });
    return found.length > plan.rows ? found.slice(0, plan.rows) : found;
  }

  /** Takes the steps of a plan until there are enough rows; `take` says how many one gave. */
  private walk({ steps, rows, sparse }: Plan, take: (step: Sql) => number): void {
    if (!sparse && steps.length === 1 && steps[0]) {
      take(steps[0]);
      return;
    }
    // Several statements see the same moment.
    this.database.exec('begin');
    try {
      const isSparse = sparse && Number(this.cells(sparse.probe)[0]?.[0] ?? 0) < sparse.few;
      let found = 0;
      for (const step of isSparse ? sparse.steps : steps) if (found < rows) found += take(step);
    } finally {
      this.database.exec('commit');
    }
  }

  raw({ text, values }: Sql): Cell[][] {
    return this.statements.of(text).all(...values) as Cell[][];
  }

  cells(statement: Sql): Cells[] {
    return this.raw(statement).map((row) => unpackedRow(row, row.length));
  }
}

/** The first cells of a row, which is written over. */
function unpackedRow(row: Cell[], length: number): Cells {
  row.length = length;
  for (let index = 0; index < length; index++) {
    const cell = row[index];
    if (cell instanceof Uint8Array) row[index] = unpacked(cell);
  }
  return row as Cells;
}

/** The columns behind those that were asked for. */
const END = 2;

/** Where the page ends whose rows these are, if there are more: the sort's value and the key of its last one. */
export const endOf = <C>(rows: readonly (readonly C[])[], limit: number): C[] | undefined =>
  rows.length > limit ? rows[limit - 1]?.slice(-END) : undefined;
