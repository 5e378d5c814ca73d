import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { opened } from '../src/opening.js';
import { freshFolder, linesOf, startProcess, startProgram, stopAll } from './support/service-process.js';

afterEach(() => stopAll());

describe('what is opened', () => {
  const opening = (closed: string[], fails: readonly string[] = [], after?: Error) =>
    opened((closing) => {
      for (const name of ['first', 'second', 'third']) {
        closing.add(() => {
          closed.push(name);
          if (fails.includes(name)) throw new Error(`${name} does not close`);
        });
      }
      return after ? Promise.reject(after) : Promise.resolve({ open: true });
    });

  test('is closed in reverse, once', async () => {
    const closed: string[] = [];
    const thing = await opening(closed);
    expect([thing.open, closed]).toEqual([true, []]);
    await thing.close();
    await thing.close();
    expect(closed).toEqual(['third', 'second', 'first']);
  });

  test('is closed when a later part does not open, which is what one hears', async () => {
    const closed: string[] = [];
    const reason = new Error('the fourth does not open');
    await expect(opening(closed, ['second'], reason)).rejects.toBe(reason);
    expect(closed).toEqual(['third', 'second', 'first']);
  });

  test('is closed whole, although a part does not close', async () => {
    const closed: string[] = [];
    const thing = await opening(closed, ['third', 'second']);
    await expect(thing.close()).rejects.toThrow('third does not close');
    expect(closed).toEqual(['third', 'second', 'first']);
  });
});

describe('a service whose server is away', () => {
  async function closedPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    return typeof address === 'object' && address ? address.port : 0;
  }

  test.each([
    ['MONGODB_URL', 'mongodb', '', 'MongoDB is away'],
    ['EVENTSTORE_URL', 'esdb', '?tls=false', 'EventStoreDB is away'],
    ['EVENTSTORE_URL', 'kurrentdb', '?tls=false', 'EventStoreDB is away'],
  ])('fails within seconds, says so in a line and leaves nothing open (%s)', async (name, scheme, query, reason) => {
    const settings = { [name]: `${scheme}://127.0.0.1:${String(await closedPort())}${query}`, PORT: '0' };
    const started = performance.now();
    const leaving = startProgram('test/support/failing-start.js', [], { ...settings, DATA_DIR: await freshFolder() });
    const whole = startProcess(await freshFolder(), settings);
    expect([await leaving.ended, linesOf(leaving.out), leaving.err]).toEqual([
      { code: 0, signal: null },
      [expect.stringContaining(reason)],
      '',
    ]);
    expect([await whole.ended, linesOf(whole.err)]).toEqual([
      { code: 1, signal: null },
      [expect.stringContaining(reason)],
    ]);
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
