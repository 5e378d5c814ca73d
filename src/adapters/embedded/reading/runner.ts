import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Cells, Plan } from './plan.js';
import type { Cell } from '../cells.js';
import { unpacked } from '../cells.js';
import type { Sql } from './conditions.js';
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
    const last = found.length > limit ? found[limit - 1] : undefined;
    const end = last && unpackedRow(last.slice(-END), END);
    return { rows: found.slice(0, limit).map((row) => unpackedRow(row, row.length - END)), end };
  }

  private rowsOf({ steps, rows, sparse }: Plan): Cell[][] {
    if (!sparse && steps.length === 1 && steps[0]) return this.raw(steps[0]);
    // Several statements see the same moment.
    this.database.exec('begin');
    try {
      const found = sparse ? Number(this.cells(sparse.probe)[0]?.[0] ?? 0) : 0;
      const result: Cell[][] = [];
      for (const step of sparse && found < sparse.few ? sparse.steps : steps) {
        if (result.length < rows) result.push(...this.raw(step));
      }
      return result.slice(0, rows);
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

/** The columns behind those that were asked for: where a page ends. */
const END = 2;
