import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Cells, Plan } from './plans.js';
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

  run({ steps, rows, sparse }: Plan): Cells[] {
    if (!sparse && steps.length === 1 && steps[0]) return this.cells(steps[0]);
    // Several statements see the same moment.
    this.database.exec('begin');
    try {
      const found = sparse ? Number(this.cells(sparse.probe)[0]?.[0] ?? 0) : 0;
      const result: Cells[] = [];
      for (const step of sparse && found < sparse.few ? sparse.steps : steps) {
        if (result.length < rows) result.push(...this.cells(step));
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
    const rows = this.raw(statement);
    for (const row of rows) {
      for (let index = 0; index < row.length; index++) {
        const cell = row[index];
        if (cell instanceof Uint8Array) row[index] = unpacked(cell);
      }
    }
    return rows as Cells[];
  }
}

/** The columns behind those that were asked for: where a page ends. */
const END = 2;

export const withoutEnd = (row: Cells): Cells => row.slice(0, -END);

/** The rows of a page, and where it ends if there is more. */
export function pageOf(
  found: readonly Cells[],
  limit: number,
): { readonly rows: readonly Cells[]; readonly end: Cells | undefined } {
  const end = found.length > limit ? found[limit - 1]?.slice(-END) : undefined;
  return { rows: found.slice(0, limit), end };
}
