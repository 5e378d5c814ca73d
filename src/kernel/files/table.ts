import type { Reply } from '../routes/route.js';
import { Streamed } from '../routes/route.js';
import { localTime } from '../values/days.js';
import { BYTE_ORDER_MARK, csvLine } from './csv.js';
import { turnToWrite } from './pieces.js';
import type { ColumnCell, Sheet, SheetColumn } from './xlsx.js';
import { XLSX_TYPE, workbook } from './xlsx.js';

/** One table as a file for a spreadsheet, sent in pieces however long it is. */

const CSV_TYPE = 'text/csv; charset=utf-8';
/** What a route that answers with tables can answer with beside JSON. */
export const TABLE_TYPES = ['text/csv', XLSX_TYPE] as const;
export const TABLE_FORMATS = ['json', 'csv', 'xlsx'] as const;

export interface TableColumn<R> extends SheetColumn {
  /** Heads the column in csv, as the members of JSON answers are named. */
  readonly name: string;
  readonly of: (row: R) => ColumnCell;
  /** What a workbook says instead, which people open; programs read csv. */
  readonly forPeople?: (row: R) => ColumnCell;
}

interface Table<R> {
  /** What the file is called, without its ending; ASCII. */
  readonly fileName: string;
  /** What the sheet is called. */
  readonly title: string;
  readonly columns: readonly TableColumn<R>[];
  /** Some at a time. */
  readonly rows: AsyncIterable<readonly R[]>;
  /** Further sheets of a workbook. */
  readonly more?: readonly Sheet[];
}

export function tableReply<R>(format: 'csv' | 'xlsx', table: Table<R>, timeZone: string): Reply {
  const headers = { 'Content-Disposition': `attachment; filename="${table.fileName}.${format}"` };
  if (format === 'csv') return { body: new Streamed(CSV_TYPE, csvOf(table)), headers };
  const sheet = {
    name: table.title,
    columns: table.columns,
    rows: cellsOf(table, ({ of, forPeople = of }) => forPeople),
  };
  const pieces = workbook([sheet, ...(table.more ?? [])], {
    localTime: (moment) => localTime(Date.parse(moment), timeZone),
  });
  return { body: new Streamed(XLSX_TYPE, pieces), headers };
}

async function* cellsOf<R>(
  { columns, rows }: Table<R>,
  cellOf: (column: TableColumn<R>) => (row: R) => ColumnCell,
): AsyncGenerator<readonly (readonly ColumnCell[])[]> {
  const cells = columns.map(cellOf);
  for await (const some of rows) yield some.map((row) => cells.map((cell) => cell(row)));
}

async function* csvOf<R>(table: Table<R>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(table.columns.map(({ name }) => name));
  for await (const some of cellsOf(table, ({ of }) => of)) {
    yield some.map((cells) => csvLine(cells.map((cell) => cell ?? null))).join('');
    await turnToWrite();
  }
}
