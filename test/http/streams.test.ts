import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { z } from 'zod';
import { Streamed, route } from '../../src/kernel/routes/route.js';
import type { TestShell } from '../support/shell.js';
import { KEY, startShell } from '../support/shell.js';
import { until } from '../support/until.js';

/** Answers in pieces: what a client that is slow, or gone, or a failure in the middle comes to. */

const PIECE = 'x'.repeat(64 * 1024);
const STALLED = 300;

let given = 0;
let finished = false;
let pieces: () => AsyncGenerator<string>;

async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) {
      given += 1;
      yield await Promise.resolve(PIECE);
    }
  } finally {
    finished = true;
  }
}

const streaming = route({
  method: 'get',
  path: '/pieces',
  tag: 'Things',
  summary: 'Get pieces',
  permission: 'authenticated',
  request: { query: z.strictObject({}) },
  response: { status: 200, alternatives: ['text/plain'] },
  handle: () => ({ body: new Streamed('text/plain; charset=utf-8', pieces()) }),
});

let shell: TestShell;
beforeAll(async () => {
  shell = await startShell({ routes: [streaming], limits: { stalledMilliseconds: STALLED } });
});
afterAll(() => shell.stop());
beforeEach(() => {
  given = 0;
  finished = false;
  pieces = endless;
  shell.log.length = 0;
});

const HEADERS = `Host: localhost\r\nAuthorization: Bearer ${KEY}\r\nX-Store-Slug: demo\r\n`;

/** A client that has asked and does not read yet. */
function asking(port = shell.port, path = '/pieces', headers = ''): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\n${HEADERS}${headers}\r\n`, () => {
        resolve(socket);
      });
    });
    socket.on('error', () => undefined);
  });
}

const reported = () => shell.log.filter(({ msg }) => msg === 'request');

test('an answer of several pieces arrives whole', async () => {
  pieces = async function* () {
    for (const piece of ['pão', ' e ', 'água']) yield await Promise.resolve(piece);
  };
  const answer = await shell.call('/pieces');
  expect([answer.status, await answer.text()]).toEqual([200, 'pão e água']);
  await until('the request is reported', () => reported().length === 1);
  expect(reported()).toEqual([expect.objectContaining({ status: 200, route: '/pieces' })]);
});

test('for HEAD, whose client takes nothing, no piece is made', async () => {
  pieces = async function* () {
    given += 1;
    yield await Promise.resolve(PIECE);
  };
  const answer = await shell.call('/pieces', { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  await until('the request is reported', () => reported().length === 1);
  expect(reported()).toEqual([expect.objectContaining({ method: 'HEAD', status: 200 })]);
  expect(given).toBe(0);
});

test('when the client goes away in the middle, the work ends', async () => {
  const client = await asking();
  await new Promise((resolve) => client.once('data', resolve));
  client.destroy();
  await until('the pieces end', () => finished);
  await until('the request is reported', () => reported().length === 1);
  expect(reported()).toEqual([expect.objectContaining({ status: 499 })]);
  expect(shell.log.filter(({ level }) => level === 50)).toEqual([]);
});

test('what fails after a stop has cut the connection is no error', async () => {
  let fail: ((error: Error) => void) | undefined;
  pieces = async function* () {
    yield PIECE;
    yield await new Promise<string>((_, reject) => (fail = reject));
  };
  const stopping = await startShell({ routes: [streaming] }, { stopMilliseconds: 50 });
  const client = await asking(stopping.port);
  client.resume();
  await until('the second piece is awaited', () => fail !== undefined);
  await stopping.stop();
  fail?.(new Error('the read models are closed'));
  await until('the request is reported', () => stopping.log.some(({ msg }) => msg === 'request'));
  expect(stopping.log).toEqual([expect.objectContaining({ msg: 'request', status: 499 })]);
});

test('for a client that stops reading little is made ahead, and after a while the connection is cut', async () => {
  const client = await asking();
  client.pause();
  await until('a piece is made', () => given > 0);
  await until('the pieces end', () => finished);
  // The pieces wait in the buffers of two sockets and a stream.
  expect(given).toBeLessThan(200);
  await until('the request is reported', () => reported().length === 1);
  expect(reported()).toEqual([expect.objectContaining({ status: 499 })]);
  client.destroy();
});

test('a failure in the middle breaks the connection off, and is logged', async () => {
  pieces = async function* () {
    yield await Promise.resolve(PIECE);
    throw new Error('the reader is lost');
  };
  const answer = await shell.call('/pieces');
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
  await until('the request is reported', () => reported().length === 1);
  expect(shell.log.find(({ level }) => level === 50)).toMatchObject({
    route: '/pieces',
    err: { message: 'the reader is lost' },
  });
});

describe('clients that take a little now and then', () => {
  const LONG = 24 * 1024 * 1024;
  const long = route({
    method: 'get',
    path: '/long',
    tag: 'Things',
    summary: 'Get a long answer',
    permission: 'authenticated',
    request: { query: z.strictObject({}) },
    response: { status: 200, schema: z.object({ text: z.string() }) },
    handle: () => ({ body: { text: 'x'.repeat(LONG) } }),
  });
  const open: TestShell[] = [];
  const shellThatHolds = async (untakenBytes: number): Promise<TestShell> => {
    const limits = { untakenBytes, slowMilliseconds: 50 };
    const made = await startShell({ routes: [streaming, long], limits });
    open.push(made);
    return made;
  };
  afterAll(() => Promise.all(open.map((one) => one.stop())));

  test('lose their newest answer once what they have not taken is too much together', async () => {
    const { port } = await shellThatHolds(2.5 * LONG);
    const clients: Socket[] = [];
    for (let count = 0; count < 3; count += 1) clients.push(await asking(port, '/long'));
    const lengths = clients.map(() => 0);
    const newest = clients.at(-1);
    for (const [index, client] of clients.entries()) {
      client.on('data', (data) => {
        lengths[index] = (lengths[index] ?? 0) + data.length;
        if (client === newest) client.pause();
      });
      if (client !== newest) client.pause();
    }
    let isCut = false;
    newest?.once('close', () => (isCut = true));
    await until('the newest is cut off', () => {
      newest?.resume();
      return isCut;
    });
    expect(lengths.at(-1)).toBeLessThan(LONG);
    for (const client of clients) client.resume();
    await until('the others have all of it', () => lengths.slice(0, -1).every((length) => length > LONG));
    for (const client of clients) client.destroy();
  });

  test('and lose files that are made while they are sent, counted with what the next piece is made of', async () => {
    const { port, log } = await shellThatHolds(2.5 * 1024 * 1024);
    const clients: Socket[] = [];
    for (const name of ['first', 'second', 'third']) {
      const client = await asking(port, '/pieces', `X-Request-Id: ${name}\r\n`);
      clients.push(client.pause());
    }
    await until('one is cut off', () => log.some(({ msg }) => msg === 'request'));
    expect(log).toEqual([expect.objectContaining({ msg: 'request', status: 499, requestId: 'third' })]);
    for (const client of clients) client.destroy();
  });
});
