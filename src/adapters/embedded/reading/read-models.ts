import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type {
  CacheSize,
  AnyCollection,
  Beneath,
  KindOfKnown,
  KnownOfEach,
  MakeKnown,
  LastRowsQuery,
  Link,
  Page,
  PagedQuery,
  Query,
  ReadModels,
  RecordCollection,
  Resting,
  Row,
  RowCollection,
  Scalar,
  Slice,
  SliceQuery,
  StoredRecord,
  Summary,
  SummaryWish,
} from '../../../ports/read-models.js';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';
import { encodeCursor } from '../../page-cursor.js';
import type { MemoryShares } from '../memory.js';
import { sharesOf } from '../memory.js';
import { packed } from '../cells.js';
import { bodyOf, typicalOf } from '../packed-bodies.js';
import type { ChangeStamps } from './changes.js';
import { KeptAnswers } from './kept-answers.js';
import type { RecordMark } from './known-records.js';
import { KnownSubjects } from './known-of-each.js';
import { KnownRecords } from './known-records.js';
import type { RowList } from './list-plans.js';
import type { Sql } from './conditions.js';
import {
  BETWEEN,
  listKey,
  planBodies,
  planBodiesOf,
  planBodiesOfIds,
  planHiddenOfIds,
  planList,
  planPartsOfIds,
} from './list-plans.js';
import type { Cells } from './plan.js';
import {
  planColumns,
  planCount,
  planDistinct,
  planLastRows,
  planLinkedCount,
  planMany,
  planPage,
  planSummary,
} from './plans.js';
import type { Readers } from './readers.js';
import { isSmall, ReadRouting } from './routing.js';
import { NUMBER_OF_STORE, storeCode } from '../writing/store-numbers.js';
import { columnOf, OF_STORE, tableOf } from '../writing/tables.js';

/** So many are counted at once. */
const FEW = 1_000;

const COUNTS_BYTES = 1024 * 1024;

/** How often a list is made anew whose rows went away meanwhile. */
const TRIES = 5;

const record = ([id, body, hidden]: Cells): StoredRecord => ({
  id: id as string,
  body: body as string,
  hidden: hidden as string,
});

const cursorAt = (sort: PagedQuery['sort'], end: Cells | undefined): string | null =>
  end ? encodeCursor(sort, { value: end[0] ?? null, key: String(end[1]) }) : null;

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

type CacheShares = Pick<MemoryShares, 'listsBytes' | 'answersBytes' | 'recordsBytes' | 'subjectsBytes'>;

/** Reads `read.db`: what is small at once, what may be large in a worker. */
export class EmbeddedReadModels implements ReadModels {
  private readonly routing: ReadRouting;
  private readonly codes = new Map<string, string>();
  private readonly counts = new StampedCache<number>(COUNTS_BYTES, () => 0);
  /** Every page of a long list is a piece of the same one. */
  private readonly lists: StampedCache<RowList>;
  private readonly answers: KeptAnswers;
  private readonly known: KnownRecords;
  private readonly subjects: KnownSubjects;

  constructor(
    private readonly database: DatabaseSyncInstance,
    readers: Pick<Readers, 'ask' | 'askShort'>,
    private readonly stamps: ChangeStamps,
    { listsBytes, answersBytes, recordsBytes, subjectsBytes }: CacheShares = sharesOf(),
  ) {
    this.lists = new StampedCache(listsBytes, ({ rows }) => rows.byteLength);
    this.answers = new KeptAnswers(answersBytes, stamps);
    this.known = new KnownRecords(recordsBytes, stamps);
    this.subjects = new KnownSubjects(subjectsBytes, stamps);
    this.routing = new ReadRouting(database, readers);
  }

  cacheSizes(): readonly CacheSize[] {
    return [
      { name: 'answers', entries: this.answers.entriesHeld, bytes: this.answers.bytes },
      { name: 'records', entries: this.known.entriesHeld, bytes: this.known.bytes },
      { name: 'subjects', entries: this.subjects.entriesHeld, bytes: this.subjects.bytes },
      { name: 'lists', entries: this.lists.entriesHeld, bytes: this.lists.weight },
    ];
  }

  async get(collection: RecordCollection<never>, store: string, id: string): Promise<StoredRecord | undefined> {
    const text = `select id, ${bodyOf(collection)}, hidden from ${tableOf(collection, 'live')} where ${OF_STORE} and id = ?`;
    const [found] = await this.routing.rows({ steps: [{ text, values: [store, packed(id)] }], rows: 1, width: 3 }, 1);
    return found && record(found);
  }

