import type { AnyCollection, ColumnType, Scalar } from '../../ports/read-models.js';

/**
 * How values lie in `read.db`: an id that is a UUID as its 16 bytes instead of its 36 characters, also within a short text that begins with one. Such
 * cells sort as their texts do among those of the same form. Texts that people wrote lie as they are.
 */
export type Cell = Scalar | Uint8Array;

const UUID_CHARACTERS = 36;
const UUID_BYTES = 16;
/** What is longer is no name of anything. */
const LONGEST = 200;
/** Stands before a UUID within a text: no byte of UTF-8. */
const MARK = 0xff;

/** A time as events have it, and a position in the log. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const POSITION = /^0000\d{12}$/;
const TIME_BYTES = 6;
const POSITION_BYTES = 5;
const POSITION_DIGITS = 16;
const TIME_CHARACTERS = 24;

export const isUuid = (value: Scalar): boolean =>
  typeof value === 'string' && value.length === UUID_CHARACTERS && isUuidAt(value, 0);

/** The same few products, places and lots come again and again. */
const REMEMBERED = 4_096;
const remembered = new Map<string, Uint8Array>();

/** How an id lies in a table. */
export function packed(value: Scalar): Cell {
  if (typeof value !== 'string' || value.length < UUID_CHARACTERS || value.length > LONGEST) return value;
  const known = remembered.get(value);
  if (known) return known;
  const bytes = value.length === UUID_CHARACTERS ? uuidBytes(value) : markedBytes(value);
  if (!bytes) return value;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(value, bytes);
  return bytes;
}

export type Packer = (value: Scalar) => Cell;

/** Where a value lies: in the table of its collection, or in one that lies by a key. */
export type Place = 'table' | 'key';

const asItIs: Packer = (value) => value;

/** How the values of a column lie. Among rows and behind a key times and positions are those of events alone, so they are numbers. */
export function packerOf({ kind }: Pick<AnyCollection, 'kind'>, type: ColumnType, place: Place = 'table'): Packer {
  if (type === 'id') return packed;
  return type === 'text' && (kind === 'rows' || place === 'key') ? packedMoment : asItIs;
}

function packedMoment(value: Scalar): Cell {
  if (typeof value !== 'string') return value;
  if (value.length === POSITION_DIGITS) return positionBytes(value) ?? value;
  if (value.length === TIME_CHARACTERS) return timeBytes(value) ?? value;
  return value;
}

/** Each projector takes the events of a batch one after the other. */
const EVENTS_OF_A_BATCH = 1_024;

/** The same function, which remembers what it said of the texts of a batch: the rows of an event have its time and its position in common. */
function batchRemembered(of: (text: string) => Uint8Array | undefined): (text: string) => Uint8Array | undefined {
  const answers = new Map<string, Uint8Array | undefined>();
  return (text) => {
    const known = answers.get(text);
    if (known) return known;
    const bytes = of(text);
    if (answers.size >= EVENTS_OF_A_BATCH) answers.clear();
    answers.set(text, bytes);
    return bytes;
  };
}

const positionBytes = batchRemembered((text) =>
  POSITION.test(text) ? numberBytes(Number(text), POSITION_BYTES) : undefined,
);

const timeBytes = batchRemembered(bytesOfTime);

function bytesOfTime(text: string): Uint8Array | undefined {
  const time = TIME.test(text) ? Date.parse(text) : NaN;
  // Some days are in no calendar; times before 1970 stay texts, which lie before bytes.
  if (Number.isNaN(time) || time < 0 || new Date(time).toISOString() !== text) return undefined;
  return numberBytes(time, TIME_BYTES);
}

function numberBytes(number: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = length - 1, rest = number; index >= 0; index--, rest = Math.floor(rest / 256)) {
    bytes[index] = rest % 256;
  }
  return bytes;
}

function numberIn(bytes: Uint8Array): number {
  let number = 0;
  for (const byte of bytes) number = number * 256 + byte;
  return number;
}

