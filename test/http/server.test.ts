import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { route } from '../../src/kernel/routes/route.js';
import { rejection, Rejection } from '../../src/kernel/events/rejection.js';
import type { ListenOptions } from '../../src/http/server.js';
import type { TestShell } from '../support/shell.js';
import { KEY, PRINCIPAL, startShell } from '../support/shell.js';
import { sendRaw } from '../support/raw-http.js';
import { until } from '../support/until.js';

let shell: TestShell | undefined;
afterEach(() => shell?.stop());

const credentials = `Authorization: Bearer ${KEY}\r\nX-Store-Slug: demo`;

async function start(server: Partial<ListenOptions> = {}): Promise<TestShell> {
  shell = await startShell({}, server);
  return shell;
}

describe('requests that are none', () => {
  test.each([
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE on a known path', 'TRACE /things HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['no HTTP', 'GET / TALK/1.1\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'two lengths',
      'POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    ['no host', `GET /things HTTP/1.1\r\n${credentials}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    [
      'a coding that nobody asked for',
      `POST /things HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'two hosts',
      `GET /things HTTP/1.1\r\nHost: localhost\r\nHost: example.com\r\n${credentials}\r\n\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'another host after a thousand headers',
      `GET /things HTTP/1.1\r\nHost: localhost\r\n${'a:b\r\n'.repeat(1_100)}Host: example.com\r\n${credentials}\r\n\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      '100 KB of headers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(100 * 1024)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['an expectation', `GET /things HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n`, 417, 'EXPECTATION_FAILED'],
    [
      'a broken chunk',
      `POST /things HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
  ])('%s is a problem as well', async (_name, request, status, code) => {
    const { port } = await start();
    const answer = await sendRaw(port, request);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(answer.body)).toMatchObject({ status, code, requestId: answer.headers['x-request-id'] });
    if (status === 405) expect(answer.headers['allow']).toContain('GET');
  });

  test('HTTP/1.0 needs no host', async () => {
    const { port } = await start();
    expect((await sendRaw(port, `GET /things HTTP/1.0\r\n${credentials}\r\n\r\n`)).status).toBe(200);
  });

  test('OPTIONS * names every method', async () => {
    const { port } = await start();
    const answer = await sendRaw(port, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect([answer.status, answer.headers['allow']]).toEqual([204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
  });

  test('the absolute form of an address is understood', async () => {
    const { port } = await start();
    const answer = await sendRaw(
      port,
      `GET http://localhost/things?take=3 HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n\r\n`,
    );
    expect(answer.body).toBe('[{"query":{"take":3}}]');
  });

  test('a body or header that comes too slowly is 408', async () => {
    const { port } = await start({ headerMilliseconds: 50, bodyMilliseconds: 50 });
    const slow = `POST /things HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{`;
    for (const request of [slow, 'GET /things HTTP/1.1\r\nHos']) {
      const answer = await sendRaw(port, request);
      expect(answer.status).toBe(408);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    }
    expect(shell?.seen.created).toEqual([]);
  });
});

describe('who lost their rights while their body was on its way', () => {
  test.each([
    ['the credential', 401, rejection(401, 'CREDENTIAL_UNKNOWN', 'Unknown')],
    ['the permission', 403, undefined],
  ] as const)('is refused: %s', async (_, status, refusal) => {
    let admitted = 0;
    let isRevoked = false;
    shell = await startShell({
      authenticate: () => {
        admitted += 1;
        if (!isRevoked) return PRINCIPAL;
        if (refusal) throw new Rejection(refusal);
        return { ...PRINCIPAL, permissions: new Set() };
      },
    });
    const { port } = shell;
    const begun = `POST /things HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a`;
    const revoked = until('the service knows who asks', () => admitted === 1).then(() => {
      isRevoked = true;
      return '"}';
    });
    expect((await sendRaw(port, begun, 'first', revoked)).status).toBe(status);
    expect(shell.seen.created).toEqual([]);
  });
});

describe('stopping', () => {
  /** A route that answers when it is told to. */
  async function startWaiting(server: Partial<ListenOptions> = {}) {
    const state = { entered: 0, release: (): void => undefined };
    const released = new Promise<void>((resolve) => (state.release = resolve));
    const waiting = route({
      method: 'get',
      path: '/waiting',
      tag: 'Test',
      summary: 'Wait',
      permission: 'authenticated',
      request: {},
      response: { status: 200 },
      handle: async () => {
        state.entered++;
        await released;
        return { body: 'done' };
      },
    });
    shell = await startShell({ routes: [waiting] }, server);
    return { shell, state };
  }

  test('what runs is answered, new connections are refused, idle ones closed', async () => {
    const { shell: running, state } = await startWaiting();
    const idle = connect(running.port, '127.0.0.1');
    let idleClosed = false;
    idle.on('close', () => (idleClosed = true));
    idle.on('data', () => undefined);
    idle.write('OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = running.call('/waiting');
    await until('the request runs', () => state.entered === 1);
    const stopped = running.stop();
    await until('the idle connection is closed', () => idleClosed);
    await expect(running.call('/waiting')).rejects.toThrow();
    state.release();
    expect(await (await answer).json()).toBe('done');
    await stopped;
  });

  test('an answer that a slow client still takes is not cut short', async () => {
    // More than the system's buffers hold.
    const body = 'a'.repeat(16 * 1024 * 1024);
    const large = route({
      method: 'get',
      path: '/large',
      tag: 'Test',
      summary: 'Answer much',
      permission: 'authenticated',
      request: {},
      response: { status: 200 },
      handle: () => ({ body }),
    });
    shell = await startShell({ routes: [large] });
    const slow = connect(shell.port, '127.0.0.1');
    let received = '';
    let closed = false;
    slow.on('close', () => (closed = true));
    slow.write(`GET /large HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n\r\n`);
    await new Promise<void>((resolve) => {
      slow.setEncoding('latin1').once('data', (text) => {
        received += String(text);
        slow.pause();
        resolve();
      });
    });
    const stopped = shell.stop();
    await expect(shell.call('/large')).rejects.toThrow();
    await pause(100);
    slow.on('data', (text) => (received += String(text))).resume();
    await until('the connection is closed', () => closed);
    await stopped;
    expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(body.length + 2);
  });

  test('requests that came at once are all answered, and the last answer says that the connection closes', async () => {
    const { shell: running, state } = await startWaiting();
    const socket = connect(running.port, '127.0.0.1');
    let received = '';
    const closed = once(
      socket.setEncoding('latin1').on('data', (text) => (received += String(text))),
      'close',
    );
    const request = `GET /waiting HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n\r\n`;
    const later = connect(running.port, '127.0.0.1').resume();
    await once(later, 'connect');
    socket.write(request);
    await until('the first runs', () => state.entered === 1);
    const stopped = running.stop();
    // Those of one connection take turns; what comes after them on another tells that they are there.
    await new Promise((written) => socket.write(request.repeat(3), written));
    later.write(request);
    await until('all have come', () => state.entered === 2);
    state.release();
    await Promise.all([closed, stopped]);
    const ends = [...received.matchAll(/^connection: (.*)\r$/gim)].map(([, option]) => option);
    expect(ends).toEqual(['keep-alive', 'keep-alive', 'keep-alive', 'close']);
    expect(received.match(/"done"/g)).toHaveLength(4);
  });

  test('a connection that was opened beforehand and never used holds up nothing', async () => {
    const { port, stop } = await start();
    const unused = connect(port, '127.0.0.1');
    let closed = false;
    unused.on('close', () => (closed = true)).resume();
    await once(unused, 'connect');
    const stopped = stop();
    await until('the connection is closed', () => closed, 6_000);
    await stopped;
  });

  test('what does not end in time is cut off', async () => {
    const { shell: running, state } = await startWaiting({ stopMilliseconds: 50 });
    const answer = running.call('/waiting');
    await until('the request runs', () => state.entered === 1);
    await Promise.all([expect(answer).rejects.toThrow(), running.stop()]);
    state.release();
  });

  test('a port that is taken is told', async () => {
    const { port } = await start();
    await expect(startShell({}, { port })).rejects.toThrow('EADDRINUSE');
  });
});
