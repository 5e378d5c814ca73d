import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP by their names, as its directory lists them; sums are checked. */
export function unzipped(zip: Buffer): ReadonlyMap<string, string> {
  const end = endOf(zip);
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = filesIn(zip); left > 0; left--) {
    const [crc, deflated, size, nameLength] = [
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
    ];
    const name = zip.toString('ascii', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = inflateRawSync(zip.subarray(begin, begin + deflated));
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is not what was zipped`);
    files.set(name, content.toString());
    at += 46 + nameLength;
  }
  return files;
}

const endOf = (zip: Buffer): number => zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));

/** How many files a ZIP says that it has; of very many a larger record before its end says it. */
export function filesIn(zip: Buffer): number {
  const end = endOf(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count < 0xffff) return count;
  const many = Number(zip.readBigUInt64LE(end - 12));
  if (zip.toString('latin1', many, many + 4) !== 'PK\u0006\u0006')
    throw new Error('it does not say how many files it has');
  return Number(zip.readBigUInt64LE(many + 32));
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The cells of each sheet of a workbook: texts in quotes, numbers as they are written, null where there is nothing. */
export function sheetsOf(workbook: Buffer): Readonly<Record<string, readonly (readonly (string | number | null)[])[]>> {
  const files = unzipped(workbook);
  const names = [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name);
  return Object.fromEntries(
    names.map((name = '', index) => {
      const xml = files.get(`xl/worksheets/sheet${String(index + 1)}.xml`) ?? '';
      const rows = [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<c(?:\s[^>]*)?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell]) => valueOf(cell)),
      );
      return [unescaped(name), rows];
    }),
  );
}

function valueOf(cell: string | undefined): string | number | null {
  if (cell === undefined) return null;
  const text = /<t[^>]*>(.*)<\/t>/s.exec(cell)?.[1];
  return text === undefined ? Number(/<v>(.*)<\/v>/.exec(cell)?.[1]) : unescaped(inFull(text));
}

/** Spreadsheets take a sign that is written by its number for the sign. */
const inFull = (text: string): string =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
