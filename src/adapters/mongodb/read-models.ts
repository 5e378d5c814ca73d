import type { Document } from 'mongodb';
import type {
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
} from '../../ports/read-models.js';
import { keyOf, NOT_KEPT } from '../../ports/read-models.js';
import { inBatches } from '../../kernel/values/batches.js';
import { KnownMeanwhile } from '../../kernel/values/known-meanwhile.js';
import type { Builds } from './builds.js';
import type { Connection } from './connection.js';
import { maxTimeMS } from './connection.js';
import { decodeCursor, encodeCursor } from '../page-cursor.js';
import { afterPage, allOf, conditionsOf, equalConditions, pathOf } from './queries.js';
import type { RecordDocument, RowDocument } from './records.js';
import { storedRecord } from './records.js';
import { distinctPipeline, sumPipeline, valuesPipeline } from './summaries.js';

const VALUES_AT_ONCE = 10_000;
const BODY_ALONE = { body: 1, c: 1 };

type AnyDocument = Document & { readonly _id: string; readonly c?: Readonly<Record<string, Scalar>> };

const rowOf = <C extends string>(columns: readonly C[], stored: RowDocument['c'] = {}): Row<C> =>
  Object.fromEntries(columns.map((column) => [column, stored[column] ?? null])) as Row<C>;

export class MongoReadModels implements ReadModels {
  constructor(
    private readonly connection: Connection,
    private readonly builds: Builds,
  ) {}

  async get(collection: RecordCollection<never>, store: string, id: string): Promise<StoredRecord | undefined> {
    const documents = await this.live(collection);
    const options = { projection: { body: 1, hidden: 1 }, maxTimeMS };
    const found = await this.connection.read(() =>
      documents.findOne<RecordDocument>({ _id: keyOf({ store, id }) }, options),
    );
    return found ? storedRecord(found, store) : undefined;
  }

