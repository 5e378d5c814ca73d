import { Decimal } from '../values/decimal.js';

/** CSV as Brazilian spreadsheets open it: UTF-8 with a byte-order mark, semicolons, decimal commas. */

type Cell = string | number | Decimal | null;

export const BYTE_ORDER_MARK = '\uFEFF';

// What a spreadsheet takes for a formula, also behind spaces.
const FORMULA = /^[\s\u00A0\uFEFF]*[=+\-@|%\t\r\n＝＋－＠]/u;
const QUOTED = /[";\r\n]/;

/** All decimals, also of what a number writes with an exponent: 4e-7 as 0.0000004. */
function plain(cell: number | Decimal): string {
  const text = cell.toString();
  return text.includes('e') ? (Decimal.parse(text)?.toString() ?? text) : text;
}

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return plain(cell).replace('.', ',');
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Neighbouring cells, ready to be joined with others by a semicolon. */
export const csvCells = (cells: readonly Cell[]): string => cells.map(written).join(';');

export const csvLine = (cells: readonly Cell[]): string => `${csvCells(cells)}\r\n`;
