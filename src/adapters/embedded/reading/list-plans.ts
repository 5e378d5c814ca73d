import type { AnyCollection, SliceQuery } from '../../../ports/read-models.js';
import type { Sql } from './conditions.js';
import { bodyOf } from '../packed-bodies.js';
import { columnConditions, listed, matchingEach, matchingWords, sql, where } from './conditions.js';
import { columnOf, OF_STORE, tableOf } from '../writing/tables.js';

/** How to make the list of all row numbers that a query finds, in its order. Each statement gives them as one text. */
export interface ListPlan {
  /** Names the list of what the columns let through, whatever the words. */
  readonly base: string;
  /** When what it rests on last changed; `undefined` when it must be made anew. */
  readonly stamp: number | undefined;
  readonly ordered: Sql;
  readonly words?: {
    /** The rows with each of them, in no order. */
    readonly each: readonly Sql[];
    /** The rows with all of them: the quicker way where few match. */
    readonly sorted: Sql;
  };
  /** Which build of the collection the rows belong to. */
  readonly build: Sql;
}

/** Rows of one build: the numbers mean nothing in another. */
export interface RowList {
  readonly build: number;
  readonly rows: Int32Array;
}

const BUILD = 'coalesce((select number from builds where collection = ?), 0)';

/** What tells one list from another. */
export const listKey = (
  { name }: AnyCollection,
  { store, equal, oneOf, range, sort, words = '' }: SliceQuery,
): string => JSON.stringify([name, store, equal, oneOf, range, sort.column, sort.direction, words]);

export function planList(
  collection: AnyCollection,
  query: SliceQuery,
  stamp: number | undefined,
  code: string | undefined,
): ListPlan {
  const { column, direction } = query.sort;
  const by = columnOf(collection, column);
  const table = tableOf(collection, 'live');
  const conditions = columnConditions(collection, query);
  const numbers = (from: string, all: readonly Sql[]): Sql => {
    const { text, values } = where(all);
    const found = `select record from ${from} where ${text} order by ${by} ${direction}, id ${direction}`;
    return sql(`select group_concat(record) from (${found})`, ...values);
  };
  const matches = matchingWords(collection, query, code);
  return {
    base: listKey(collection, { ...query, words: '' }),
    stamp,
    ordered: numbers(table, conditions),
    ...(matches && {
      words: {
        each: matchingEach(collection, query, code).map(({ text, values }) =>
          sql(`select group_concat(record) from (${text})`, ...values),
        ),
        sorted: numbers(`${table} not indexed`, [...conditions, sql(`record in (${matches.text})`, ...matches.values)]),
      },
    }),
    build: sql(`select ${BUILD}`, collection.name),
  };
}

/** Stands between two bodies: no JSON text holds it as it is. */
export const BETWEEN = '\u001e';

const BODIES = 'group_concat(body, char(30))';

/** The bodies of a page as one text, which is read in a third of the time of so many rows. */
export function planBodies(collection: AnyCollection, { sort, offset, limit, ...query }: SliceQuery): Sql {
  const { text, values } = where(columnConditions(collection, query));
  const order = `order by ${columnOf(collection, sort.column)} ${sort.direction}, id ${sort.direction}`;
  const page = `select ${bodyOf(collection)} as body from ${tableOf(collection, 'live')} where ${text} ${order} limit ? offset ?`;
  return sql(`select ${BODIES} from (${page})`, ...values, limit, offset);
}

/** The bodies of these rows in their order, as one text; of none when the build is another. */
export function planBodiesOf(collection: AnyCollection, store: string, build: number, rows: Int32Array): Sql {
  // A cross join keeps to the order in which its tables are written.
  const wanted = `json_each(?) as wanted cross join ${tableOf(collection, 'live')} as kept on kept.record = wanted.value`;
  return sql(
    `select ${BODIES} from (select ${bodyOf(collection)} as body from ${wanted} where kept.${OF_STORE} and ${BUILD} = ?)`,
    `[${rows.join(',')}]`,
    store,
    collection.name,
    build,
  );
}

/** The bodies of the records with these ids in the order of the ids, as one text; nothing stands for one that is missing. */
export const planBodiesOfIds = (collection: AnyCollection, store: string, ids: readonly string[]): Sql =>
  planTextsOfIds(collection, store, ids, bodyOf(collection, 'kept.body'));

/** The same of what is hidden. */
export const planHiddenOfIds = (collection: AnyCollection, store: string, ids: readonly string[]): Sql =>
  planTextsOfIds(collection, store, ids, 'kept.hidden');

/** Each text holds a record's position, its hidden members and its body. */
export const planPartsOfIds = (collection: AnyCollection, store: string, ids: readonly string[]): Sql => {
  const parts = ['kept.position', 'kept.hidden', bodyOf(collection, 'kept.body')].map(
    (part) => `coalesce(${part}, '')`,
  );
  return planTextsOfIds(collection, store, ids, parts.join(' || char(30) || '));
};

function planTextsOfIds(collection: AnyCollection, store: string, ids: readonly string[], text: string): Sql {
  const { item, list } = listed(ids, 'wanted');
  const kept = `left join ${tableOf(collection, 'live')} as kept on kept.${OF_STORE} and kept.id = ${item}`;
  const found = `select coalesce(${text}, '') as body from json_each(?) as wanted ${kept}`;
  return sql(`select ${BODIES} from (${found})`, list, store);
}
