import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { RawAnswer } from './raw-http.js';
import { sendRaw } from './raw-http.js';

/** One line of the corpus of bad input: what to send, and the status (or words about it) that must come back. */
export interface BadInput {
  readonly name: string;
  readonly input: string;
  readonly expect: number | string;
}

/** Where bad input is sent. */
export interface BadInputTarget {
  readonly port: number;
  readonly bodyLimit: number;
  /** Lines with credentials for a permitted caller. */
  readonly credentials: readonly string[];
  /** The path that takes this entry's body. */
  bodyPath(entry: BadInput): string;
}

const corpus = new URL('../../../test/fixtures/bad-input.json', import.meta.url);

export const badInputs = (
  JSON.parse(readFileSync(corpus, 'utf8')) as { groups: Readonly<Record<string, readonly BadInput[]>> }
).groups;

/** The statuses that an entry allows; empty when its words name none. */
export function statusesOf({ expect: expected }: BadInput): readonly number[] {
  return typeof expected === 'number' ? [expected] : (expected.match(/\b[2-4]\d\d\b/g) ?? []).map(Number);
}

interface RequestParts {
  readonly start?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

const JSON_TYPE = 'Content-Type: application/json';
const NAMED = '{"name":"a"}';

const list = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => String(index)));

const GENERATED: Readonly<Record<string, (limit: number) => string | Buffer>> = {
  'gen:"["*10000+"]"*10000': () => '['.repeat(10_000) + ']'.repeat(10_000),
  'gen:{"a":}*10000': () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'gen:size=limit+1': (limit) => NAMED.padEnd(limit + 1),
  'gen:gzip': () => gzipSync(Buffer.alloc(32 * 1024 * 1024)),
  'gen:keys=100000': () => `{${Array.from({ length: 100_000 }, (_, key) => `"k${key}":1`).join(',')}}`,
  'gen:ids=201': () => `{"ids":${list(201)}}`,
  'gen:items=61': () => `{"items":${list(61)}}`,
  'gen:tiers=21': () => `{"tiers":${list(21)}}`,
  'gen:len=201': () => JSON.stringify({ name: 'x'.repeat(201) }),
  'gen:astral=200': () => JSON.stringify({ name: '\u{1f35e}'.repeat(200) }),
  'gen:len=2001': () => JSON.stringify({ notes: 'x'.repeat(2001) }),
};

/** Entries whose input is words to whoever sends them. */
const SPECIAL = new Map<string, (limit: number) => RequestParts>(
  Object.entries({
    'no Content-Length, chunked over limit': (limit: number) => ({
      headers: [JSON_TYPE, 'Transfer-Encoding: chunked'],
      body: `${(limit + 1).toString(16)}\r\n${' '.repeat(limit + 1)}\r\n0\r\n\r\n`,
    }),
    'gzip bomb 1 MB->1 GB': (limit: number) => ({
      headers: [JSON_TYPE, 'Content-Encoding: gzip'],
      body: GENERATED['gen:gzip']?.(limit) ?? '',
    }),
    'slow body, 1 byte per 10 s': () => ({ headers: [JSON_TYPE, 'Content-Length: 100'], body: '{' }),
    'text/plain body': () => ({ headers: ['Content-Type: text/plain'], body: NAMED }),
    'no content type': () => ({ headers: [], body: NAMED }),
    'form body': () => ({ headers: ['Content-Type: application/x-www-form-urlencoded'], body: 'name=a' }),
    'charset utf-16': () => ({ headers: ['Content-Type: application/json; charset=utf-16'], body: NAMED }),
    'duplicate slug header': () => ({ start: 'GET /products', headers: ['X-Store-Slug: other'] }),
    'Authorization twice': () => ({ start: 'GET /products', headers: ['Authorization: Bearer other'] }),
    'method override': () => ({ start: 'GET /products', headers: ['X-HTTP-Method-Override: DELETE'] }),
    TRACE: () => ({ start: 'TRACE /' }),
    'unknown method': () => ({ start: 'FOO /' }),
    'OPTIONS unknown origin': () => ({ start: 'OPTIONS /products', headers: ['Origin: https://evil.example'] }),
    'HEAD on GET': () => ({ start: 'HEAD /products' }),
    range: () => ({ start: 'GET /products', headers: ['Range: bytes=0-1'] }),
    'CL+TE smuggling': () => ({
      headers: [JSON_TYPE, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
      body: '0\r\n\r\n',
    }),
    '100 KB of headers': () => ({ start: 'GET /products', headers: [`X-Padding: ${'a'.repeat(100 * 1024)}`] }),
    'X-Forwarded-For spoof': () => ({ start: 'GET /products', headers: ['X-Forwarded-For: 203.0.113.9'] }),
    '8 KB path': () => ({ start: `GET /categories/${'a'.repeat(8192)}` }),
  }),
);

/** Entries about what a feature makes of its records; its own tests try them. */
const OF_FEATURES = new Set([
  'NFC/NFD twins',
  'Turkish i',
  '0.1+0.2 sums',
  'uuid upper case',
  'id of another store',
  'Bearer and cookie together',
]);

export const concernsShell = ({ name }: BadInput): boolean => !OF_FEATURES.has(name);

function partsOf({ name, input }: BadInput, { bodyLimit }: BadInputTarget): RequestParts {
  const special = SPECIAL.get(name)?.(bodyLimit);
  if (special) return special;
  const query = /^(?:GET|PATCH) \S+/.exec(input)?.[0];
  if (query) return { start: query.replace('UPPER', 'ABC'), ...(input.startsWith('PATCH') ? { body: NAMED } : {}) };
  if (input.startsWith('gen:')) {
    const generate = GENERATED[input];
    if (!generate) throw new Error(`nothing is known about ${input}`);
    return { body: generate(bodyLimit) };
  }
  return { body: input.startsWith('b64:') ? Buffer.from(input.slice(4), 'base64') : input };
}

function credentialsFor({ name }: BadInput, { credentials }: BadInputTarget): readonly string[] {
  if (name === 'key in query') return [];
  if (!name.startsWith('slug with')) return credentials;
  return credentials.map((line) => line.replace(/^(X-Store-Slug): .*/i, '$1: a b'));
}

/** Sends an entry as it says and gives the answer. */
export function sendBadInput(entry: BadInput, target: BadInputTarget): Promise<RawAnswer> {
  const { start = `POST ${target.bodyPath(entry)}`, headers = [JSON_TYPE], body = '' } = partsOf(entry, target);
  const isFramed = headers.some((line) => /^(?:content-length|transfer-encoding):/i.test(line));
  const head = [
    `${start} HTTP/${entry.name.startsWith('HTTP/1.0') ? '1.0' : '1.1'}`,
    ...(entry.name.startsWith('HTTP/1.0') ? [] : ['Host: localhost']),
    ...credentialsFor(entry, target),
    ...headers,
    ...(isFramed ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return sendRaw(target.port, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
}
