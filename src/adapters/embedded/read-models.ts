import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type {
  AnyCollection,
  LastRowsQuery,
  Page,
  PagedQuery,
  Query,
  ReadModels,
  RecordCollection,
  Row,
  RowCollection,
  Scalar,
  Slice,
  SliceQuery,
  StoredRecord,
  Summary,
  SummaryWish,
} from '../../ports/read-models.js';
import { Kept } from '../../kernel/kept.js';
import { encodeCursor } from '../page-cursor.js';
import type { ChangeStamps } from './read-changes.js';
import type { RowList } from './read-list-plans.js';
import type { Sql } from './read-conditions.js';
import { BETWEEN, listKey, planBodies, planBodiesOf, planBodiesOfIds, planList } from './read-list-plans.js';
import type { Cells, Plan } from './read-plans.js';
import { planColumns, planCount, planLastRows, planMany, planPage, planSummary } from './read-plans.js';
import { bytesForAnswers } from './read-memory.js';
import type { LargePage } from './read-protocol.js';
import type { Readers } from './read-readers.js';
import { PlanRunner, pageOf } from './read-runner.js';
import { NUMBER_OF_STORE, storeCode } from './read-store-numbers.js';
import { columnOf, OF_STORE, tableOf } from './read-tables.js';

/** What the event loop can afford: everything larger is read by a worker. */
const LOCAL_LIMIT = 200;
const LOCAL_BODIES = 24;
/** So many bodies are read so quickly that others may wait for it. */
const SHORT = 1_000;
const LOCAL_OFFSET = 1_000;
const LOCAL_COUNT = 1_000;

const LISTS_BYTES = 64 * 1024 * 1024;
const COUNTS_BYTES = 1024 * 1024;

/** How often a list is made anew whose rows went away meanwhile. */
const TRIES = 5;

const isSmall = ({ limit, offset = 0, words }: PagedQuery): boolean =>
  limit <= LOCAL_LIMIT && offset <= LOCAL_OFFSET && !words;

const record = ([id, body, hidden]: Cells): StoredRecord => ({
  id: id as string,
  body: body as string,
  hidden: hidden as string,
});

const bodiesIn = (text: string): readonly string[] => (text === '' ? [] : text.split(BETWEEN));

const cursorAt = (sort: PagedQuery['sort'], end: Cells | undefined): string | null =>
  end ? encodeCursor(sort, { value: end[0] ?? null, key: end[1] as string }) : null;

function rowOf<C extends string>(names: readonly C[], cells: Cells): Row<C> {
  const row: Partial<Record<C, Scalar>> = {};
  let index = 0;
  for (const name of names) row[name] = cells[index++] ?? null;
  return row as Row<C>;
}

function readingRows<C extends string, W extends C = C>(collection: RowCollection<C>, wanted?: readonly W[]) {
  const names = wanted ?? (Object.keys(collection.columns) as W[]);
  return {
    columns: names.map((name) => columnOf(collection, name)),
    row: (cells: Cells): Row<W> => rowOf(names, cells),
  };
}

