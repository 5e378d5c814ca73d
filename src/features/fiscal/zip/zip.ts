import { crc32, deflateRaw } from 'node:zlib';
import { promisify } from 'node:util';

/** A ZIP file that is written while it is sent: each file is held on its own, of all of them only where they stand. */

export interface ZippedFile {
  /** With folders before slashes; ASCII. */
  readonly name: string;
  readonly content: Buffer;
}

interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly deflated: number;
  readonly size: number;
  readonly offset: number;
}

const DEFLATE = 8;
const VERSION = 20;
/** The first day that the format knows: files carry no time of their own. */
const FIRST_DAY = 0x21;
const MOST_FILES = 0xffff;

const compress = promisify<Buffer, Buffer>(deflateRaw);

export async function* zipped(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  for await (const { name: text, content } of files) {
    if (entries.length === MOST_FILES) throw new Error('a ZIP holds at most 65,535 files');
    const body = await compress(content);
    const name = Buffer.from(text, 'ascii');
    const entry = { name, crc: crc32(content), deflated: body.length, size: content.length, offset };
    const head = localHeader(entry);
    entries.push(entry);
    offset += head.length + body.length;
    yield head;
    yield body;
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  yield directory;
  yield endOfDirectory(entries.length, directory.length, offset);
}

/** What both headers of a file hold: from the version to the length of what is extra. */
function common({ name, crc, deflated, size }: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(deflated, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common(entry), entry.name]);

function directoryEntry(entry: Entry): Buffer {
  const head = Buffer.alloc(6);
  head.write('PK\u0001\u0002', 0, 'latin1');
  head.writeUInt16LE(VERSION, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([head, common(entry), rest, entry.name]);
}

function endOfDirectory(files: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
