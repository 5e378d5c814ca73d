import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/** A ZIP file that is written while it is sent: of all files only where they stand is held. */

export interface ZippedFile {
  /** With folders before slashes; ASCII. */
  readonly name: string;
  /** Whole, or in pieces of any number. */
  readonly content: Buffer | AsyncIterable<string>;
}

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  /** Its sums stand behind it, since they were not known before. */
  readonly streamed: boolean;
  crc: number;
  deflated: number;
  size: number;
}

const DEFLATE = 8;
const VERSION = 20;
const SUMS_BEHIND = 0x08;
/** The first day that the format knows: files carry no time of their own. */
const FIRST_DAY = 0x21;
/** From so many files on their number has no room at the end, and a larger record before it tells it. */
const MANY_FILES = 0xffff;
const VERSION_OF_MANY = 45;

const compress = promisify<Buffer, Buffer>(deflateRaw);

export async function* zipped(files: AsyncIterable<ZippedFile> | Iterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  for await (const file of files) {
    const written = file.content instanceof Buffer ? whole(file.name, file.content, offset) : streamed(file, offset);
    const entry: Entry = yield* counted(written, (bytes) => (offset += bytes));
    entries.push(entry);
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  yield directory;
  yield endOfDirectory(entries.length, directory.length, offset);
}

async function* counted<R>(
  pieces: AsyncGenerator<Uint8Array, R>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, R> {
  try {
    for (let next = await pieces.next(); ; next = await pieces.next()) {
      if (next.done === true) return next.value;
      count(next.value.length);
      yield next.value;
    }
  } finally {
    // Where nobody reads on; of one that has ended it does nothing.
    await pieces.return(undefined as R);
  }
}

async function* whole(name: string, content: Buffer, offset: number): AsyncGenerator<Uint8Array, Entry> {
  const body = await compress(content);
  const sums = { crc: crc32(content), deflated: body.length, size: content.length };
  const entry = { name: Buffer.from(name, 'ascii'), offset, streamed: false, ...sums };
  yield localHeader(entry);
  yield body;
  return entry;
}

async function* streamed(
  { name, content }: { readonly name: string; readonly content: Buffer | AsyncIterable<string> },
  offset: number,
): AsyncGenerator<Uint8Array, Entry> {
  const entry: Entry = { name: Buffer.from(name, 'ascii'), offset, streamed: true, crc: 0, deflated: 0, size: 0 };
  yield localHeader(entry);
  const deflate = createDeflateRaw();
  const feeding = pipeline(Readable.from(summed(content as AsyncIterable<string>, entry)), deflate);
  // Who stops reading ends it as well, and nobody waits for it then.
  feeding.catch(() => undefined);
  for await (const piece of deflate as AsyncIterable<Buffer>) {
    entry.deflated += piece.length;
    yield piece;
  }
  await feeding;
  yield sumsOf(entry);
  return entry;
}

async function* summed(pieces: AsyncIterable<string>, entry: Entry): AsyncGenerator<Buffer> {
  for await (const text of pieces) {
    const bytes = Buffer.from(text);
    entry.crc = crc32(bytes, entry.crc);
    entry.size += bytes.length;
    yield bytes;
  }
}

/** What both headers of a file hold: from the version to the length of what is extra. */
function common({ name, streamed: behind, ...sums }: Entry, known: boolean): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(behind ? SUMS_BEHIND : 0, 2);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  if (known) {
    fields.writeUInt32LE(sums.crc, 10);
    fields.writeUInt32LE(sums.deflated, 14);
    fields.writeUInt32LE(sums.size, 18);
  }
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common(entry, !entry.streamed), entry.name]);

function sumsOf({ crc, deflated, size }: Entry): Buffer {
  const sums = Buffer.alloc(16);
  sums.write('PK\u0007\u0008', 0, 'latin1');
  sums.writeUInt32LE(crc, 4);
  sums.writeUInt32LE(deflated, 8);
  sums.writeUInt32LE(size, 12);
  return sums;
}

function directoryEntry(entry: Entry): Buffer {
  const head = Buffer.alloc(6);
  head.write('PK\u0001\u0002', 0, 'latin1');
  head.writeUInt16LE(VERSION, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([head, common(entry, true), rest, entry.name]);
}

/** What a reader looks for first: how many files there are, and where the directory of them is. */
export function endOfDirectory(files: number, size: number, offset: number): Buffer {
  const shown = Math.min(files, MANY_FILES);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(shown, 8);
  end.writeUInt16LE(shown, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return shown < MANY_FILES ? end : Buffer.concat([endOfMany(files, size, offset), end]);
}

/** As ZIP64 has it: the numbers in full, and where they stand. */
function endOfMany(files: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(56);
  end.write('PK\u0006\u0006', 0, 'latin1');
  end.writeBigUInt64LE(44n, 4); // the length of what follows
  end.writeUInt16LE(VERSION_OF_MANY, 12);
  end.writeUInt16LE(VERSION_OF_MANY, 14);
  for (const [index, value] of [files, files, size, offset].entries())
    end.writeBigUInt64LE(BigInt(value), 24 + 8 * index);
  const place = Buffer.alloc(20);
  place.write('PK\u0006\u0007', 0, 'latin1');
  place.writeBigUInt64LE(BigInt(offset + size), 8);
  place.writeUInt32LE(1, 16);
  return Buffer.concat([end, place]);
}
