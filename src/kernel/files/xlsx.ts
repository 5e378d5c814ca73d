import type { Decimal } from '../values/decimal.js';
import { PIECE_LENGTH, turnToWrite } from './pieces.js';
import type { ZippedFile } from './zip.js';
import { zipped } from './zip.js';

/** Workbooks as spreadsheets open them (Office Open XML), written while they are sent. Every cell says what it is, so that long numbers of documents stay whole. */

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type CellKind = 'text' | 'number' | 'money' | 'moment' | 'day';

export interface SheetColumn {
  readonly title: string;
  readonly kind: CellKind;
  /** In characters. */
  readonly width?: number;
}

/** A text, a number, or a moment or day in ISO 8601; nothing where it is null. */
export type ColumnCell = string | number | Decimal | null | undefined;

/** A moment says that it is one where its column holds other things as well. */
export type SheetCell = ColumnCell | { readonly moment: string };

export interface Sheet {
  /** Unique, at most 25 characters. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Some at a time. */
  readonly rows: AsyncIterable<readonly (readonly SheetCell[])[]>;
}

interface WorkbookOptions {
  /** A moment as the store's clocks show it: `2026-11-20T10:15:30-03:00`. */
  readonly localTime: (moment: string) => string;
  /** As many as spreadsheets take, with the one of the titles. */
  readonly mostRows?: number;
}

const MOST_ROWS = 1_048_576;
const MOST_TEXT = 32_767;
const USUAL_WIDTH = 16;

export const workbook = (sheets: readonly Sheet[], options: WorkbookOptions): AsyncGenerator<Uint8Array> =>
  zipped(filesOf(sheets, options));

/** What says which sheets there are comes last, when that is known: what does not fit into one goes on in another. */
function* filesOf(sheets: readonly Sheet[], options: WorkbookOptions): Generator<ZippedFile> {
  const names: string[] = [];
  for (const sheet of sheets) {
    const rows = new Rows(sheet, options);
    for (let part = 1; part === 1 || rows.hasMore; part++) {
      names.push(part === 1 ? sheet.name : `${sheet.name} ${String(part)}`);
      yield { name: `xl/worksheets/sheet${String(names.length)}.xml`, content: rows.part() };
    }
  }
  yield* PARTS.map(([name, text]) => ({ name, content: Buffer.from(text) }));
  yield { name: 'xl/workbook.xml', content: Buffer.from(workbookXml(names)) };
  yield { name: 'xl/_rels/workbook.xml.rels', content: Buffer.from(relationsXml(names)) };
  yield { name: '[Content_Types].xml', content: Buffer.from(contentTypesXml(names)) };
}

/** The rows of a sheet, in as many parts as it takes. */
class Rows {
  private readonly pieces: AsyncIterator<readonly (readonly SheetCell[])[]>;
  private waiting: readonly (readonly SheetCell[])[] = [];
  private ended = false;

  constructor(
    private readonly sheet: Sheet,
    private readonly options: WorkbookOptions,
  ) {
    this.pieces = sheet.rows[Symbol.asyncIterator]();
  }

  get hasMore(): boolean {
    return !this.ended;
  }

  /** Who stops reading in the middle ends the rows as well. */
  async *part(): AsyncGenerator<string> {
    let whole = false;
    try {
      yield* this.written();
      whole = true;
    } finally {
      if (!whole) await this.pieces.return?.();
    }
  }

  private async *written(): AsyncGenerator<string> {
    const { columns } = this.sheet;
    const { mostRows = MOST_ROWS } = this.options;
    let text = headOf(columns) + rowOf(columns.map(({ title }) => cellOf(title, 'text', this.options, TITLE)));
    let room = mostRows - 1;
    await this.fill();
    while (room > 0 && !this.ended) {
      const fitting = this.waiting.slice(0, room);
      this.waiting = this.waiting.slice(fitting.length);
      room -= fitting.length;
      for (const row of fitting) {
        text += rowOf(columns.map(({ kind }, index) => cellOf(row[index], kind, this.options)));
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = '';
        await turnToWrite();
      }
      await this.fill();
    }
    yield `${text}</sheetData>${PRINTED}</worksheet>`;
  }

