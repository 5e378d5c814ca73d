import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { HostLookup } from '../../src/adapters/safe-http/host-lookup.js';
import { SafeHttpPoster } from '../../src/adapters/safe-http/http-poster.js';
import { stopwatch } from '../support/stopwatch.js';

/** A second stands for the ten of the service, where it runs out; elsewhere a busy machine has time to answer. */
const PATIENCE = 1_000;
const LONG = 60_000;
const AFTERWARDS = 3_000;

const corpus = JSON.parse(readFileSync('test/fixtures/webhook-addresses.json', 'utf8')) as {
  readonly dns_scenarios: Readonly<Record<string, { readonly A?: string[]; readonly AAAA?: string[] }>>;
  readonly redirect_scenarios: readonly { readonly status: number; readonly location?: string }[];
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function poster(lookup?: HostLookup, allowPrivate = true, ca?: string, patience = LONG): SafeHttpPoster {
  const made = new SafeHttpPoster({
    allowPrivate,
    patience,
    ...(lookup && { lookup }),
    ...(ca && { tls: { ca } }),
  });
  closers.push(() => made.close());
  return made;
}

const impatient = (lookup?: HostLookup) => poster(lookup, true, undefined, PATIENCE);

/** A server that does with each connection what it is told. */
async function listening(server: Server, onConnection?: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** Answers the first bytes of each connection. */
const answering = (answer: (socket: Socket) => void) =>
  listening(createServer(), (socket) => {
    socket.once('data', () => {
      answer(socket);
    });
  });

const at = (port: number, host = '127.0.0.1', scheme = 'http') => `${scheme}://${host}:${String(port)}/hook`;
const post = (to: SafeHttpPoster, url: string) => to.post({ url, headers: { 'X-Test': '1' }, body: '{}' });
const fixed = (...addresses: readonly string[]): HostLookup => ({ addressesOf: () => Promise.resolve(addresses) });

describe('a receiver', () => {
  test('that answers 2xx whole is a success', async () => {
    const port = await answering((socket) => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok'));
    expect(await post(poster(), at(port))).toMatchObject({ statusCode: 202, error: null, snippet: 'ok' });
  });

  test.each<[string, (socket: Socket) => void]>([
    ['hangs', () => undefined],
    [
      'drips',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
        setInterval(() => socket.write('x'), 50).unref();
      },
    ],
    ['answers 200 and then hangs', (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok')],
    [
      'drips its body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n');
        setInterval(() => socket.write('x'), 50).unref();
      },
    ],
  ])('that %s is given up in time', async (_what, answer) => {
    const elapsed = stopwatch();
    const result = await post(impatient(), at(await answering(answer)));
    expect(result.error).toBe('no answer in time');
    expect(elapsed()).toBeLessThan(PATIENCE + AFTERWARDS);
    expect(result.durationMs).toBeGreaterThanOrEqual(PATIENCE - 5);
  });

  test('that stalls in TLS is given up in time', async () => {
    const port = await answering(() => undefined);
    const elapsed = stopwatch();
    const result = await post(impatient(), at(port, 'localhost', 'https'));
    expect(result).toMatchObject({ statusCode: null, error: 'no answer in time' });
    expect(elapsed()).toBeLessThan(PATIENCE + AFTERWARDS);
  });

  test('that sends without end is cut off, and little of it is kept', async () => {
    let sent = 0;
    const port = await answering((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536))) sent += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const result = await post(poster(), at(port));
    expect(result.snippet).toBe('x'.repeat(1_024));
    expect(sent).toBeLessThan(50_000_000);
  });

  test.each([
    ['announcements', 'HTTP/1.1 103 Early Hints\r\n\r\n', ''],
    ['words about one chunk', 'x'.repeat(100), 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;'],
  ])('that sends %s without end and no answer is cut off before its time is over', async (_what, part, first) => {
    let sent = 0;
    const port = await answering((socket) => {
      const parts = part.repeat(1_000);
      socket.write(first);
      const more = () => {
        while (!socket.destroyed && socket.write(parts)) sent += parts.length;
      };
      socket.on('drain', more);
      more();
    });
    const { error } = await post(poster(), at(port));
    expect(error).toBe('the answer brings more than an answer');
    expect(sent).toBeLessThan(50_000_000);
  });

  test('that announces its answer before it gives it is understood', async () => {
    const port = await answering((socket) => {
      const announced = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3);
      socket.end(`${announced}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
    });
    expect(await post(poster(), at(port))).toMatchObject({ statusCode: 200, error: null, snippet: 'ok' });
  });

  test('may answer as long as is read of it, again and again over one connection', async () => {
    let connections = 0;
    const body = 'x'.repeat(16_000);
    const server = createHttpServer((_request, response) => response.end(body));
    const port = await listening(server, () => (connections += 1));
    const to = poster();
    for (let time = 0; time < 40; time++) {
      expect(await post(to, at(port))).toMatchObject({ statusCode: 200, error: null });
    }
    expect(connections).toBeLessThan(40);
  });

  test.each<[string, Buffer, string]>([
    ['what is no text', Buffer.alloc(2_000, 0xff), '\ufffd'.repeat(341)],
    ['signs that cannot be shown', Buffer.alloc(2_000, 0x01), '\ufffd'.repeat(341)],
    ['letters of several bytes', Buffer.from(`x${'é'.repeat(1_000)}`), `x${'é'.repeat(511)}`],
  ])('that sends %s leaves no more than 1 KiB of whole letters', async (_what, body, snippet) => {
    const port = await answering((socket) => {
      socket.write(`HTTP/1.1 500 Broken\r\nContent-Length: ${String(body.length)}\r\n\r\n`);
      socket.end(body);
    });
    expect((await post(poster(), at(port))).snippet).toBe(snippet);
  });

  test.each(['RST', 'nothing'])('that ends the connection with %s has failed', async (how) => {
    const port = await answering((socket) => (how === 'RST' ? socket.resetAndDestroy() : socket.end()));
    const { statusCode, error } = await post(poster(), at(port));
    expect([statusCode, error]).toEqual([null, expect.stringMatching(/^the connection was (?:reset|closed)$/)]);
  });

  test.each([
    ['no HTTP', 'hello\r\n'],
    ['a status that none has', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('that answers with %s has failed for that', async (_what, said) => {
    const port = await answering((socket) => socket.end(said));
    expect((await post(poster(), at(port))).error).toBe('the answer is not HTTP/1.1');
  });

  test('that leaves many requests unanswered delays no other at its address', async () => {
    const port = await listening(
      createHttpServer((request, response) => {
        if (request.url !== '/hang') response.end('ok');
      }),
    );
    const sender = poster(undefined, true, undefined, 5 * PATIENCE);
    const to = (path: string) =>
      sender.post({ url: `http://127.0.0.1:${String(port)}${path}`, headers: {}, body: '{}' });
    const hanging = Array.from({ length: 16 }, () => to('/hang'));
    expect(await Promise.race([to('/hook'), ...hanging])).toMatchObject({ statusCode: 200, error: null });
    for (const { error } of await Promise.all(hanging)) expect(error).toBe('no answer in time');
  });

  test('that nobody serves has failed', async () => {
    expect((await post(poster(), at(1, '127.0.0.1'))).error).toBe('the connection was refused');
  });

  test.each(corpus.redirect_scenarios.filter(({ status }) => status !== 200))(
    'is not followed: %j',
    async (scenario) => {
      let connections = 0;
      const target = await listening(createServer(), () => (connections += 1));
      const location = (scenario.location ?? '').replace('PORT', String(target));
      const port = await answering((socket) =>
        socket.end(`HTTP/1.1 ${String(scenario.status)} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      );
      expect((await post(poster(), at(port))).statusCode).toBe(scenario.status);
      expect(connections).toBe(0);
    },
  );
});

describe('a name', () => {
  const refused = Object.entries(corpus.dns_scenarios).filter(([, { A, AAAA }]) => A ?? AAAA);

  test.each(refused)('%s is not connected to', async (name, { A = [], AAAA = [] }) => {
    const result = await post(poster(fixed(...A, ...AAAA), false), `https://${name}/hook`);
    expect(result).toMatchObject({ statusCode: null, error: 'the address is not public' });
  });

  test('that was public once and is private later is refused at each connection', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1'], []];
    let asked = 0;
    const lookup: HostLookup = { addressesOf: () => Promise.resolve(answers[asked++] ?? []) };
    const port = await answering((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const sender = poster(lookup);
    const url = at(port, 'hooks.example.com');
    expect((await post(sender, url)).statusCode).toBe(200);
    expect((await post(sender, url)).statusCode).not.toBeNull();
    expect(await post(sender, url)).toMatchObject({ statusCode: null, error: 'the host name was not found' });
    expect(asked).toBe(3);
  });

  test('that nobody answers for costs no more than its time', async () => {
    const lookup: HostLookup = { addressesOf: () => new Promise(() => undefined) };
    const elapsed = stopwatch();
    expect((await post(impatient(lookup), 'https://hang.test.example/h')).error).toBe('no answer in time');
    expect(elapsed()).toBeLessThan(PATIENCE + AFTERWARDS);
  });

  test('an address of its own is refused without a question', async () => {
    const lookup: HostLookup = { addressesOf: () => Promise.reject(new Error('asked')) };
    expect((await post(poster(lookup, false), 'https://127.0.0.1/h')).error).toBe('the address is no public address');
  });
});

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const name = 'hooks.example.com';
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${name} -keyout ${key} -out ${cert}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('names the host that was asked for, at the address that was checked', async () => {
    const seen: unknown[] = [];
    const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      seen.push([request.headers.host, (request.socket as unknown as { servername: string }).servername]);
      response.end('ok');
    });
    const port = await listening(server);
    const sender = poster(fixed('127.0.0.1'), true, readFileSync(cert, 'utf8'));
    expect(await post(sender, at(port, name, 'https'))).toMatchObject({ statusCode: 200, error: null });
    expect(seen).toEqual([[`${name}:${String(port)}`, name]]);
    const other = await post(sender, at(port, 'other.example.com', 'https'));
    expect([other.statusCode, other.error]).toEqual([null, expect.stringContaining('certificate')]);
    const untrusting = await post(poster(fixed('127.0.0.1')), at(port, name, 'https'));
    expect([untrusting.statusCode, untrusting.error]).toEqual([null, expect.stringContaining('certificate')]);
  });
});
