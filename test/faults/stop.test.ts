import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { callStore, CategoryLoad, newStoreOf } from '../support/category-load.js';
import { freshFolder, logOf, startProcess, startService, stopAll, stopService } from '../support/service-process.js';
import { storedEvents } from '../support/stored-log.js';
import { until } from '../support/until.js';

/** A stop is promised within so long; before, it cuts off what still runs. */
const PATIENCE = 10_000;

afterEach(stopAll);

const messagesOf = (out: string) => logOf(out).map(({ msg }) => msg);

test('a stop under load answers what runs, does nothing unanswered, and ends with 0 in time', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir);
  const stores = [await newStoreOf(dataDir), await newStoreOf(dataDir)];
  const load = new CategoryLoad(service.url, stores, 8);
  await until('the load runs', () => load.answered >= 100);
  service.kill('SIGTERM');
  await until('it stops', () => messagesOf(service.out).includes('stopping'));
  const stopping = Date.now();
  service.kill('SIGTERM');
  const attempts = await load.ended();
  // None was cut off: closing the files, which comes then, may take its time on a busy machine.
  expect(Date.now() - stopping).toBeLessThan(PATIENCE);
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(messagesOf(service.out).at(-1)).toBe('stopped');
  expect(service.err).toBe('');

  const answered = attempts.filter(({ answer }) => answer);
  expect(answered.filter(({ answer }) => answer?.status !== 201)).toEqual([]);
  const created = (await storedEvents(dataDir)).filter(({ type }) => type === 'CategoryCreated');
  const names = created.map(({ data }) => (JSON.parse(data) as { name: string }).name);
  expect(names.sort()).toEqual(answered.map(({ name }) => name).sort());
});

test('the end of npm start is the end of the service', async () => {
  const dataDir = await freshFolder();
  const { PATH = '', HOME = '' } = process.env;
  const npm = spawn('npm', ['start'], { env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0', DEMO: 'false' } });
  let out = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await until('the service is ready', () => out.includes('"msg":"ready"'));
  // The service writes to the same pipe: it closes when the last process that holds it is gone.
  const ended = once(npm, 'close');
  npm.kill('SIGTERM');
  await ended;
  expect(messagesOf(out).at(-1)).toBe('stopped');
});

test('whoever kills npm alone has no service left either', async () => {
  const dataDir = await freshFolder();
  const npm = spawn('npm', ['start'], { env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: 'false' } });
  let out = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await until('the service is ready', () => out.includes('"msg":"ready"'));
  const ended = once(npm, 'close');
  npm.kill('SIGKILL');
  await ended;
  expect(messagesOf(out).at(-1)).toBe('stopped');
});

test('SIGHUP, of a terminal that was closed, is a stop as well', async () => {
  const service = await startService(await freshFolder());
  service.kill('SIGHUP');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(messagesOf(service.out).at(-1)).toBe('stopped');
});

const mayUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
const PROCESS_ONE = 'as process 1 of a container it stops as well, and leaves nobody';

if (mayUnshare) test(PROCESS_ONE, stopsAsProcessOne);
else test.skip(`${PROCESS_ONE} (left out: unshare is refused here)`, () => undefined);

async function stopsAsProcessOne(): Promise<void> {
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const env = { PATH: process.env['PATH'], DATA_DIR: await freshFolder(), PORT: '0', DEMO: 'false' };
  const unshared = spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, main], { env });
  let out = '';
  unshared.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await until('the service is ready', () => out.includes('"msg":"ready"'));
  expect(logOf(out).find(({ msg }) => msg === 'ready')).toMatchObject({ pid: 1 });
  const pid = readFileSync(`/proc/${String(unshared.pid)}/task/${String(unshared.pid)}/children`, 'utf8').trim();
  const closed = once(unshared, 'close');
  process.kill(Number(pid), 'SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect(messagesOf(out).at(-1)).toBe('stopped');
}

test('a stop during the start is followed as soon as it has started', async () => {
  const dataDir = await freshFolder();
  const service = startProcess(dataDir);
  await until('it opens its data', () => existsSync(join(dataDir, 'secrets.json')));
  await stopService(service);
  expect(messagesOf(service.out).at(-1)).toBe('stopped');
  expect(service.err).toBe('');
});

test('a request that is still arriving is taken to its end, and its connection with it', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir);
  const store = await newStoreOf(dataDir);
  const body = JSON.stringify({ name: 'Pães' });
  const socket = connect(service.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  // One segment: when the first request is answered, the beginning of the second has been read as well.
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /categories HTTP/1.1\r\nHost: localhost\r\n');
  await until('the service reads the second request', () => received.includes('HTTP/1.1 200 OK'));
  service.kill('SIGTERM');
  await until('it stops', () => messagesOf(service.out).includes('stopping'));
  await expect(callStore(service.url, store, 'GET', '/categories')).rejects.toThrow('fetch failed');
  const rest = [
    `Authorization: Bearer ${store.key}`,
    `X-Store-Slug: ${store.slug}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${rest.join('\r\n')}\r\n\r\n${body}`);
  expect((await service.ended).code).toBe(0);
  const answer = received.slice(received.indexOf('HTTP/1.1 201 Created'));
  expect(answer.toLowerCase()).toContain('connection: close');
});

test('a request that never arrives whole leaves time to close what is open within ten seconds', async () => {
  const service = await startService(await freshFolder());
  const socket = connect(service.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /categories HTTP/1.1\r\nHost: localhost\r\n');
  await until('the service reads the second request', () => received.includes('HTTP/1.1 200 OK'));
  await stopService(service);
  const at = (wanted: string): number => Number(logOf(service.out).find(({ msg }) => msg === wanted)?.time);
  expect(at('stopped') - at('stopping')).toBeLessThan(PATIENCE);
});
