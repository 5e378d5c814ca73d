import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { readBody } from '../../src/http/exchange/body.js';
import { heldMemory } from '../support/memory.js';
import type { TestShell } from '../support/shell.js';
import { KEY, startShell } from '../support/shell.js';
import { sendAndLeave, sendRaw } from '../support/raw-http.js';
import { until } from '../support/until.js';

const LIMIT = 64 * 1024;

let shell: TestShell;
beforeAll(async () => {
  shell = await startShell({ limits: { bodyBytes: LIMIT } });
});
afterAll(() => shell.stop());

const JSON_TYPE = 'application/json';
const post = (body: NonNullable<RequestInit['body']>, type: string | undefined = JSON_TYPE, headers = {}) =>
  shell.call('/things', { method: 'POST', body, headers: { ...(type ? { 'content-type': type } : {}), ...headers } });

const codeOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as { code: unknown }).code;

describe('what a body must be', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;',
    'application/json; odata.metadata=minimal; charset=utf-8; version=1',
  ])('JSON in UTF-8: %s', async (type) => {
    expect((await post('{"name":"a"}', type)).status).toBe(201);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json; version=1; charset="latin1"',
    'application/json; charset=utf-8x',
    'application/json5',
    '',
  ])('and nothing else: %s', async (type) => {
    const answer = await post(new TextEncoder().encode('{"name":"a"}'), type);
    expect(answer.status).toBe(415);
    expect(await codeOf(answer)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('no compression, whatever would come out of it', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const answer = await post(bomb, JSON_TYPE, { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
  });

  test('a missing or empty one is told so', async () => {
    expect(await codeOf(await shell.call('/things', { method: 'POST' }))).toBe('BODY_REQUIRED');
    expect(await codeOf(await post(''))).toBe('BODY_REQUIRED');
    expect(await codeOf(await post('  '))).toBe('MALFORMED_JSON');
  });

  test.each([
    ['{"name":"a","name":"b"}', 'name'],
    ['{"name":"a","n\\u0061me":"a"}', 'name'],
    ['{"name":"a","ids":[{"__proto__":1},{"__proto__":1,"b":{},"__proto__":2}]}', 'ids[1].__proto__'],
  ])('without a member that stands twice: %s', async (body, path) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_INPUT', errors: [{ path, message: 'stands twice' }] });
  });

  test('with one name in several objects, and with colons in texts', async () => {
    expect((await post('{"name":"a:\\":b"}')).status).toBe(201);
    const { errors } = (await (await post('{"name":"a","x":{"name":1},"y":[{"name":1},{"name":1}]}')).json()) as {
      readonly errors: readonly object[];
    };
    expect(errors).toMatchObject([{ path: 'x' }, { path: 'y' }]);
  });
});

describe('numbers', () => {
  test.each([
    '9007199254740993',
    '1234567890123456',
    '0.1234567890123456',
    '1.234567890123456',
    '-1234567.890123456',
    '0.39999999999999999',
    '1e400',
    '1e-400',
    '-1.5e-324',
    `0.${'0'.repeat(400)}1`,
    '9'.repeat(400),
  ])('one that would lose digits is refused: %s', async (number) => {
    expect((await post(`{"name":"a","priceCash":${number}}`)).status).toBe(400);
  });

  test.each([
    ['1234567890123.45', 201],
    ['0.0000000000000000000', 201],
    ['1.50000000000000000000', 201],
    ['1000000000000000000000', 400],
    ['1e2', 201],
    ['0e-400', 201],
  ])('digits that say nothing do not count: %s', async (number, status) => {
    const answer = await post(`{"name":"a","priceCash":${number}}`);
    expect([answer.status, await codeOf(answer)]).toEqual([status, status === 201 ? undefined : 'INVALID_INPUT']);
  });

  test('one that would lose digits is named with its path, at any depth', async () => {
    const long = '0.30000000000000004';
    const text = `{"name": "a\\",\\"[{", "ids" : [1, {"b\\u00e9": [[], ${long}]}, "x:", -${long}], "priceCash" :\n ${long}}`;
    const answer = await post(text);
    expect(answer.status).toBe(400);
    const message = 'must have at most 15 significant digits';
    expect(await answer.json()).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [
        { path: 'ids[1]["bé"][1]', message },
        { path: 'ids[3]', message },
        { path: 'priceCash', message },
      ],
    });
  });

  test('what is no JSON is told first', async () => {
    expect(await codeOf(await post('{"name":"a","priceCash":0.30000000000000004'))).toBe('MALFORMED_JSON');
  });

  test('at most 50 mistakes are listed, the others counted', async () => {
    const numbers = Array.from({ length: 120 }, () => '0.30000000000000004').join();
    const answer = (await (await post(`{"ids":[${numbers}]}`)).json()) as { errors: unknown[] };
    expect(answer).toMatchObject({ errorsOmitted: 70 });
    expect(answer.errors).toHaveLength(50);
  });

  test('digits inside texts are no numbers', async () => {
    expect((await post('{"name":"12345678901234567890 \\" 12345678901234567890"}')).status).toBe(201);
  });
});

