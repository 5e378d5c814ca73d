import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { HttpOptions } from '../../src/http/options.js';
import type { ListenOptions } from '../../src/http/server.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { route } from '../../src/kernel/routes/route.js';
import { sendRaw } from '../support/raw-http.js';
import type { TestShell } from '../support/shell.js';
import { KEY, startShell } from '../support/shell.js';
import { until } from '../support/until.js';

let shell: TestShell | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await shell?.stop();
  shell = undefined;
});

const open: Route = route({
  method: 'post',
  path: '/open',
  tag: 'Test',
  summary: 'Takes anything small from anybody',
  permission: 'public',
  request: { body: z.strictObject({ name: z.string().optional() }) },
  response: { status: 200, schema: z.object({}) },
  handle: () => ({ body: {} }),
});

const large: Route = route({
  method: 'get',
  path: '/large',
  tag: 'Test',
  summary: 'Answers with more than any socket holds',
  permission: 'public',
  request: {},
  response: { status: 200, schema: z.string() },
  handle: () => ({ body: 'x'.repeat(32 * 1024 * 1024) }),
});

async function start(change: Partial<HttpOptions> = {}, server: Partial<ListenOptions> = {}): Promise<TestShell> {
  return (shell = await startShell({ routes: [open, large], ...change }, server));
}

async function post(running: TestShell, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${running.url}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Record<string, unknown>, headers: answer.headers };
}

const probe = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

const isTaken = (running: TestShell): Promise<boolean> =>
  sendRaw(running.port, probe).then(
    () => true,
    () => false,
  );

/** A connection that says something and reads nothing. */
async function connection(running: TestShell, said = ''): Promise<Socket & { readonly ended: () => boolean }> {
  const socket = connect(running.port, '127.0.0.1');
  sockets.add(socket);
  let ended = false;
  socket.on('error', () => (ended = true)).on('close', () => (ended = true));
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.pause();
  if (said !== '') socket.write(said);
  return Object.assign(socket, { ended: () => ended });
}

describe('what is wrong with an input', () => {
  test('is told fifty times at most, and the rest is counted', async () => {
    const members = Array.from({ length: 110_000 }, (_, index) => `"m${String(index)}":1`);
    const { status, body, text } = await post(await start(), `{${members.join(',').slice(0, 1_000_000)}":1}`);
    expect(status).toBe(400);
    expect(body['errors']).toHaveLength(50);
    expect(body['errorsOmitted']).toBeGreaterThan(70_000);
    expect(text.length).toBeLessThan(10_000);
  });

  test('is told without counting where all is said', async () => {
    const { body } = await post(await start(), '{"a":1,"b":2}');
    expect(body['errors']).toHaveLength(2);
    expect(body).not.toHaveProperty('errorsOmitted');
  });

  test('echoes at most a hundred characters of what was sent', async () => {
    const { body, text } = await post(await start(), JSON.stringify({ ['n'.repeat(500_000)]: 1 }));
    const [error] = body['errors'] as { path: string }[];
    expect(error?.path).toHaveLength(100);
    expect(text.length).toBeLessThan(700);
  });
});

