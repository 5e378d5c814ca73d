import type { AnyCollection, PagedQuery, Query } from '../../../ports/read-models.js';
import { decodeCursor } from '../../page-cursor.js';
import { columnOf, keysOf, keyTableName, keyTablesOf, numberOf, packerOfColumn, tableOf } from '../writing/tables.js';
import { columnConditions, sql, where } from './conditions.js';
import type { Plan } from './plan.js';

/** Queries by keys, which lie in tables of their own. */

/** The table of a key with these columns behind it; undefined where the collection has no such key. */
export function keyTableOf(collection: AnyCollection, key: string, columns: readonly string[]): string | undefined {
  if (!Object.hasOwn(keysOf(collection), key)) return undefined;
  const has = (behind: readonly string[]): boolean => columns.every((name) => behind.includes(name));
  const table = keyTablesOf(collection).find((of) => of.key === key && has(of.columns));
  if (!table) throw new Error(`${collection.name} has no index by ${[key, ...columns].join()}`);
  return keyTableName(collection, table, 'live');
}

/** The table that a query's key asks for; undefined where it names none. */
export function keyTableFor(
  collection: AnyCollection,
  { equal = {}, oneOf, range }: Query,
  columns: readonly string[] = [],
): string | undefined {
  const asked = [...Object.keys(equal), ...(oneOf ? [oneOf.column] : [])];
  const key = asked.find((name) => Object.hasOwn(keysOf(collection), name));
  if (key === undefined) return undefined;
  const others = [...asked, ...(range ? [range.column] : []), ...columns].filter((name) => name !== key);
  return keyTableOf(collection, key, others);
}

/** A page and one more. The last two columns are the sort's value and the number. */
export function planPageByKey(
  collection: AnyCollection,
  table: string,
  query: PagedQuery,
  columns: readonly string[],
): Plan {
  const { sort, limit, offset = 0, cursor } = query;
  const [by, number] = [columnOf(collection, sort.column), numberOf(collection)];
  const conditions = columnConditions(collection, query, 'key');
  if (cursor !== undefined) {
    const { value, key } = decodeCursor(sort, cursor);
    const beyond = sort.direction === 'asc' ? '>' : '<';
    conditions.push(
      sql(`(${by}, ${number}) ${beyond} (?, ?)`, packerOfColumn(collection, sort.column, 'key')(value), Number(key)),
    );
  }
  const { text, values } = where(conditions);
  // Several values of a key may lead to one and the same.
  const each = query.oneOf ? 'select distinct' : 'select';
  const order = (of: string, to: string): string => `order by ${of} ${sort.direction}, ${to} ${sort.direction}`;
  const found = `${each} ${by} as value, ${number} from ${table} where ${text} ${order(by, number)} limit ? offset ?`;
  const kept = `${tableOf(collection, 'live')} as kept on kept.${number} = found.${number}`;
  const wanted = [...columns.map((name) => `kept.${name}`), 'found.value', `found.${number}`].join(', ');
  const page = `select ${wanted} from (${found}) as found cross join ${kept} ${order('found.value', `found.${number}`)}`;
  return {
    steps: [sql(page, ...values, limit + 1, cursor === undefined ? offset : 0)],
    rows: limit + 1,
    width: columns.length + 2,
  };
}

/** `upTo` is enough to know that there are many. */
export function planCountByKey(collection: AnyCollection, table: string, query: Query, upTo?: number): Plan {
  const { text, values } = where(columnConditions(collection, query, 'key'));
  const found = `select distinct ${numberOf(collection)} from ${table} where ${text}`;
  const limited = upTo === undefined ? found : `${found} limit ${String(upTo)}`;
  return { steps: [sql(`select count(*) from (${limited})`, ...values)], rows: 1, width: 1 };
}
