import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, expect, test } from '@jest/globals';
import { dampCrashLoop, forgetCrashes, waitAfter } from '../../src/crashes.js';
import { freshFolder, logOf, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { until } from '../support/until.js';

afterEach(stopAll);

async function crash(dataDir: string) {
  const program = startProgram('test/support/dying-process.js', [], { DATA_DIR: dataDir });
  return { ...(await program.ended), log: logOf(program.out) };
}

/** What a start says of the crashes before it; it is told to stop at once. */
async function warnings(dataDir: string): Promise<readonly Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  await dampCrashLoop(dataDir, logger, Promise.resolve());
  return lines;
}

test('an error that nobody caught is logged with the requests of the moment and ends the process', async () => {
  const dataDir = await freshFolder();
  const { code, log } = await crash(dataDir);
  expect(code).toBe(1);
  expect(log).toMatchObject([
    {
      level: 60,
      err: { message: 'nobody catches this' },
      requests: [{ requestId: 'the-request', method: 'GET', route: '/things' }],
    },
  ]);
});

/** Asks the service to be a tunnel, as for a proxy, and is gone before it hears that it is none. */
const goneAfterConnect = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
      socket.resetAndDestroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve();
    });
  });

test('clients that ask for a tunnel and reset their connections end nothing', async () => {
  const service = await startService(await freshFolder());
  for (let client = 0; client < 500; client++) await goneAfterConnect(service.port);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await stopService(service);
});

test('connections that take every file that may be opened end nothing, also under npm start', async () => {
  const { PATH } = process.env;
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const env = {
    PATH,
    DATA_DIR: await freshFolder(),
    PORT: '0',
    DEMO: 'false',
    HEADER_TIMEOUT: '5s',
    npm_lifecycle_event: 'start',
  };
  const service = spawn('sh', ['-c', `ulimit -n 128; exec "${process.execPath}" "${main}"`], { env });
  const ended = once(service, 'close');
  let out = '';
  service.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await until('the service is ready', () => out.includes('"msg":"ready"'));
  const { url, port } = logOf(out).find(({ msg }) => msg === 'ready') as { url: string; port: number };
  let open = 300;
  for (let client = open; client > 0; client--) {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => undefined).on('close', () => open--);
  }
  // Meanwhile it looks for its memory and its parent, each in a file.
  await until('those that say nothing were closed', () => open === 0);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(logOf(out).map(({ msg }) => msg)).toEqual(['ready', 'request', 'stopping', 'stopped']);
});

test('who crashes again and again waits before the next start, until it has stopped cleanly', async () => {
  const dataDir = await freshFolder();
  expect(await warnings(dataDir)).toEqual([]);
  for (let count = 0; count < 3; count++) await crash(dataDir);
  expect(await warnings(dataDir)).toMatchObject([{ crashes: 3, milliseconds: 2_000 }]);
  forgetCrashes(dataDir);
  expect(await warnings(dataDir)).toEqual([]);
});

test('the waits grow up to a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(waitAfter)).toEqual([0, 0, 0, 2_000, 4_000, 8_000, 60_000]);
});