describe('depth and size', () => {
  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('10,000 levels of %s are refused', async (open, close) => {
    const answer = await post(`${open.repeat(10_000)}${open === '[' ? '' : '1'}${close.repeat(10_000)}`);
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe('MALFORMED_JSON');
  });

  test('64 levels are read, one more is not', async () => {
    const lists = (levels: number) => `{"ids":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(await codeOf(await post(lists(64)))).toBe('INVALID_INPUT');
    expect(await codeOf(await post(lists(65)))).toBe('MALFORMED_JSON');
  });

  test('brackets inside texts have no depth', async () => {
    expect((await post(JSON.stringify({ name: '[{'.repeat(100) }))).status).toBe(201);
  });

  const padded = (size: number) => {
    const body = '{"name":"a"}';
    return body + ' '.repeat(size - body.length);
  };

  test('the limit itself is taken, one byte more is not', async () => {
    expect((await post(padded(LIMIT))).status).toBe(201);
    const answer = await post(padded(LIMIT + 1));
    expect(answer.status).toBe(413);
    expect(await codeOf(answer)).toBe('BODY_TOO_LARGE');
  });

  test('without a length it is counted, and the connection goes on afterwards', async () => {
    const chunk = `${(1024).toString(16)}\r\n${' '.repeat(1024)}\r\n`;
    const head = (rest: string) =>
      `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nX-Store-Slug: demo\r\nContent-Type: application/json\r\n${rest}`;
    const chunked = `POST /things ${head('Transfer-Encoding: chunked\r\n\r\n')}${chunk.repeat(LIMIT / 1024 + 1)}0\r\n\r\n`;
    expect((await sendRaw(shell.port, chunked)).status).toBe(413);
    const both = await sendRaw(shell.port, `${chunked}GET /things ${head('Connection: close\r\n\r\n')}`, 'all');
    expect(both.body).toContain('HTTP/1.1 200 OK');
  });

  test('who goes on far beyond the limit is cut off', async () => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const init = { method: 'POST', body: stream, duplex: 'half', headers: { 'content-type': JSON_TYPE } };
    const answer = await shell.call('/things', init as RequestInit).catch((error: unknown) => error);
    expect(answer instanceof Error || (answer as Response).status === 413).toBe(true);
  });

  test('nothing is kept of what arrives after the refusal', async () => {
    const MEGABYTE = 1024 * 1024;
    const headers = { 'content-type': JSON_TYPE, 'content-length': String(100 * MEGABYTE) };
    const arriving = new PassThrough();
    const limits = { bodyBytes: 64 * MEGABYTE, bodyMilliseconds: 60_000 };
    const read = readBody(Object.assign(arriving, { headers, complete: false }) as unknown as IncomingMessage, limits);
    await expect(read).rejects.toThrow('a body has at most');
    const before = heldMemory();
    for (let sent = 0; sent < 32; sent++) if (!arriving.write(Buffer.alloc(MEGABYTE))) await once(arriving, 'drain');
    await until('what was sent is let go', () => heldMemory() - before < 8 * MEGABYTE);
    arriving.destroy();
  });

  test('a client that leaves in the middle costs nothing', async () => {
    const request = `POST /things HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nX-Store-Slug: demo\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`;
    await sendAndLeave(shell.port, request);
    await until('the request is logged', () => shell.log.some((line) => line['status'] === 499));
    expect((await post('{"name":"a"}')).status).toBe(201);
  });
});
