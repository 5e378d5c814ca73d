/** A mail as its receiver sees it. */
export interface ReadMail {
  /** By lower-case name, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

const fromQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );

/** RFC 2047. */
const decodedWords = (text: string): string =>
  text
    .replaceAll(/(=\?[^ ]+\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : fromQuotedPrintable(word.replaceAll('_', ' ')).toString(),
    );

function split(part: string): { readonly headers: Map<string, string>; readonly body: string } {
  const end = part.indexOf('\r\n\r\n');
  const lines = part
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || headers.has(name)) throw new Error(`not a header, or one sent twice: ${line}`);
    headers.set(name, decodedWords(line.slice(colon + 1).trim()));
  }
  return { headers, body: part.slice(end + 4) };
}

function contentOf(part: string): { readonly type: string; readonly content: string } {
  const { headers, body } = split(part);
  const encoding = headers.get('content-transfer-encoding');
  const bytes =
    encoding === 'quoted-printable'
      ? fromQuotedPrintable(body)
      : Buffer.from(body, encoding === 'base64' ? 'base64' : 'utf8');
  return { type: headers.get('content-type') ?? '', content: bytes.toString() };
}

/** Reads a mail with a plain and an HTML part; throws when it is not well formed. */
export function readMail(eml: string): ReadMail {
  const { headers, body } = split(eml);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) throw new Error('a mail without parts');
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => contentOf(part.slice(2, -2)));
  const find = (type: string): string =>
    parts.find((part) => part.type.startsWith(type))?.content.replaceAll('\r\n', '\n') ?? '';
  return { headers, text: find('text/plain'), html: find('text/html') };
}
