import { pagesOf } from '../kernel/routes/lists.js';
import { wholeDocument } from '../kernel/routes/stored-records.js';
import type {
  AnyCollection,
  FoundRecord,
  ReadModels,
  RecordCollection,
  Row,
  RowCollection,
  Scalar,
} from '../ports/read-models.js';

/** What a check of read models reads of either side. */

/** So many are read at a time. */
export const ROWS = 1_000;

/** Counted now: numbers that are kept say nothing of what somebody changes in the database. */
export const countIn = async (reads: ReadModels, collection: AnyCollection, store: string): Promise<number> =>
  (await reads.summarise(collection, { store }, {})).count;

/** What its lists are filtered and sorted by, which an engine keeps beside the document. */
export const columnsOf = (
  reads: ReadModels,
  collection: RecordCollection<never>,
  store: string,
  ids: readonly string[],
) => reads.getColumns(collection, store, ids, Object.keys(collection.columns));

/** What a record is found by, key by key. */
export const valuesOfKeys = (collection: RecordCollection<never>, record: FoundRecord) =>
  Object.entries(collection.keys ?? {}).flatMap(([key, values]) =>
    values.of(wholeDocument(record) as never, record.id).map((value) => ({ key, value })),
  );

/** The ids of the records that one value of a key finds. */
export async function idsUnder(
  reads: ReadModels,
  collection: RecordCollection<never>,
  store: string,
  key: string,
  value: Scalar,
): Promise<readonly string[]> {
  const column = collection.indexes.find(([first]) => first === key)?.[1];
  if (column === undefined) throw new Error(`nothing of ${collection.name} lies in an order by ${key}`);
  const query = { store, equal: { [key]: value }, sort: { column, direction: 'asc' as const }, limit: ROWS };
  const ids: string[] = [];
  for await (const page of pagesOf((at) => reads.find(collection, { ...query, ...at }))) {
    ids.push(...page.map(({ id }) => id));
  }
  return ids.sort();
}

/** By which its rows are read in order. */
export function indexedColumn({ name, columns, indexes }: RowCollection): string {
  const found = indexes.flatMap(([first = '']) => (first in columns ? first : []))[0];
  if (found === undefined) throw new Error(`no index of ${name} begins with a column`);
  return found;
}

/** In one order, whatever that of the engine is. */
export async function sorted(pages: AsyncGenerator<readonly Row[]>): Promise<readonly unknown[]> {
  const texts: string[] = [];
  for await (const page of pages) for (const row of page) texts.push(JSON.stringify(row));
  return texts.sort().map((text) => JSON.parse(text) as unknown);
}
