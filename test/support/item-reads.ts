import type { StoreReads } from '../../src/kernel/routes/request-context.js';
import { KnownMeanwhile } from '../../src/kernel/values/known-meanwhile.js';
import { wordsOf } from '../../src/kernel/values/words.js';
import type {
  AnyCollection,
  PagedQuery,
  Query,
  RecordCollection,
  Row,
  RowKeys,
  Scalar,
  StoredRecord,
} from '../../src/ports/read-models.js';
import { NOT_KEPT } from '../../src/ports/read-models.js';

/** A record or a row, and what it is found by. */
export interface Item {
  readonly id: string;
  readonly document: object;
  readonly columns: Row;
  readonly keys?: RowKeys | undefined;
}

const has = ({ columns, keys = {} }: Item, name: string, value: Scalar): boolean =>
  columns[name] === value || keys[name]?.includes(value) === true;

const byValue = (a: Scalar | undefined, b: Scalar | undefined): number => {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return a < b ? -1 : 1;
};

/** A page goes on behind its last item, whatever came meanwhile. */
const cursorAt = ({ id, columns }: Item, column: string): string => JSON.stringify([columns[column] ?? null, id]);

function itemAt(cursor: string, column: string): Item {
  const [value, id] = JSON.parse(cursor) as readonly [Scalar, string];
  return { id, document: {}, columns: { [column]: value } };
}

/** Queries of records and rows that are all in memory. */
export abstract class ItemReads implements StoreReads {
  protected abstract itemsOf(collection: AnyCollection): readonly Item[];

  kept: StoreReads['kept'] = (_beneath, _key, make) => make(NOT_KEPT);

  knownOfEach: StoreReads['knownOfEach'] = (_kind, make) => new KnownMeanwhile(make);

  get: StoreReads['get'] = async (collection, id) => (await this.getMany(collection, [id]))[0];

  getMany: StoreReads['getMany'] = (collection, ids) => {
    const items = this.itemsOf(collection);
    const found = ids.map((id) => items.find((item) => item.id === id)).filter((item) => item !== undefined);
    return Promise.resolve(found.map((item) => recordOf(collection, item)));
  };

  getBodies: StoreReads['getBodies'] = async (collection, ids) =>
    Promise.all(ids.map(async (id) => (await this.get(collection, id))?.body));

  getHidden: StoreReads['getHidden'] = async (collection, ids) =>
    Promise.all(ids.map(async (id) => (await this.get(collection, id))?.hidden));

  getColumns: StoreReads['getColumns'] = (collection, ids) => {
    const items = this.itemsOf(collection);
    return Promise.resolve(ids.map((id) => items.find((item) => item.id === id)?.columns) as never);
  };

  find: StoreReads['find'] = (collection, query) => {
    const { items, nextCursor } = this.page(collection, query);
    return Promise.resolve({ items: items.map((item) => recordOf(collection, item)), nextCursor });
  };

  findBodies: StoreReads['findBodies'] = async (collection, query) => {
    const { items, nextCursor } = await this.find(collection, query);
    return { items: items.map(({ body }) => body), nextCursor };
  };

  slice: StoreReads['slice'] = async (collection, query) => {
    const { items } = await this.findBodies(collection, query);
    return { bodies: items, total: this.matching(collection, query).length };
  };

  findRows: StoreReads['findRows'] = (collection, query) => {
    const { items, nextCursor } = this.page(collection, query);
    return Promise.resolve({ items: items.map(({ columns }) => columns), nextCursor } as never);
  };

  lastRows: StoreReads['lastRows'] = (collection, { by, keys, column, upTo }) => {
    const items = this.itemsOf(collection);
    const last = keys.flatMap((key) => {
      const own = items
        .filter((item) => by.every((name, index) => has(item, name, key[index] ?? null)))
        .map(({ columns }) => columns);
      const past = own.filter((row) => byValue(row[column], upTo) <= 0);
      return past.sort((a, b) => byValue(a[column], b[column])).slice(-1);
    });
    return Promise.resolve(last as never);
  };

  count: StoreReads['count'] = (collection, query) => Promise.resolve(this.matching(collection, query).length);

  countLinked: StoreReads['countLinked'] = (collection, query, { column, to, toColumn, among }) => {
    const values = new Set(this.matching(to, { oneOf: among }).map(({ columns }) => columns[toColumn] ?? null));
    values.delete(null);
    const found = this.matching(collection, query).filter(({ columns }) => values.has(columns[column] ?? null));
    return Promise.resolve(found.length);
  };