  async getMany(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly StoredRecord[]> {
    if (ids.length === 0) return [];
    const cells = await this.routing.rows(planMany(collection, store, ids), ids.length);
    const found = new Map(cells.map((row) => [row[0] as string, record(row)]));
    return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
  }

  async getBodies(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    return this.texts(planBodiesOfIds(collection, store, ids), ids.length);
  }

  async getHidden(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    return this.texts(planHiddenOfIds(collection, store, ids), ids.length);
  }

  private async texts(plan: Sql, count: number): Promise<readonly (string | undefined)[]> {
    if (count === 0) return [];
    const text = await this.routing.text(plan, count);
    return text.split(BETWEEN).map((one) => (one === '' ? undefined : one));
  }

  async getColumns<C extends string>(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
    columns: readonly C[],
  ): Promise<readonly (Row<C> | undefined)[]> {
    if (ids.length === 0) return [];
    const names = columns.map((name) => columnOf(collection, name));
    const cells = await this.routing.rows(planColumns(collection, store, ids, names), ids.length);
    return cells.map(([found, ...values]) => (found === null ? undefined : rowOf(columns, values)));
  }

  async find(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<StoredRecord>> {
    if (typicalOf(collection) === undefined) return this.page(collection, query, ['id', 'body', 'hidden'], record);
    const mark = ([id, position]: Cells): RecordMark => ({ id: String(id), position: String(position) });
    const { items, nextCursor } = await this.page(collection, query, ['id', 'position'], mark);
    const records = await this.known.of(collection, query.store, items, (ids) =>
      this.routing.text(planPartsOfIds(collection, query.store, ids), ids.length),
    );
    return { items: records, nextCursor };
  }

  async findBodies(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<string>> {
    const plan = planPage(collection, query, [bodyOf(collection)], this.codeOf(query.store));
    const { items, end } = await this.routing.pageOfBodies(plan, query);
    return { items, nextCursor: cursorAt(query.sort, end) };
  }

  async slice(collection: RecordCollection<never>, query: SliceQuery): Promise<Slice> {
    if (isSmall(query)) {
      const total = await this.count(collection, query);
      return { bodies: await this.routing.bodies(planBodies(collection, query), query.limit), total };
    }
    const { store, offset, limit } = query;
    for (let attempt = 1; ; attempt++) {
      const { build, rows } = await this.list(collection, query, attempt > 1);
      const wanted = rows.subarray(offset, offset + limit);
      const bodies = await this.routing.bodies(planBodiesOf(collection, store, build, wanted), wanted.length);
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
    return (await this.routing.rows(plan, query.keys.length)).map(row);
  }

  count(collection: AnyCollection, query: Query): Promise<number> {
    const { name } = collection;
    const key = JSON.stringify([name, query.store, query.equal, query.oneOf, query.range, query.words]);
    return this.counts.getOrMake(key, this.stamps.ofList(name, query.store), () => this.countNow(collection, query));
  }

  async countLinked(collection: RecordCollection<never>, query: Query, link: Link): Promise<number> {
    const [cells = []] = await this.routing.rows(planLinkedCount(collection, query, link));
    return Number(cells[0]);
  }

  async summarise(collection: AnyCollection, query: Query, wish: SummaryWish): Promise<Summary> {
    const { sum = [], countDistinct = [], least = [], greatest = [] } = wish;
    const [cells = []] = await this.routing.rows(planSummary(collection, query, wish));
    let next = 2;
    const named = (names: readonly string[]) => names.map((name) => [name, cells[next++] ?? null] as const);
    const numbers = (names: readonly string[]) =>
      Object.fromEntries(named(names).map(([name, value]) => [name, Number(value)]));
    return {
      count: Number(cells[0]),
      countWhere: Number(cells[1]),
      sum: numbers(sum),
      countDistinct: numbers(countDistinct),
      least: Object.fromEntries(named(least)),
      greatest: Object.fromEntries(named(greatest)),
    };
  }

  async distinct(collection: AnyCollection, query: Query, column: string): Promise<readonly (string | number)[]> {
    const rows = await this.routing.rows(planDistinct(collection, query, column));
    return rows.map(([value]) => value as string | number);
  }

  kept<T>(beneath: Beneath, store: string, key: string, make: (resting: Resting) => Promise<T>): Promise<T> {
    return this.answers.getOrMake(beneath, store, key, make);
  }

  knownOfEach<T>(kind: KindOfKnown<T>, store: string, make: MakeKnown<T>): KnownOfEach<T> {
    return this.subjects.ofKind(kind, store, make);
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
    const plan = planPage(collection, query, columns, this.codeOf(query.store));
    const { items, end } = await this.routing.page(plan, query);
    return { items: items.map(item), nextCursor: cursorAt(query.sort, end) };
  }

  private list(collection: RecordCollection<never>, query: SliceQuery, anew: boolean): Promise<RowList> {
    const key = listKey(collection, query);
    const stamp = this.stamps.ofList(collection.name, query.store);
    if (anew) this.lists.forget(key);
    const code = this.codeOf(query.store);
    return this.lists.getOrMake(key, stamp, () =>
      this.routing.list(planList(collection, query, anew ? undefined : stamp, code)),
    );
  }

  private async countNow(collection: AnyCollection, query: Query): Promise<number> {
    const code = this.codeOf(query.store);
    const numberIn = ([cells]: readonly Cells[]) => Number(cells?.[0]);
    if (!query.words) {
      const few = numberIn(await this.routing.rows(planCount(collection, query, code, FEW), 1));
      if (few < FEW) return few;
    }
    return numberIn(await this.routing.rows(planCount(collection, query, code)));
  }

  /** How the index of words names a store: fixed once it is known. */
  private codeOf(store: string): string | undefined {
    const known = this.codes.get(store);
    if (known !== undefined) return known;
    const [[number = null] = []] = this.routing.cells({ text: `select ${NUMBER_OF_STORE}`, values: [store] });
    if (number === null) return undefined;
    const code = storeCode(Number(number));
    this.codes.set(store, code);
    return code;
  }
}
