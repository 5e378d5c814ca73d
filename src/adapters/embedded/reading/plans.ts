import type {
  AnyCollection,
  LastRowsQuery,
  Link,
  PagedQuery,
  Query,
  Scalar,
  SummaryWish,
} from '../../../ports/read-models.js';
import type { PageEnd } from '../../page-cursor.js';
import { decodeCursor } from '../../page-cursor.js';
import type { Sql } from './conditions.js';
import type { Cell } from '../cells.js';
import { packed } from '../cells.js';
import { bodyOf } from '../packed-bodies.js';
import { columnConditions, equalConditions, isOneOf, joined, listed, matchingWords, sql, where } from './conditions.js';
import { keyTableFor, keyTableOf, planCountByKey, planPageByKey } from './key-plans.js';
import type { Plan } from './plan.js';
import { columnOf, keyOf, numberOf, OF_STORE, packerOfColumn, tableOf } from '../writing/tables.js';

/** Up to here it is quicker to fetch the records that have the words and to sort them than to walk the sort's index. */
const FEW = 500;

type Steps = (from: string, conditions: readonly Sql[]) => readonly Sql[];

function withWords(
  collection: AnyCollection,
  query: Query,
  code: string | undefined,
  { rows, width }: Pick<Plan, 'rows' | 'width'>,
  steps: Steps,
): Plan {
  const table = tableOf(collection, 'live');
  const conditions = columnConditions(collection, query);
  const matches = matchingWords(collection, query, code);
  if (!matches) return { steps: steps(table, conditions), rows, width };
  const { text, values } = matches;
  return {
    // The plus sign keeps the planner from starting at the words.
    steps: steps(table, [...conditions, sql(`+record in (${text})`, ...values)]),
    rows,
    width,
    sparse: {
      probe: sql(`select count(*) from (${text} limit ${FEW})`, ...values),
      few: FEW,
      steps: steps(`${table} not indexed`, [...conditions, sql(`record in (${text})`, ...values)]),
    },
  };
}

/** A page and one row more. The last two columns are the sort's value and the key. */
export function planPage(
  collection: AnyCollection,
  query: PagedQuery,
  columns: readonly string[],
  code?: string,
): Plan {
  const { sort, limit, offset = 0 } = query;
  const byKey = keyTableFor(collection, query, [sort.column]);
  if (byKey !== undefined) return planPageByKey(collection, byKey, query, columns);
  const end = query.cursor === undefined ? undefined : decodeCursor(sort, query.cursor);
  const by = columnOf(collection, sort.column);
  const key = keyOf(collection);
  const selected = [...columns, by, key].join(', ');
  const order = `order by ${by} ${sort.direction}, ${key} ${sort.direction} limit ? offset ?`;
  const skipped = end ? 0 : offset;
  const after = end ? beyond(collection, sort, end) : [sql('true')];
  return withWords(collection, query, code, { rows: limit + 1, width: columns.length + 2 }, (from, conditions) =>
    after.map((condition) => {
      const { text, values } = where([...conditions, condition]);
      return sql(`select ${selected} from ${from} where ${text} ${order}`, ...values, limit + 1, skipped);
    }),
  );
}

/** What lies beyond the end of a page, in steps that an index can seek; nulls are below every value. */
function beyond(collection: AnyCollection, { column, direction }: PagedQuery['sort'], end: PageEnd): Sql[] {
  const [by, byKey] = [columnOf(collection, column), keyOf(collection)];
  const value = packerOfColumn(collection, column)(end.value);
  const key = collection.kind === 'records' ? packed(end.key) : Number(end.key);
  const past = direction === 'asc' ? '>' : '<';
  if (value !== null) {
    const values = sql(`(${by}, ${byKey}) ${past} (?, ?)`, value, key);
    return direction === 'asc' ? [values] : [values, sql(`${by} is null`)];
  }
  const nulls = sql(`${by} is null and ${byKey} ${past} ?`, key);
  return direction === 'asc' ? [nulls, sql(`${by} is not null`)] : [nulls];
}

/** `upTo` is enough to know that there are many. */
export function planCount(collection: AnyCollection, query: Query, code?: string, upTo?: number): Plan {
  const matches = matchingWords(collection, query, code);
  const { equal = {}, oneOf, range } = query;
  const byKey = keyTableFor(collection, query);
  if (byKey !== undefined) return planCountByKey(collection, byKey, query, upTo);
  if (matches && Object.keys(equal).length === 0 && !oneOf && !range) {
    return { steps: [sql(`select count(*) from (${matches.text})`, ...matches.values)], rows: 1, width: 1 };
  }
  return withWords(collection, query, code, { rows: 1, width: 1 }, (from, conditions) => {
    const { text, values } = where(conditions);
    const found = `from ${from} where ${text}`;
    if (upTo === undefined) return [sql(`select count(*) ${found}`, ...values)];
    return [sql(`select count(*) from (select 1 ${found} limit ${upTo})`, ...values)];
  });
}

