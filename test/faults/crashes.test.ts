import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from '@jest/globals';
import { dampCrashLoop, forgetCrashes, waitAfter } from '../../src/crashes.js';
import { freshFolder, logOf, startProgram, startService, stopAll, stopService } from '../support/service-process.js';

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
