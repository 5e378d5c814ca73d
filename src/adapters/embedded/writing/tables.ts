import { randomUUID } from 'node:crypto';
import type { AnyCollection, ColumnType, Generation } from '../../../ports/read-models.js';
import type { Packer, Place } from '../cells.js';
import { packerOf } from '../cells.js';
import { typicalOf } from '../packed-bodies.js';
import { NUMBER_OF_STORE } from './store-numbers.js';

/** Names and definitions of the tables in `read.db`: two builds of each collection, `live` and `next`. */

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Named = Pick<AnyCollection, 'name'> & { readonly totalsOf?: string };

const tableNameOf = ({ name, totalsOf }: Named, generation: Generation): string =>
  totalsOf === undefined ? `${generation}:${name}` : `${generation}:${totalsOf}:totals`;

const wordsTableNameOf = ({ name }: Named, generation: Generation): string => `${generation}:${name}:words`;

export const tableOf = (of: Named, generation: Generation): string => quoted(tableNameOf(of, generation));

export const wordsTableOf = (of: Named, generation: Generation): string => quoted(wordsTableNameOf(of, generation));

/** All that a collection of this name may have, but for the tables of its keys. */
export const tableNamesOf = ({ name }: { readonly name: string }, generation: Generation): readonly string[] => [
  tableNameOf({ name }, generation),
  wordsTableNameOf({ name }, generation),
  tableNameOf({ name, totalsOf: name }, generation),
];

/** What the names of all tables of a collection's keys begin with. */
export const keyTablesPrefix = ({ name }: { readonly name: string }, generation: Generation): string =>
  `${generation}:${name}:by `;

/** The names of its keys, and what their values are. */
export function keysOf(collection: AnyCollection): Readonly<Record<string, ColumnType>> {
  const keys: Readonly<Record<string, ColumnType | { readonly type: ColumnType }>> = collection.keys ?? {};
  return Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, typeof key === 'string' ? key : key.type]),
  );
}

/** What a collection holds by one of its keys: a table that is its own index. */
export interface KeyTable {
  readonly key: string;
  /** The columns behind the key. */
  readonly columns: readonly string[];
}

export const keyTablesOf = (collection: AnyCollection): readonly KeyTable[] =>
  collection.indexes.flatMap(([key = '', ...columns]: readonly string[]) =>
    Object.hasOwn(keysOf(collection), key) ? [{ key, columns }] : [],
  );

export const keyTableName = (
  collection: { readonly name: string },
  { key, columns }: KeyTable,
  generation: Generation,
): string => quoted(keyTablesPrefix(collection, generation) + [key, ...columns].join());

/** Declared columns have a prefix of their own, so that one may be called `id` or `body`. */
export const columnOf = (collection: AnyCollection, name: string): string => {
  if (!Object.hasOwn(collection.columns, name) && !Object.hasOwn(keysOf(collection), name)) {
    throw new Error(`${collection.name} has no column ${name}`);
  }
  return quoted(`c:${name}`);
};

/** How the values of a column or key lie. */
export function packerOfColumn(collection: AnyCollection, name: string, place?: Place): Packer {
  const column: ColumnType | { readonly type: ColumnType } | undefined = collection.columns[name as never];
  const type = typeof column === 'object' ? column.type : (column ?? keysOf(collection)[name]);
  return packerOf(collection, type ?? 'text', place);
}

export const hasWords = (collection: AnyCollection): boolean =>
  collection.kind === 'records' && collection.words !== undefined;

/** The number of a row: rows lie in the order in which they were written, which is that of their ids. */
export const PLACE = 'place';

/** The number by which a record or a row is found, also from the tables of its keys. */
export const numberOf = ({ kind }: AnyCollection): string => (kind === 'records' ? 'record' : PLACE);

/** What breaks the ties of a sort. */
export const keyOf = ({ kind }: AnyCollection): string => (kind === 'records' ? 'id' : PLACE);

const columnTypes = (collection: AnyCollection): [string, ColumnType][] =>
  Object.entries<ColumnType | { readonly type: ColumnType }>(collection.columns).map(([name, column]) => {
    const type = typeof column === 'string' ? column : column.type;
    return [name, type];
  });

/** The tables of a collection: its own, and those of its totals. */
const withTotals = (collection: AnyCollection): readonly AnyCollection[] => {
  const totals = collection.kind === 'records' ? collection.totals?.collection : undefined;
  return totals ? [collection, totals] : [collection];
};

