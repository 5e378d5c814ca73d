import { wordsOf } from '../../../kernel/values/words.js';
import type { AnyCollection, Query, Scalar } from '../../../ports/read-models.js';
import type { Cell, Packer, Place } from '../cells.js';
import { isUuid, packed } from '../cells.js';
import { columnOf, hasWords, OF_STORE, packerOfColumn, wordsTableOf } from '../writing/tables.js';

/** A piece of SQL and what stands for its question marks. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Cell[];
}

export const sql = (text: string, ...values: readonly Cell[]): Sql => ({ text, values });

export const joined = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  values: parts.flatMap(({ values }) => values),
});

/** What all of them hold for. */
export const where = (conditions: readonly Sql[]): Sql => joined(conditions, ' and ');

const COMPARISONS = { from: '>=', after: '>', to: '<=', before: '<' } as const;

const equals = (column: string, value: Cell): Sql =>
  value === null ? sql(`${column} is null`) : sql(`${column} = ?`, value);

export const equalConditions = (collection: AnyCollection, equal: NonNullable<Query['equal']>, place?: Place): Sql[] =>
  Object.entries(equal).map(([name, value]) =>
    equals(columnOf(collection, name), packerOfColumn(collection, name, place)(value)),
  );

/** One parameter for many values: `list` is its value, `item` reads each of them as it is stored. Numbers and texts keep their types in JSON; bytes are written as digits. */
export function listed(
  values: readonly Scalar[],
  alias: string,
  pack: Packer = packed,
): { readonly item: string; readonly list: string } {
  const value = `${alias}.value`;
  // SQLite passes over the dashes.
  if (pack === packed && values.every(isUuid)) return { item: `unhex(${value}, '-')`, list: JSON.stringify(values) };
  const cells = values.map(pack);
  const bytes = cells.filter((cell) => cell instanceof Uint8Array).length;
  if (bytes === 0) return { item: value, list: JSON.stringify(cells) };
  if (bytes === cells.length) return { item: `unhex(${value})`, list: JSON.stringify(cells.map(digitsOf)) };
  const mixed = cells.map((cell) => (cell instanceof Uint8Array ? [digitsOf(cell)] : cell));
  // What is an array in the list is its one text between brackets and quotes here.
  const item = `iif(${alias}.type = 'array', unhex(substr(${value}, 3, length(${value}) - 4)), ${value})`;
  return { item, list: JSON.stringify(mixed) };
}

const digitsOf = (cell: Cell): string => Buffer.from(cell as Uint8Array).toString('hex');

/** So many are quicker compared one by one than read as a list: each number of them is a statement of its own. */
const FEW = 10;

const amongFew = (column: string, cells: readonly Cell[]): Sql =>
  sql(`${column} in (${cells.map(() => '?').join(', ')})`, ...cells);

function amongMany(column: string, values: readonly Scalar[], pack: Packer): Sql {
  const { item, list } = listed(values, 'each', pack);
  return sql(`${column} in (select ${item} from json_each(?) as each)`, list);
}

export function isOneOf(column: string, values: readonly Scalar[], pack: Packer): Sql {
  const given = values.filter((value) => value !== null);
  const among =
    given.length > 0 && given.length <= FEW ? amongFew(column, given.map(pack)) : amongMany(column, given, pack);
  return given.length === values.length ? among : sql(`(${among.text} or ${column} is null)`, ...among.values);
}

/** Everything that a query asks of the columns. */
export function columnConditions(collection: AnyCollection, query: Query, place?: Place): Sql[] {
  const { equal = {}, oneOf, range } = query;
  const packerOf = (name: string): Packer => packerOfColumn(collection, name, place);
  const conditions = [sql(OF_STORE, query.store), ...equalConditions(collection, equal, place)];
  if (oneOf) conditions.push(isOneOf(columnOf(collection, oneOf.column), oneOf.values, packerOf(oneOf.column)));
  if (range) {
    const column = columnOf(collection, range.column);
    const pack = packerOf(range.column);
    for (const [end, comparison] of Object.entries(COMPARISONS)) {
      const value = range[end as keyof typeof COMPARISONS];
      if (value !== undefined) conditions.push(sql(`${column} ${comparison} ?`, pack(value)));
    }
  }
  return conditions;
}

/** The records whose words match: `undefined` when the query asks for none. `code` names the store in the index, if it has any words. */
export function matchingWords(collection: AnyCollection, query: Query, code: string | undefined): Sql | undefined {
  const words = wordsOf(query.words ?? '');
  if (words.length === 0) return undefined;
  if (!hasWords(collection)) throw new Error(`${collection.name} has no words`);
  return havingWords(collection, words, code);
}

/** The same, for each of the words alone. */
export const matchingEach = (collection: AnyCollection, query: Query, code: string | undefined): readonly Sql[] =>
  wordsOf(query.words ?? '').map((word) => havingWords(collection, [word], code));

function havingWords(collection: AnyCollection, words: readonly string[], code: string | undefined): Sql {
  if (code === undefined) return sql('select null as record where false');
  const match = words.map((word) => `"${code}${word}" *`).join(' AND ');
  return sql(`select rowid as record from ${wordsTableOf(collection, 'live')}(?)`, match);
}