/** Reads `read.db`: what is small at once, what may be large in a worker. */
export class EmbeddedReadModels implements ReadModels {
  private readonly runner: PlanRunner;
  private readonly codes = new Map<string, string>();
  private readonly counts = new Kept<number>(COUNTS_BYTES, () => 0);
  /** Every page of a long list is a piece of the same one. */
  private readonly lists = new Kept<RowList>(LISTS_BYTES, ({ rows }) => rows.byteLength);
  private readonly answers = new Kept<Buffer>(bytesForAnswers(), ({ byteLength }) => byteLength);

  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly readers: Pick<Readers, 'ask' | 'askShort'>,
    private readonly stamps: ChangeStamps,
  ) {
    this.runner = new PlanRunner(database);
  }

  async get(collection: RecordCollection<never>, store: string, id: string): Promise<StoredRecord | undefined> {
    const text = `select id, body, hidden from ${tableOf(collection, 'live')} where ${OF_STORE} and id = ?`;
    const [found] = await this.run({ steps: [{ text, values: [store, id] }], rows: 1 }, true);
    return found && record(found);
  }

  async getMany(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly StoredRecord[]> {
    if (ids.length === 0) return [];
    const cells = await this.run(planMany(collection, store, ids), ids.length <= LOCAL_LIMIT);
    const found = new Map(cells.map((row) => [row[0] as string, record(row)]));
    return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
  }

  async getBodies(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    if (ids.length === 0) return [];
    const text = await this.text(planBodiesOfIds(collection, store, ids), ids.length);
    return text.split(BETWEEN).map((body) => (body === '' ? undefined : body));
  }

  async getColumns<C extends string>(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
    columns: readonly C[],
  ): Promise<readonly (Row<C> | undefined)[]> {
    if (ids.length === 0) return [];
    const names = columns.map((name) => columnOf(collection, name));
    const cells = await this.run(planColumns(collection, store, ids, names), ids.length <= LOCAL_LIMIT);
    return cells.map(([found, ...values]) => (found === null ? undefined : rowOf(columns, values)));
  }

  async find(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<StoredRecord>> {
    return this.page(collection, query, ['id', 'body', 'hidden'], record);
  }

  async findBodies(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<string>> {
    const { limit, offset = 0, sort } = query;
    if (!isSmall(query)) {
      const plan = planPage(collection, query, ['body'], this.codeOf(query.store));
      const { text, end } = (await this.readers.ask({ kind: 'bodies', plan, limit })) as LargePage;
      return { items: bodiesIn(text), nextCursor: cursorAt(sort, end) };
    }
    if (query.cursor === undefined) {
      const bodies = await this.bodies(planBodies(collection, { ...query, offset, limit: limit + 1 }), limit);
      if (bodies.length <= limit) return { items: bodies, nextCursor: null };
    }
    return this.page(collection, query, ['body'], ([body]) => body as string);
  }

  async slice(collection: RecordCollection<never>, query: SliceQuery): Promise<Slice> {
    if (isSmall(query)) {
      const total = await this.count(collection, query);
      return { bodies: await this.bodies(planBodies(collection, query), query.limit), total };
    }
    const { store, offset, limit } = query;
    for (let attempt = 1; ; attempt++) {
      const { build, rows } = await this.list(collection, query, attempt > 1);
      const wanted = rows.subarray(offset, offset + limit);
      const bodies = await this.bodies(planBodiesOf(collection, store, build, wanted), wanted.length);
      if (bodies.length === wanted.length || attempt === TRIES) return { bodies, total: rows.length };
      // Something was written of which this thread has not heard yet.
    }
  }

  async findRows<C extends string, W extends C = C>(
    collection: RowCollection<C>,
    query: PagedQuery,
    wanted?: readonly W[],
  ): Promise<Page<Row<W>>> {
    const { columns, row } = readingRows(collection, wanted);
    return this.page(collection, query, columns, row);
  }

  async lastRows<C extends string>(
    collection: RowCollection<C>,
    store: string,
    query: LastRowsQuery<C>,
  ): Promise<readonly Row<C>[]> {
    if (query.keys.length === 0) return [];
    const { columns, row } = readingRows(collection);
    const plan = planLastRows(collection, store, query, columns);
    return (await this.run(plan, query.keys.length <= LOCAL_LIMIT)).map(row);
  }

  count(collection: AnyCollection, query: Query): Promise<number> {
    const { name } = collection;
    const key = JSON.stringify([name, query.store, query.equal, query.oneOf, query.range, query.words]);
    return this.counts.of(key, this.stamps.ofList(name, query.store), () => this.countNow(collection, query));
  }

  async summarise(collection: AnyCollection, query: Query, wish: SummaryWish): Promise<Summary> {
    const { sum = [], countDistinct = [], countDistinctWhere, least = [], greatest = [] } = wish;
    const [cells = []] = await this.run(planSummary(collection, query, wish), false);
    let next = 1;
    const named = (names: readonly string[]) => names.map((name) => [name, cells[next++] ?? null] as const);
    const numbers = (names: readonly string[]) =>
      Object.fromEntries(named(names).map(([name, value]) => [name, Number(value)]));
    return {
      count: Number(cells[0]),
      sum: numbers(sum),
      countDistinct: numbers(countDistinct),
      countDistinctWhere: numbers(countDistinctWhere?.columns ?? []),
      least: Object.fromEntries(named(least)),
      greatest: Object.fromEntries(named(greatest)),
    };
  }

  kept(
    collections: readonly AnyCollection[],
    store: string,
    key: string,
    make: () => Promise<Buffer>,
  ): Promise<Buffer> {
    const names = collections.map(({ name }) => name);
    return this.answers.of(`${store} ${key}`, this.stamps.ofAll(names, store), make);
  }

  close(): Promise<void> {
    if (this.database.isOpen) this.database.close();
    return Promise.resolve();
  }

  private async page<T>(
    collection: AnyCollection,
    query: PagedQuery,
    columns: readonly string[],
    item: (cells: Cells) => T,
  ): Promise<Page<T>> {
    const { limit, sort } = query;
    const plan = planPage(collection, query, columns, this.codeOf(query.store));
    if (!isSmall(query)) {
      const { text, end } = (await this.readers.ask({ kind: 'page', plan, limit })) as LargePage;
      return { items: (JSON.parse(text) as Cells[]).map(item), nextCursor: cursorAt(sort, end) };
    }
    const { rows, end } = pageOf(this.runner.run(plan), limit);
    return { items: rows.map(item), nextCursor: cursorAt(sort, end) };
  }

  private async bodies(statement: Sql, most: number): Promise<readonly string[]> {
    return bodiesIn(await this.text(statement, most));
  }

  /** What a statement gives as one text, of so many records at most. */
  private async text(statement: Sql, most: number): Promise<string> {
    const [cells] = await this.textCells(statement, most);
    return (cells?.[0] ?? '') as string;
  }

  private async textCells(statement: Sql, most: number): Promise<readonly Cells[]> {
    if (most <= LOCAL_BODIES) return this.runner.cells(statement);
    const asked = { kind: 'cells', statement } as const;
    return (await (most <= SHORT ? this.readers.askShort(asked) : this.readers.ask(asked))) as Cells[];
  }

  private list(collection: RecordCollection<never>, query: SliceQuery, anew: boolean): Promise<RowList> {
    const key = listKey(collection, query);
    const stamp = this.stamps.ofList(collection.name, query.store);
    if (anew) this.lists.forget(key);
    return this.lists.of(key, stamp, async () => {
      const plan = planList(collection, query, anew ? undefined : stamp, this.codeOf(query.store));
      return (await this.readers.ask({ kind: 'list', plan })) as RowList;
    });
  }

  private async countNow(collection: AnyCollection, query: Query): Promise<number> {
    const code = this.codeOf(query.store);
    if (!query.words) {
      const few = await this.number(planCount(collection, query, code, LOCAL_COUNT), true);
      if (few < LOCAL_COUNT) return few;
    }
    return this.number(planCount(collection, query, code), false);
  }

  private async number(plan: Plan, local: boolean): Promise<number> {
    const [cells] = await this.run(plan, local);
    return Number(cells?.[0]);
  }

  private async run(plan: Plan, local: boolean): Promise<readonly Cells[]> {
    if (local) return this.runner.run(plan);
    return JSON.parse((await this.readers.ask({ kind: 'plan', plan })) as string) as Cells[];
  }

  /** How the index of words names a store: fixed once it is known. */
  private codeOf(store: string): string | undefined {
    const known = this.codes.get(store);
    if (known !== undefined) return known;
    const [[number = null] = []] = this.runner.cells({ text: `select ${NUMBER_OF_STORE}`, values: [store] });
    if (number === null) return undefined;
    const code = storeCode(Number(number));
    this.codes.set(store, code);
    return code;
  }
}