export function unpacked(cell: Cell): Scalar {
  if (!(cell instanceof Uint8Array)) return cell;
  if (cell.length === UUID_BYTES) return uuidText(cell, 0);
  if (cell.length === TIME_BYTES) return new Date(numberIn(cell)).toISOString();
  if (cell.length === POSITION_BYTES) return String(numberIn(cell)).padStart(POSITION_DIGITS, '0');
  const bytes = Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const mark = bytes.indexOf(MARK, at);
    if (mark < 0) return text + bytes.toString('utf8', at);
    text += bytes.toString('utf8', at, mark) + uuidText(bytes, mark + 1);
    at = mark + 1 + UUID_BYTES;
  }
  return text;
}

/** What begins otherwise is sorted and ranged over by its beginning. */
const markedBytes = (text: string): Uint8Array | undefined => (isUuidAt(text, 0) ? withMarks(text) : undefined);

/** A character takes three bytes at most; a mark is shorter than its UUID's text. */
const MOST_BYTES = 3;
let scratch = Buffer.alloc(MOST_BYTES * LONGEST);

/** Undefined where it holds no UUID. */
function withMarks(text: string): Uint8Array | undefined {
  if (MOST_BYTES * text.length > scratch.length) scratch = Buffer.alloc(2 * MOST_BYTES * text.length);
  const bytes = scratch;
  let [end, marks] = [0, 0];
  for (let at = 0; at < text.length;) {
    if (isUuidAt(text, at)) {
      bytes[end] = MARK;
      writeUuid(text, at, bytes, end + 1);
      end += 1 + UUID_BYTES;
      at += UUID_CHARACTERS;
      marks += 1;
    } else if (text.charCodeAt(at) < ASCII_END) bytes[end++] = text.charCodeAt(at++);
    else {
      const next = endOfOthers(text, at);
      end += bytes.write(text.slice(at, next), end);
      at = next;
    }
  }
  // A copy: bytes that are parts of others cannot be sent to another thread alone.
  return marks === 0 ? undefined : new Uint8Array(bytes.subarray(0, end));
}

const ASCII_END = 0x80;

function endOfOthers(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) >= ASCII_END) at += 1;
  return at;
}

const isDashAt = (text: string, index: number): boolean => text.charCodeAt(index) === DASH;

function isUuidAt(text: string, start: number): boolean {
  const hasDashes =
    isDashAt(text, start + 8) && isDashAt(text, start + 13) && isDashAt(text, start + 18) && isDashAt(text, start + 23);
  if (!hasDashes) return false;
  let digits = 0;
  for (let index = start; index < start + UUID_CHARACTERS; index++) digits += DIGITS[text.charCodeAt(index)] ?? 0;
  return digits === UUID_DIGITS;
}

const DASH = 45;
const NINE = 57;
const ZERO = 48;
const LETTER_A = 97;
const LETTER_F = 102;
const TEN = 87; // from the code of a letter to its value
const UUID_DIGITS = 2 * UUID_BYTES;

/** One for the code of each digit. */
const DIGITS = Uint8Array.from({ length: ASCII_END }, (_, code) =>
  Number((code >= ZERO && code <= NINE) || (code >= LETTER_A && code <= LETTER_F)),
);

function uuidBytes(uuid: string): Uint8Array | undefined {
  if (!isUuidAt(uuid, 0)) return undefined;
  const bytes = new Uint8Array(UUID_BYTES);
  writeUuid(uuid, 0, bytes, 0);
  return bytes;
}

function writeUuid(text: string, from: number, bytes: Uint8Array, start: number): void {
  let first = -1;
  for (let index = from, at = start; index < from + UUID_CHARACTERS; index++) {
    const code = text.charCodeAt(index);
    if (code === DASH) continue;
    const digit = code <= NINE ? code - ZERO : code - TEN;
    if (first < 0) first = digit;
    else {
      bytes[at++] = (first << 4) | digit;
      first = -1;
    }
  }
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function uuidText(bytes: Uint8Array, start: number): string {
  let text = '';
  for (let index = 0; index < UUID_BYTES; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += PAIRS[bytes[start + index] as number] as string;
  }
  return text;
}
