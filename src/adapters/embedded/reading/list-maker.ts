import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { Sql } from './conditions.js';
import type { ListPlan, RowList } from './list-plans.js';
import { RowSet } from '../writing/row-set.js';
import { Statements } from './statements.js';

const KEPT_BYTES = 16 * 1024 * 1024;
const OVERHEAD = 500;
/** Up to here it is quicker to fetch the rows that match and to sort them than to order all of them. */
const FEW = 500;

/** What a list is made of, kept until something is written that it rests on. */
interface Made<T> {
  readonly stamp: number | undefined;
  readonly build: number;
  readonly made: T;
}

type Among<T> = LRUCache<string, Made<T>>;

/** Makes lists of row numbers, on a thread that may take its time. The ordered list of a whole store serves all words, the rows of a word all searches with it. */
export class ListMaker {
  private readonly statements: Statements;
  private readonly bases: Among<Int32Array> = new LRUCache({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ made }) => made.byteLength + OVERHEAD,
  });
  private readonly ofWords: Among<RowSet> = new LRUCache({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ made }) => made.bytes + OVERHEAD,
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
    const [first, ...others] = words.each.map((word) => this.rowsWith(word, plan, build));
    if (!first) return new Int32Array();
    const rows = others.reduce((all, one) => all.and(one), first);
    const base = fresh(this.bases.get(plan.base), plan, build);
    if (!base && rows.size < FEW) return this.numbers(words.sorted);
    return rows.pick(base ?? this.base(plan, build));
  }

  private base(plan: ListPlan, build: number): Int32Array {
    return kept(this.bases, plan.base, plan, build, () => this.numbers(plan.ordered));
  }

  private rowsWith(word: Sql, plan: ListPlan, build: number): RowSet {
    return kept(this.ofWords, JSON.stringify(word), plan, build, () => RowSet.of(this.numbers(word)));
  }

  private numbers(statement: Sql): Int32Array {
    return numbersIn((this.cell(statement) as string | null) ?? '');
  }

  private cell({ text, values }: Sql): unknown {
    return (this.statements.of(text).all(...values) as unknown[][])[0]?.[0];
  }
}

function fresh<T>(known: Made<T> | undefined, { stamp }: ListPlan, build: number): T | undefined {
  return stamp !== undefined && known?.stamp === stamp && known.build === build ? known.made : undefined;
}

function kept<T>(among: Among<T>, key: string, plan: ListPlan, build: number, make: () => T): T {
  const known = fresh(among.get(key), plan, build);
  if (known) return known;
  const made = make();
  among.set(key, { stamp: plan.stamp, build, made });
  return made;
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