  /** Whether there is another row is known before a part ends. */
  private async fill(): Promise<void> {
    while (this.waiting.length === 0 && !this.ended) {
      const next = await this.pieces.next();
      if (next.done === true) this.ended = true;
      else this.waiting = next.value;
    }
  }
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const rowOf = (cells: readonly string[]): string => `<row>${cells.join('')}</row>`;

/** On paper all columns stand beside each other. */
const FITTED = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const PRINTED = '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

function headOf(columns: readonly SheetColumn[]): string {
  const widths = columns.map(({ width = USUAL_WIDTH }, index) => {
    const at = String(index + 1);
    return `<col min="${at}" max="${at}" width="${String(width)}" customWidth="1"/>`;
  });
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return `${XML}<worksheet xmlns="${MAIN}">${FITTED}<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
}

const TITLE = 1;
const STYLES: Readonly<Record<CellKind, number>> = { text: 0, number: 0, money: 2, moment: 3, day: 4 };

function cellOf(cell: SheetCell, kind: CellKind, options: WorkbookOptions, style = STYLES[kind]): string {
  if (cell === null || cell === undefined || cell === '') return '<c/>';
  if (typeof cell === 'object' && 'moment' in cell) return cellOf(cell.moment, 'moment', options);
  const styled = style === 0 ? '' : ` s="${String(style)}"`;
  if (typeof cell !== 'string') return `<c${styled}><v>${cell.toString()}</v></c>`;
  if (kind === 'text') return `<c${styled} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  return `<c${styled}><v>${String(serialOf(kind === 'moment' ? options.localTime(cell) : cell))}</v></c>`;
}

const DAY = 86_400_000;
/** The day that spreadsheets count from. */
const FIRST_DAY = Date.UTC(1899, 11, 30);

/** Days since then as the clocks showed them. Rounding down would show the minute before. */
function serialOf(local: string): number {
  const shown = Date.parse(`${local.slice(0, 19)}${local.length > 10 ? 'Z' : 'T00:00:00Z'}`);
  return (shown - FIRST_DAY) / DAY;
}

// Controls, the two that are no characters, and halves of pairs.
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** How spreadsheets write a sign by its number, also where somebody has typed just that. */
const NUMBERED_SIGN = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Leaves out what XML cannot hold. */
function escaped(text: string): string {
  return text
    .slice(0, MOST_TEXT)
    .replace(NOT_IN_XML, '')
    .replace(NUMBERED_SIGN, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const STYLES_XML = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${[
  'numFmtId="0" fontId="0"',
  'numFmtId="0" fontId="1" applyFont="1"',
  'numFmtId="4" fontId="0" applyNumberFormat="1"',
  'numFmtId="164" fontId="0" applyNumberFormat="1"',
  'numFmtId="165" fontId="0" applyNumberFormat="1"',
]
  .map((format) => `<xf ${format} fillId="0" borderId="0" xfId="0"/>`)
  .join(
    '',
  )}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** What every workbook holds. */
const PARTS = [
  [
    '_rels/.rels',
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', STYLES_XML],
] as const;

const workbookXml = (names: readonly string[]): string =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names
    .map((name, index) => {
      const number = String(index + 1);
      return `<sheet name="${escaped(name)}" sheetId="${number}" r:id="rId${number}"/>`;
    })
    .join('')}</sheets></workbook>`;

const relationsXml = (names: readonly string[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="styles" Type="${RELATIONS}/styles" Target="styles.xml"/>${names
    .map((_, index) => {
      const number = String(index + 1);
      return `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`;
    })
    .join('')}</Relationships>`;

const contentTypesXml = (names: readonly string[]): string =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX_TYPE}.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${names
    .map(
      (_, index) =>
        `<Override PartName="/xl/worksheets/sheet${String(index + 1)}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
    )
    .join('')}</Types>`;