  summarise: StoreReads['summarise'] = (collection, query, what) => {
    const items = this.matching(collection, query);
    const fewer = this.matching(collection, { ...query, equal: { ...query.equal, ...what.countWhere } });
    const values = (name: string) =>
      items.map(({ columns }) => columns[name] ?? null).filter((value) => value !== null);
    const named = <T>(names: readonly string[] = [], of: (values: readonly (string | number)[]) => T) =>
      Object.fromEntries(names.map((name) => [name, of(values(name))]));
    const distinct = (all: readonly (string | number)[]) => new Set(all).size;
    return Promise.resolve({
      count: items.length,
      countWhere: fewer.length,
      sum: named(what.sum, (all) => all.reduce<number>((sum, value) => sum + Number(value), 0)),
      countDistinct: named(what.countDistinct, distinct),
      least: named(what.least, (all) => [...all].sort(byValue)[0] ?? null),
      greatest: named(what.greatest, (all) => [...all].sort(byValue).at(-1) ?? null),
    });
  };

  distinct: StoreReads['distinct'] = (collection, query, column) => {
    const values = this.matching(collection, query).map(({ columns }) => columns[column] ?? null);
    return Promise.resolve([...new Set(values)].filter((value) => value !== null));
  };

  private page(collection: AnyCollection, query: Omit<PagedQuery, 'store'>) {
    const { sort, limit, offset = 0, cursor } = query;
    const way = sort.direction === 'asc' ? 1 : -1;
    const order = (a: Item, b: Item) =>
      way * (byValue(a.columns[sort.column], b.columns[sort.column]) || byValue(a.id, b.id));
    const items = [...this.matching(collection, query)].sort(order);
    const first =
      cursor === undefined ? offset : items.findIndex((item) => order(item, itemAt(cursor, sort.column)) > 0);
    const page = first < 0 ? [] : items.slice(first, first + limit);
    const last = page.at(-1);
    return { items: page, nextCursor: last && last !== items.at(-1) ? cursorAt(last, sort.column) : null };
  }

  private matching(collection: AnyCollection, { equal = {}, oneOf, range, words }: Omit<Query, 'store'>): Item[] {
    const begun = words === undefined ? [] : wordsOf(words);
    return this.itemsOf(collection).filter(
      (item) =>
        Object.entries(equal).every(([name, value]) => has(item, name, value)) &&
        isWithin(item.columns, range) &&
        begun.every((word) => textWordsOf(collection, item).some((one) => one.startsWith(word))) &&
        (!oneOf || oneOf.values.some((value) => has(item, oneOf.column, value))),
    );
  }
}

const textWordsOf = (collection: AnyCollection, { document }: Item): readonly string[] =>
  'words' in collection ? wordsOf(collection.words(document as never)) : [];

function isWithin(columns: Row, range: Query['range']): boolean {
  if (!range) return true;
  const { column, from, after, to, before } = range;
  const against = (bound: Scalar | undefined) => (bound === undefined ? undefined : byValue(columns[column], bound));
  const [low, above, high, below] = [against(from), against(after), against(to), against(before)];
  const isBeyond = (low ?? 0) >= 0 && (above ?? 1) > 0;
  return isBeyond && (high ?? 0) <= 0 && (below ?? -1) < 0;
}

const records = new WeakMap<Item, StoredRecord>();

function recordOf(collection: RecordCollection<never>, item: Item): StoredRecord {
  const known = records.get(item);
  if (known) return known;
  const record = storedRecord(collection, item);
  records.set(item, record);
  return record;
}

function storedRecord(collection: RecordCollection<never>, { id, document }: Item): StoredRecord {
  const members = Object.entries(document);
  const isHidden = ([name]: [string, unknown]) => collection.hidden.includes(name);
  return {
    id,
    body: JSON.stringify(Object.fromEntries(members.filter((member) => !isHidden(member)))),
    hidden: JSON.stringify(Object.fromEntries(members.filter(isHidden))),
  };
}

export const columnsOf = ({ columns }: RecordCollection<never>, document: object, id: string): Row =>
  Object.fromEntries(Object.entries(columns).map(([name, { of }]) => [name, of(document as never, id)]));

export const keysOf = ({ keys = {} }: RecordCollection<never>, document: object, id: string): RowKeys =>
  Object.fromEntries(Object.entries(keys).map(([name, { of }]) => [name, of(document as never, id)]));