describe('clients that keep the service waiting', () => {
  test('are cut off when they do not read an answer', async () => {
    const running = await start({ limits: { stalledMilliseconds: 200 } }, { maxConnectionsPerAddress: 1 });
    await connection(running, 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('the connection is cut and another is taken', () => isTaken(running));
  });

  test('are not cut off while they read, however slowly', async () => {
    const running = await start({ limits: { stalledMilliseconds: 5_000 } });
    const answer = await fetch(`${running.url}/large`);
    expect((await answer.text()).length).toBe(32 * 1024 * 1024 + 2);
  });

  test('are cut off when their headers do not come', async () => {
    const running = await start({}, { headerMilliseconds: 100 });
    const answer = await sendRaw(running.port, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ');
    expect([answer.status, answer.headers['connection']]).toEqual([408, 'close']);
  });

  test('are answered when their body does not come', async () => {
    const running = await start({ limits: { bodyMilliseconds: 100 } });
    const head =
      'POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
    const answer = await sendRaw(running.port, `${head}{`, 'all');
    expect([answer.status, answer.headers['connection']]).toEqual([408, 'close']);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });
});

describe('connections', () => {
  const refused = async (running: TestShell) => {
    const socket = await connection(running);
    socket.resume();
    await until('the connection is refused', () => socket.ended());
  };

  test('of one address are limited, and free again when one ends', async () => {
    const running = await start({}, { maxConnectionsPerAddress: 2 });
    const [first] = [await connection(running), await connection(running)];
    await refused(running);
    first.destroy();
    await until('another is taken', () => isTaken(running));
  });

  test('in all are limited', async () => {
    const running = await start({}, { maxConnections: 2 });
    await Promise.all([connection(running), connection(running)]);
    await refused(running);
  });

  test('that ask on and on without taking answers are closed', async () => {
    const running = await start();
    const asked = await sendRaw(
      running.port,
      probe.repeat(32) + probe.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      'all',
    );
    expect(asked.body.match(/HTTP\/1\.1 200/g)).toHaveLength(32);
    const greedy = await connection(running, probe.repeat(1_000));
    await until('it is closed', greedy.ended);
  });

  test('that have ended begin nothing any more of what they asked for', async () => {
    let begun = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = route({
      method: 'get',
      path: '/held',
      tag: 'Test',
      summary: 'Answers when it is told to',
      permission: 'public',
      request: {},
      response: { status: 200, schema: z.object({}) },
      handle: async () => {
        begun += 1;
        await released;
        return { body: {} };
      },
    });
    const running = await start({ routes: [held] });
    const ask = 'GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const gone = await connection(running, ask.repeat(2));
    await until('the first is begun', () => begun > 0);
    gone.destroy();
    const other = sendRaw(running.port, ask);
    await until('that of another is begun', () => begun > 1);
    release();
    expect((await other).status).toBe(200);
    expect(begun).toBe(2);
  });

  test('of a trusted proxy are not counted by address', async () => {
    const running = await start({}, { maxConnectionsPerAddress: 1, trustedProxies: ['loopback'] });
    await Promise.all([connection(running), connection(running)]);
    expect((await sendRaw(running.port, probe)).status).toBe(200);
  });
});

describe('endpoints without sign-in', () => {
  const limits = { openRequestsPerMinute: 3 };

  test('take so many requests a minute of an address', async () => {
    let now = 1_000_000;
    const running = await start({ limits, clock: { now: () => now } });
    const statuses = async (count: number) => {
      const found = [];
      for (let at = 0; at < count; at++) found.push((await post(running, '{}')).status);
      return found;
    };
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    const { headers, body } = await post(running, '{}');
    expect([headers.get('retry-after'), body['code']]).toEqual(['20', 'RATE_LIMITED']);
    now += 20_000;
    expect(await statuses(2)).toEqual([200, 429]);
    expect((await fetch(`${running.url}/openapi.json`)).status).toBe(429);
  });

  test('do not count what this machine asks to watch the service', async () => {
    const running = await start({ limits });
    for (let at = 0; at < 10; at++) expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
    for (let at = 0; at < 3; at++) await fetch(`${running.url}/healthz`, { headers: { 'x-forwarded-for': '1.2.3.4' } });
    const through = await fetch(`${running.url}/healthz`, { headers: { 'x-forwarded-for': '1.2.3.4' } });
    expect(through.status).toBe(429);
  });

  test('with 0 there is no limit', async () => {
    const running = await start({ limits: { openRequestsPerMinute: 0 } });
    for (let at = 0; at < 70; at++) expect((await post(running, '{}')).status).toBe(200);
  });

  test.each([
    ['a claim that is no address', (at: number) => `nonsense-${String(at)}`],
    ['another port each time', (at: number) => `203.0.113.9:${String(1_000 + at)}`],
    ['what the client itself claims', (at: number) => `198.51.100.${String(at)}, 203.0.113.9`],
  ])('count %s as one client', async (_name, forwarded) => {
    const running = await start({ limits, trustedProxies: ['loopback'] });
    const statuses = [];
    for (let at = 0; at < 4; at++)
      statuses.push((await post(running, '{}', { 'x-forwarded-for': forwarded(at) })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('tell clients behind a trusted proxy apart', async () => {
    const running = await start({ limits, trustedProxies: ['loopback'] });
    for (let at = 0; at < 10; at++) {
      const client = { 'x-forwarded-for': `203.0.113.${String(at)}:4711` };
      expect((await post(running, '{}', client)).status).toBe(200);
    }
  });
});

describe('If-Match', () => {
  const remove = async (tags: readonly string[]) => {
    shell = await startShell();
    return shell.call('/things/known', { method: 'DELETE', headers: { 'if-match': tags.join(', ') } });
  };
  const tags = (count: number) => Array.from({ length: count }, (_, index) => `"${String(index + 1_000)}"`);

  test('takes ten tags, which are decided at once', async () => {
    expect((await remove([...tags(9), '"7"'])).status).toBe(204);
    expect(shell?.seen.contexts).toHaveLength(1);
  });

  test.each([11, 1_500])('refuses %s tags before anything is decided', async (count) => {
    const answer = await remove(tags(count));
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'MALFORMED_REQUEST' }]);
    expect(shell?.seen.contexts).toHaveLength(0);
  });
});

describe('the host that is asked', () => {
  const ask = (port: number, host: string, path = '/openapi.json') =>
    sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);

  test.each([
    'evil.example',
    '203.0.113.1',
    'localhost.evil.example',
    'localhost@evil.example',
    '[2001:db8::1]',
    'a b',
  ])('is refused when it is none of ours: %s', async (host) => {
    const answer = await ask((await start()).port, host);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([421, { code: 'WRONG_HOST' }]);
  });

  test('is refused in the absolute form of the target as well', async () => {
    const { port } = await start();
    expect((await ask(port, 'localhost', 'http://evil.example/openapi.json')).status).toBe(421);
    expect((await ask(port, 'localhost', 'http://localhost/openapi.json')).status).toBe(200);
  });

  test.each([
    'localhost',
    'LOCALHOST:99',
    '127.0.0.1:3000',
    '127.9.9.9',
    '[::1]:3000',
    'loja.example',
    'outra.example:80',
  ])('is answered for when it is ours: %s', async (host) => {
    const publicUrls = ['https://loja.example', 'http://outra.example'];
    expect((await ask((await start({ publicUrls })).port, host)).status).toBe(200);
  });

  test.each([
    ['loja.example', 200],
    ['loja.example:443', 200],
    ['LOJA.example', 200],
    ['outra.example:8080', 200],
    ['loja.example:8443', 421],
    ['outra.example', 421],
    ['localhost', 421],
    ['127.0.0.1', 421],
  ])('in production must be a public one: %s', async (host, status) => {
    const publicUrls = ['https://loja.example/', 'http://outra.example:8080'];
    const { port } = await start({ publicUrls, onlyPublic: true });
    expect((await ask(port, host)).status).toBe(status);
  });

  test.each(['/healthz', '/readyz', '/metrics'])('does not matter when this machine asks for %s', async (path) => {
    const { port } = await start({ publicUrls: ['https://loja.example'], onlyPublic: true });
    expect((await ask(port, '127.0.0.1:3000', path)).status).toBe(200);
    const proxied = `GET ${path} HTTP/1.1\r\nHost: 10.0.0.1\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`;
    expect((await sendRaw(port, proxied)).status).toBe(421);
  });
});