/** The joined tables stand in the order in which they are read: few of what is counted are found through few of the others. */
export function planLinkedCount(collection: AnyCollection, query: Query, { column, to, toColumn, among }: Link): Plan {
  const asked = { store: query.store, oneOf: among };
  const byKey = keyTableFor(to, asked, [toColumn]);
  const inner = where(columnConditions(to, asked, byKey === undefined ? 'table' : 'key'));
  const value = columnOf(to, toColumn);
  const values = `select distinct ${value} as value from ${byKey ?? tableOf(to, 'live')} where ${inner.text}`;
  const outer = where(columnConditions(collection, query));
  const found = `${tableOf(collection, 'live')} on ${columnOf(collection, column)} = linked.value`;
  const statement = `select count(*) from (${values}) as linked cross join ${found} where ${outer.text}`;
  return { steps: [sql(statement, ...inner.values, ...outer.values)], rows: 1, width: 1 };
}

/** One row: both counts, then the columns in the order of the wish. */
export function planSummary(collection: AnyCollection, query: Query, wish: SummaryWish): Plan {
  const { sum, countDistinct, countWhere = {}, least, greatest } = wish;
  const named = [sum, countDistinct, Object.keys(countWhere), least];
  const byKey = keyTableFor(
    collection,
    query,
    [...named, greatest].flatMap((names = []) => names),
  );
  const place = byKey === undefined ? 'table' : 'key';
  const each = (names: readonly string[] = [], of: (column: string) => Sql): Sql[] =>
    names.map((name) => of(columnOf(collection, name)));
  const counted = byKey === undefined ? 'count(*)' : `count(distinct ${numberOf(collection)})`;
  const fewer = where(equalConditions(collection, countWhere, place));
  const columns = [
    sql(counted),
    fewer.text === '' ? sql(counted) : sql(`${counted} filter (where ${fewer.text})`, ...fewer.values),
    ...each(sum, (column) => sql(`total(${column})`)),
    ...each(countDistinct, (column) => sql(`count(distinct ${column})`)),
    ...each(least, (column) => sql(`min(${column})`)),
    ...each(greatest, (column) => sql(`max(${column})`)),
  ];
  const selected = joined(columns, ', ');
  const { text, values } = where(columnConditions(collection, query, place));
  const statement = `select ${selected.text} from ${byKey ?? tableOf(collection, 'live')} where ${text}`;
  return { steps: [sql(statement, ...selected.values, ...values)], rows: 1, width: columns.length };
}

/** A row for each value. */
export function planDistinct(collection: AnyCollection, query: Query, column: string): Plan {
  const byKey = keyTableFor(collection, query, [column]);
  const values = columnOf(collection, column);
  const conditions = columnConditions(collection, query, byKey === undefined ? 'table' : 'key');
  const found = where([...conditions, sql(`${values} is not null`)]);
  const text = `select distinct ${values} from ${byKey ?? tableOf(collection, 'live')} where ${found.text}`;
  return { steps: [sql(text, ...found.values)], rows: 1, width: 1 };
}

export function planMany(collection: AnyCollection, store: string, ids: readonly string[]): Plan {
  const { text, values } = isOneOf('id', ids, packed);
  const found = `select id, ${bodyOf(collection)}, hidden from ${tableOf(collection, 'live')} where ${OF_STORE} and ${text}`;
  return { steps: [sql(found, store, ...values)], rows: ids.length, width: 3 };
}

/** A row for each id in their order: the store, which is null where there is no such record, then the columns. */
export function planColumns(
  collection: AnyCollection,
  store: string,
  ids: readonly string[],
  columns: readonly string[],
): Plan {
  const selected = ['store', ...columns].map((name) => `kept.${name}`).join(', ');
  const { item, list } = listed(ids, 'wanted');
  const kept = `left join ${tableOf(collection, 'live')} as kept on kept.${OF_STORE} and kept.id = ${item}`;
  const text = `select ${selected} from json_each(?) as wanted ${kept}`;
  return { steps: [sql(text, list, store)], rows: ids.length, width: columns.length + 1 };
}

/** A part of a key as JSON: the digits of its bytes, or the value itself. */
const keyParts = (cell: Cell): readonly Scalar[] =>
  cell instanceof Uint8Array ? [Buffer.from(cell).toString('hex'), null] : [null, cell];

const keyPart = (index: number): string =>
  `coalesce(unhex(json_extract(key.value, '$[${index}][0]')), json_extract(key.value, '$[${index}][1]'))`;

/** One seek of an index for each key. */
export function planLastRows(
  collection: AnyCollection,
  store: string,
  { by, keys, column, upTo }: LastRowsQuery,
  columns: readonly string[],
): Plan {
  const table = tableOf(collection, 'live');
  const moment = columnOf(collection, column);
  const matches = by.map((name, index) => `${columnOf(collection, name)} = ${keyPart(index)}`);
  const place = keyOf(collection);
  const packers = by.map((name) => packerOfColumn(collection, name));
  const from = by[0] === undefined ? table : (keyTableOf(collection, by[0], [column]) ?? table);
  const last = `select ${place} from ${from} where ${[OF_STORE, ...matches, `${moment} <= ?`].join(' and ')}
    order by ${moment} desc, ${place} desc limit 1`;
  const text = `select ${columns.map((name) => `found.${name}`).join(', ')} from json_each(?) as key
    cross join ${table} as found on found.${OF_STORE} and found.${place} = (${last})`;
  const list = JSON.stringify(keys.map((key) => key.map((value, index) => keyParts(packers[index]?.(value) ?? value))));
  return {
    steps: [sql(text, list, store, store, packerOfColumn(collection, column)(upTo))],
    rows: keys.length,
    width: columns.length,
  };
}
