import type { Scalar } from '../../ports/read-models.js';

/**
 * How values lie in `read.db`: a UUID as its 16 bytes instead of its 36 characters, also within a short text. Such cells sort as
 * their texts do among those of the same form.
 */
export type Cell = Scalar | Uint8Array;

const UUID_CHARACTERS = 36;
const UUID_BYTES = 16;
/** What is longer is no name of anything. */
const LONGEST = 200;
/** Stands before a UUID within a text: no byte of UTF-8. */
const MARK = 0xff;

const UUIDS = /([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})/;

/** The same few products, places and lots come again and again. */
const REMEMBERED = 4_096;
const remembered = new Map<string, Uint8Array>();

export function packed(value: Scalar): Cell {
  if (typeof value !== 'string' || value.length < UUID_CHARACTERS || value.length > LONGEST) return value;
  const known = remembered.get(value);
  if (known) return known;
  const pieces = value.split(UUIDS);
  if (pieces.length === 1) return value;
  const bytes = value.length === UUID_CHARACTERS ? uuidBytes(value) : withMarks(pieces);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(value, bytes);
  return bytes;
}

export function unpacked(cell: Cell): Scalar {
  if (!(cell instanceof Uint8Array)) return cell;
  if (cell.length === UUID_BYTES) return uuidText(cell, 0);
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

/** Texts and UUIDs by turns. */
const withMarks = (pieces: readonly string[]): Uint8Array =>
  // A copy: bytes that are parts of others cannot be sent to another thread alone.
  new Uint8Array(
    Buffer.concat(
      pieces.map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : Buffer.from([MARK, ...uuidBytes(piece)]))),
    ),
  );

const DASH = 45;
const NINE = 57;
const ZERO = 48;
const TEN = 87; // from the code of a letter to its value

function uuidBytes(uuid: string): Uint8Array {
  const bytes = new Uint8Array(UUID_BYTES);
  let digits = 0;
  for (let index = 0; index < UUID_CHARACTERS; index++) {
    const code = uuid.charCodeAt(index);
    if (code === DASH) continue;
    const digit = code <= NINE ? code - ZERO : code - TEN;
    bytes[digits >> 1] = ((bytes[digits >> 1] as number) << 4) | digit;
    digits += 1;
  }
  return bytes;
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
