import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { Sql } from './read-conditions.js';
import type { ListPlan, RowList } from './read-list-plans.js';
import { Statements } from './read-statements.js';

const KEPT_BYTES = 16 * 1024 * 1024;
const OVERHEAD = 500;
/** Up to here it is quicker to fetch the rows that match and to sort them than to pick them from the ordered list of all. */
const FEW = 500;

interface Base extends RowList {
  readonly stamp: number | undefined;
}

/** Makes lists of row numbers, on a thread that may take its time. The ordered list of a whole store serves all words. */
export class ListMaker {
  private readonly statements: Statements;
  private readonly bases = new LRUCache<string, Base>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ rows }) => rows.byteLength + OVERHEAD,
  });

  constructor(private readonly database: DatabaseSyncInstance) {
    this.statements = new Statements(database);
  }

  make(plan: ListPlan): RowList {
    // All statements see the same moment.
    this.database.exec('begin');
    try {
      const build = Number(this.cell(plan.build));
      return { build, rows: plan.words ? this.matching(plan, plan.words, build) : this.base(plan, build) };
    } finally {
      this.database.exec('commit');
    }
  }

  private matching(plan: ListPlan, words: NonNullable<ListPlan['words']>, build: number): Int32Array {
    const matches = this.numbers(words.matching);
    return matches.length < FEW ? this.numbers(words.sorted) : common(this.base(plan, build), matches);
  }

  private base({ base, stamp, ordered }: ListPlan, build: number): Int32Array {
    const known = this.bases.get(base);
    if (stamp !== undefined && known?.stamp === stamp && known.build === build) return known.rows;
    const rows = this.numbers(ordered);
    this.bases.set(base, { stamp, build, rows });
    return rows;
  }

  private numbers(statement: Sql): Int32Array {
    return numbersIn((this.cell(statement) as string | null) ?? '');
  }

  private cell({ text, values }: Sql): unknown {
    return (this.statements.of(text).all(...values) as unknown[][])[0]?.[0];
  }
}

const COMMA = 44;
const ZERO = 48;

/** Numbers that SQLite has joined by commas: one text of a hundred thousand is read ten times as fast as so many rows. */
function numbersIn(text: string): Int32Array {
  if (text === '') return new Int32Array();
  const numbers = new Int32Array((text.length >> 1) + 1);
  let count = 0;
  let number = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === COMMA) {
      numbers[count++] = number;
      number = 0;
    } else number = 10 * number + character - ZERO;
  }
  numbers[count++] = number;
  return numbers.slice(0, count);
}

/** Those of `ordered` that are in `among`, in their order. */
export function common(ordered: Int32Array, among: Int32Array): Int32Array {
  let largest = 0;
  for (const number of among) if (number > largest) largest = number;
  const present = new Uint8Array(largest + 1);
  for (const number of among) present[number] = 1;
  const found = new Int32Array(Math.min(ordered.length, among.length));
  let count = 0;
  for (const number of ordered) if (present[number] === 1) found[count++] = number;
  return found.slice(0, count);
}