/** Raise it when tables are laid out otherwise. */
const LAYOUT = 6;

/** Another shape needs another table. */
export const shapeOf = (collection: AnyCollection): string => {
  const { kind, version, indexes } = collection;
  const shape = [LAYOUT, kind, version, columnTypes(collection), indexes, hasWords(collection)];
  const typical = typicalOf(collection) ?? [];
  return JSON.stringify([
    ...shape,
    ...(withTotals(collection).length > 1 ? ['totals'] : []),
    typical,
    ...Object.entries(keysOf(collection)),
  ]);
};

/** Words are the folded ones, each behind the number of its store; one letter of a word is looked up as fast as a whole one. */
const WORD_INDEX = `fts5(words, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '5')`;

export const OF_STORE = `store = ${NUMBER_OF_STORE}`;

export const createTables = (collection: AnyCollection, generation: Generation): string =>
  withTotals(collection)
    .map((each) => createTable(each, generation))
    .join(' ');

/** SQLite keeps bytes as they are in a column of texts. */
const affinityOf = (type: ColumnType): string => (type === 'id' ? 'text' : type);

function createTable(collection: AnyCollection, generation: Generation): string {
  const columns = columnTypes(collection).map(([name, type]) => `${columnOf(collection, name)} ${affinityOf(type)}`);
  // The long texts come last, so that what is read alone lies before the overflow pages.
  const definition =
    collection.kind === 'records'
      ? `(${['record integer primary key, store integer not null, id text not null', ...columns].join(', ')},
         position text not null, hidden text not null, body text not null, unique (store, id))`
      : `(${[`${PLACE} integer primary key, store integer not null`, ...columns].join(', ')})`;
  const words = hasWords(collection)
    ? `create virtual table ${wordsTableOf(collection, generation)} using ${WORD_INDEX};`
    : '';
  const keys = keyTablesOf(collection).map((table) => createKeyTable(collection, table, generation));
  return `create table ${tableOf(collection, generation)} ${definition}; ${words} ${keys.join(' ')}
    ${createIndexes(collection, generation)}`;
}

/** Its rows lie in the order of the key and of the first column behind it. */
function createKeyTable(collection: AnyCollection, table: KeyTable, generation: Generation): string {
  const types = new Map([...columnTypes(collection), ...Object.entries(keysOf(collection))]);
  const [first = '', ...others] = table.columns;
  const column = (name: string): string => `${columnOf(collection, name)} ${affinityOf(types.get(name) ?? 'text')}`;
  const columns = [...[table.key, first].map((name) => `${column(name)} not null`), ...others.map(column)];
  const number = numberOf(collection);
  const order = ['store', columnOf(collection, table.key), columnOf(collection, first), number];
  return `create table ${keyTableName(collection, table, generation)} (
    store integer not null, ${columns.join(', ')}, ${number} integer not null, primary key (${order.join(', ')})
  ) without rowid;`;
}

/** Made with the tables, although to make them of what is there takes half the work: nothing else could be written in all that time. */
function createIndexes(collection: AnyCollection, generation: Generation): string {
  const ofColumns = (names: readonly string[]): boolean => !Object.hasOwn(keysOf(collection), names[0] ?? '');
  const indexes = collection.indexes.filter(ofColumns).map((names: readonly string[]) => {
    const ends = collection.kind === 'records' ? ['id'] : []; // an index holds the place of each row by itself
    const list = ['store', ...names.map((name) => columnOf(collection, name)), ...ends].join(', ');
    // An index keeps its name when its table is renamed, so the name must never come again.
    const index = quoted(`${collection.name}:${names.join(',')}:${randomUUID()}`);
    return `create index ${index} on ${tableOf(collection, generation)} (${list});`;
  });
  return indexes.join(' ');
}

/** Readers see the one build or the other, never none: this runs in a transaction, in which the live tables were set aside. */
export function switchTables(collection: AnyCollection): string {
  const rename = (name: typeof tableOf, of: AnyCollection): string =>
    `alter table ${name(of, 'next')} rename to ${name(of, 'live')};`;
  const words = hasWords(collection) ? rename(wordsTableOf, collection) : '';
  const keys = keyTablesOf(collection).map(
    (table) =>
      `alter table ${keyTableName(collection, table, 'next')} rename to ${keyTableName(collection, table, 'live')};`,
  );
  return `${withTotals(collection)
    .map((each) => rename(tableOf, each))
    .join(' ')} ${words} ${keys.join(' ')}`;
}