  async getMany(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly StoredRecord[]> {
    if (ids.length === 0) return [];
    const documents = await this.live(collection);
    const keys = ids.map((id) => keyOf({ store, id }));
    const options = { projection: { body: 1, hidden: 1 }, maxTimeMS };
    const found = await this.connection.read(() =>
      documents.find<RecordDocument>({ _id: { $in: keys } }, options).toArray(),
    );
    const byKey = new Map(found.map((document) => [document._id, storedRecord(document, store)]));
    return keys.flatMap((key) => byKey.get(key) ?? []);
  }

  async getBodies(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    const found = new Map((await this.getMany(collection, store, ids)).map(({ id, body }) => [id, body]));
    return ids.map((id) => found.get(id));
  }

  async getHidden(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    const found = new Map((await this.getMany(collection, store, ids)).map(({ id, hidden }) => [id, hidden]));
    return ids.map((id) => found.get(id));
  }

  async getColumns<C extends string>(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
    columns: readonly C[],
  ): Promise<readonly (Row<C> | undefined)[]> {
    if (ids.length === 0) return [];
    const documents = await this.live(collection);
    const keys = ids.map((id) => keyOf({ store, id }));
    const projection = Object.fromEntries(columns.map((column) => [pathOf(collection, column), 1]));
    // A tombstone has no store.
    const filter = { _id: { $in: keys }, store: { $eq: store } };
    const found = await this.connection.read(() => documents.find(filter, { projection, maxTimeMS }).toArray());
    const byKey = new Map(found.map(({ _id, c }) => [_id, rowOf(columns, c)]));
    return keys.map((key) => byKey.get(key));
  }

  async find(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<StoredRecord>> {
    const { items, nextCursor } = await this.page<RecordDocument>(collection, query);
    return { items: items.flatMap((document) => storedRecord(document, query.store) ?? []), nextCursor };
  }

  async findBodies(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<string>> {
    const { items, nextCursor } = await this.page<RecordDocument>(collection, query, BODY_ALONE);
    return { items: items.map(({ body = '' }) => body), nextCursor };
  }

  async slice(collection: RecordCollection<never>, query: SliceQuery): Promise<Slice> {
    const [{ items }, total] = await Promise.all([this.findBodies(collection, query), this.count(collection, query)]);
    return { bodies: items, total };
  }

  async findRows<C extends string, W extends C = C>(
    collection: RowCollection<C>,
    query: PagedQuery,
    wanted?: readonly W[],
  ): Promise<Page<Row<W>>> {
    if (!wanted) {
      const { items, nextCursor } = await this.page<RowDocument>(collection, query);
      return { items: items.map(({ c }) => c as Row<W>), nextCursor };
    }
    // The page's end is told by the sort's column.
    const paths = [...wanted, query.sort.column].map((column) => [pathOf(collection, column), 1] as const);
    const { items, nextCursor } = await this.page<RowDocument>(collection, query, Object.fromEntries(paths));
    return { items: items.map(({ c }) => rowOf(wanted, c)), nextCursor };
  }

  /** One seek of an index for each key, all at once. */
  async lastRows<C extends string>(
    collection: RowCollection<C>,
    store: string,
    { by, keys, column, upTo }: LastRowsQuery<C>,
  ): Promise<readonly Row<C>[]> {
    const documents = await this.live(collection);
    const moment = pathOf(collection, column);
    const options = { projection: { c: 1 }, sort: new Map([[moment, -1] as const, ['_id', -1] as const]), maxTimeMS };
    const lastOf = (key: readonly Scalar[]) => {
      const matches = by.map((name, index) => ({ [pathOf(collection, name)]: { $eq: key[index] } }));
      const filter = allOf([{ store: { $eq: store } }, ...matches, { [moment]: { $lte: upTo } }]);
      return this.connection.read(() => documents.findOne<RowDocument>(filter, options));
    };
    const found = await Promise.all(keys.map(lastOf));
    return found.flatMap((document) => (document ? [document.c as Row<C>] : []));
  }

  async count(collection: AnyCollection, query: Query): Promise<number> {
    const documents = await this.live(collection);
    const filter = allOf(conditionsOf(collection, query));
    return this.connection.read(() => documents.countDocuments(filter, { maxTimeMS }));
  }

  async distinct(collection: AnyCollection, query: Query, column: string): Promise<readonly (string | number)[]> {
    const pipeline = valuesPipeline(allOf(conditionsOf(collection, query)), pathOf(collection, column));
    const found = (await this.live(collection)).aggregate<{ _id: string | number }>(pipeline, { maxTimeMS });
    return (await this.connection.read(() => found.toArray())).map(({ _id }) => _id);
  }

  /** Some values at a time: a command that names them all can grow beyond what a server takes. */
  async countLinked(collection: RecordCollection<never>, query: Query, link: Link): Promise<number> {
    const { column, to, toColumn, among } = link;
    const values = await this.distinct(to, { store: query.store, oneOf: among }, toColumn);
    const documents = await this.live(collection);
    const counted = await inBatches(values, VALUES_AT_ONCE, async (some) => {
      const named = allOf([...conditionsOf(collection, query), { [pathOf(collection, column)]: { $in: some } }]);
      return [await this.connection.read(() => documents.countDocuments(named, { maxTimeMS }))];
    });
    return counted.reduce((sum, count) => sum + count, 0);
  }

  async summarise(collection: AnyCollection, query: Query, wish: SummaryWish): Promise<Summary> {
    const { sum = [], countDistinct = [], countWhere, least = [], greatest = [] } = wish;
    const documents = await this.live(collection);
    const filter = allOf(conditionsOf(collection, query));
    const first = async (pipeline: Document[]): Promise<Readonly<Record<string, number>>> => {
      const results = documents.aggregate<Record<string, number>>(pipeline, { maxTimeMS });
      return (await this.connection.read(() => results.toArray()))[0] ?? {};
    };
    const paths = (columns: readonly string[]): string[] => columns.map((column) => pathOf(collection, column));
    const end = (direction: 1 | -1) => async (column: string) =>
      [column, await this.extreme(collection, query, column, direction)] as const;
    const distinct = async (column: string) =>
      [column, (await first(distinctPipeline(filter, pathOf(collection, column))))['count'] ?? 0] as const;
    const fewer = countWhere && allOf([filter, ...equalConditions(collection, countWhere)]);
    const [sums, some, all, lows, highs] = await Promise.all([
      first(sumPipeline(filter, paths(sum))),
      fewer && this.connection.read(() => documents.countDocuments(fewer, { maxTimeMS })),
      Promise.all(countDistinct.map(distinct)),
      Promise.all(least.map(end(1))),
      Promise.all(greatest.map(end(-1))),
    ]);
    const count = sums['count'] ?? 0;
    return {
      count,
      countWhere: some ?? count,
      sum: Object.fromEntries(sum.map((column, index) => [column, sums[`sum${index}`] ?? 0])),
      countDistinct: Object.fromEntries(all),
      least: Object.fromEntries(lows),
      greatest: Object.fromEntries(highs),
    };
  }

  /** The first value other than null from one end. */
  private async extreme(collection: AnyCollection, query: Query, column: string, end: 1 | -1): Promise<Scalar> {
    const documents = await this.live(collection);
    const path = pathOf(collection, column);
    const filter = allOf([...conditionsOf(collection, query), { [path]: { $ne: null } }]);
    const options = { projection: { [path]: 1 }, sort: { [path]: end }, maxTimeMS } as const;
    const found = await this.connection.read(() => documents.findOne<AnyDocument>(filter, options));
    return found?.c?.[column] ?? null;
  }

  /** Other processes write as well, of which nothing is heard here. */
  kept<T>(_beneath: Beneath, _store: string, _key: string, make: (resting: Resting) => Promise<T>): Promise<T> {
    return make(NOT_KEPT);
  }

  knownOfEach<T>(_kind: KindOfKnown<T>, _store: string, make: MakeKnown<T>): KnownOfEach<T> {
    return new KnownMeanwhile(make);
  }

  /** Ends the connection, which the other parts of the same `openMongo` share. */
  close(): Promise<void> {
    return this.connection.close();
  }

  private async page<T extends AnyDocument>(
    collection: AnyCollection,
    query: PagedQuery,
    projection: Document = { words: 0, position: 0, k: 0 },
  ): Promise<Page<T>> {
    const { sort, limit, offset = 0, cursor } = query;
    const path = pathOf(collection, sort.column);
    const conditions = conditionsOf(collection, query);
    const filter =
      cursor === undefined
        ? allOf(conditions)
        : afterPage(conditions, path, sort.direction, decodeCursor(sort, cursor));
    const order = sort.direction === 'asc' ? 1 : -1;
    const documents = await this.live(collection);
    const found = await this.connection.read(() =>
      documents
        .find<T>(filter, { projection, batchSize: limit + 1, maxTimeMS })
        .sort(new Map([[path, order] as const, ['_id', order] as const]))
        .skip(offset)
        .limit(limit + 1)
        .toArray(),
    );
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    const nextCursor = last ? encodeCursor(sort, { value: last.c?.[sort.column] ?? null, key: last._id }) : null;
    return { items, nextCursor };
  }

  private async live(collection: AnyCollection) {
    return this.connection.collection<AnyDocument>(await this.builds.liveName(collection));
  }
}
