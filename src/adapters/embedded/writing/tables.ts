import { randomUUID } from 'node:crypto';
import type { AnyCollection, ColumnType, Generation } from '../../../ports/read-models.js';
import { typicalOf } from '../packed-bodies.js';
import { NUMBER_OF_STORE } from './store-numbers.js';

/** Names and definitions of the tables in `read.db`: two builds of each collection, `live` and `next`. */

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Named = Pick<AnyCollection, 'name'> & { readonly totalsOf?: string };

export const tableOf = ({ name, totalsOf }: Named, generation: Generation): string =>
  quoted(totalsOf === undefined ? `${generation}:${name}` : `${generation}:${totalsOf}:totals`);

export const wordsTableOf = ({ name }: Named, generation: Generation): string => quoted(`${generation}:${name}:words`);

/** Declared columns have a prefix of their own, so that one may be called `id` or `body`. */
export const columnOf = (collection: AnyCollection, name: string): string => {
  if (!Object.hasOwn(collection.columns, name)) throw new Error(`${collection.name} has no column ${name}`);
  return quoted(`c:${name}`);
};

export const hasWords = (collection: AnyCollection): boolean =>
  collection.kind === 'records' && collection.words !== undefined;

/** The number of a row: rows lie in the order in which they were written, which is that of their ids. */
const PLACE = 'place';

/** What breaks the ties of a sort. */
export const keyOf = ({ kind }: AnyCollection): string => (kind === 'records' ? 'id' : PLACE);

const columnTypes = (collection: AnyCollection): [string, ColumnType][] =>
  Object.entries<ColumnType | { readonly type: ColumnType }>(collection.columns).map(([name, column]) => [
    name,
    typeof column === 'string' ? column : column.type,
  ]);

/** The tables of a collection: its own, and those of its totals. */
const withTotals = (collection: AnyCollection): readonly AnyCollection[] => {
  const totals = collection.kind === 'records' ? collection.totals?.collection : undefined;
  return totals ? [collection, totals] : [collection];
};

/** Raise it when tables are laid out otherwise. */
const LAYOUT = 4;

/** Another shape needs another table. */
export const shapeOf = (collection: AnyCollection): string => {
  const { kind, version, indexes } = collection;
  const shape = [LAYOUT, kind, version, columnTypes(collection), indexes, hasWords(collection)];
  const typical = typicalOf(collection) ?? [];
  return JSON.stringify([...shape, ...(withTotals(collection).length > 1 ? ['totals'] : []), typical]);
};

/** Words are the folded ones, each behind the number of its store; one letter of a word is looked up as fast as a whole one. */
const WORD_INDEX = `fts5(words, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '5')`;

export const OF_STORE = `store = ${NUMBER_OF_STORE}`;

export const createTables = (collection: AnyCollection, generation: Generation): string =>
  withTotals(collection)
    .map((each) => createTable(each, generation))
    .join(' ');

function createTable(collection: AnyCollection, generation: Generation): string {
  const columns = columnTypes(collection).map(([name, type]) => `${columnOf(collection, name)} ${type}`);
  // The long texts come last, so that what is read alone lies before the overflow pages.
  const definition =
    collection.kind === 'records'
      ? `(${['record integer primary key, store integer not null, id text not null', ...columns].join(', ')},
         position text not null, hidden text not null, body text not null, unique (store, id))`
      : `(${[`${PLACE} integer primary key, store integer not null`, ...columns].join(', ')})`;
  const words = hasWords(collection)
    ? `create virtual table ${wordsTableOf(collection, generation)} using ${WORD_INDEX};`
    : '';
  return `create table ${tableOf(collection, generation)} ${definition}; ${words}`;
}

/** Apart from the tables: sorted once they are made in half the time that it takes to keep them in order meanwhile. */
export function createIndexes(collection: AnyCollection, generation: Generation): string {
  const indexes = collection.indexes.map((names: readonly string[]) => {
    const ends = collection.kind === 'records' ? ['id'] : []; // an index holds the place of each row by itself
    const list = ['store', ...names.map((name) => columnOf(collection, name)), ...ends].join(', ');
    // An index keeps its name when its table is renamed, so the name must never come again.
    const index = quoted(`${collection.name}:${names.join(',')}:${randomUUID()}`);
    return `create index ${index} on ${tableOf(collection, generation)} (${list});`;
  });
  return indexes.join(' ');
}

export const dropTables = ({ name }: { readonly name: string }, generation: Generation): string =>
  [tableOf({ name }, generation), wordsTableOf({ name }, generation), tableOf({ name, totalsOf: name }, generation)]
    .map((table) => `drop table if exists ${table};`)
    .join(' ');

/** Readers see the one build or the other, never none: this runs in a transaction. */
export function switchTables(collection: AnyCollection): string {
  const rename = (name: typeof tableOf, of: AnyCollection): string =>
    `alter table ${name(of, 'next')} rename to ${name(of, 'live')};`;
  const words = hasWords(collection) ? rename(wordsTableOf, collection) : '';
  const tables = withTotals(collection).map((each) => rename(tableOf, each));
  return `${dropTables(collection, 'live')} ${tables.join(' ')} ${words}`;
}
