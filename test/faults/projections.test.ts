import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { callStore, CategoryLoad, newStoreOf } from '../support/category-load.js';
import { freshFolder, linesOf, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { until } from '../support/until.js';

afterEach(stopAll);

async function project(dataDir: string, ...words: readonly string[]) {
  const program = startProgram('scripts/projections.js', words, { DATA_DIR: dataDir });
  const { code } = await program.ended;
  return { code, out: program.out, err: linesOf(program.err) };
}

const copiesIn = (dataDir: string): Promise<readonly string[]> => readdir(join(dataDir, 'replays')).catch(() => []);

async function beginVerifying(dataDir: string) {
  const program = startProgram('scripts/projections.js', ['verify'], { DATA_DIR: dataDir });
  await until('the copy is begun', async () => (await copiesIn(dataDir)).length > 0);
  return program;
}

interface Status {
  readonly projections: readonly { readonly name: string; readonly state: string; readonly position: string }[];
}

const statusOf = (out: string): Status => {
  expect(linesOf(out)).toHaveLength(1);
  return JSON.parse(out) as Status;
};

describe('the projections command line', () => {
  test('tells how far they are and builds one again, beside the service and without it', async () => {
    const dataDir = await freshFolder();
    const service = await startService(dataDir);
    const store = await newStoreOf(dataDir);
    const created = await callStore(service.url, store, 'POST', '/categories', { name: 'Pães' });
    expect(created.headers.get('x-position')).toMatch(/^[\w-]{43}$/);
    const seen = { name: 'categories', state: 'live', position: expect.stringMatching(/^\d{16}$/) };
    for (const running of [true, false]) {
      const status = await project(dataDir, 'status');
      expect(status).toMatchObject({ code: 0, err: [] });
      expect(statusOf(status.out).projections).toContainEqual(expect.objectContaining(seen));
      const rebuilt = await project(dataDir, 'rebuild', 'categories');
      expect(rebuilt).toMatchObject({ code: 0, err: [] });
      expect(JSON.parse(rebuilt.out)).toMatchObject(seen);
      if (running) await stopService(service);
    }
  });

  test('leaves nothing of the copy that it compares with when it is told to stop', async () => {
    const dataDir = await freshFolder();
    const program = await beginVerifying(dataDir);
    program.kill('SIGTERM');
    // It may have come to its end by then.
    expect([0, 143]).toContain((await program.ended).code);
    expect(await copiesIn(dataDir)).toEqual([]);
  });

  test('the next start removes the copy of one that was killed, and so does the next comparison', async () => {
    const dataDir = await freshFolder();
    const killed = await beginVerifying(dataDir);
    killed.kill('SIGKILL');
    await killed.ended;
    const [left = ''] = await copiesIn(dataDir);
    const service = await startService(dataDir);
    expect(await copiesIn(dataDir)).not.toContain(left);

    await mkdir(join(dataDir, 'replays', left), { recursive: true });
    expect(await project(dataDir, 'verify')).toMatchObject({ code: 0, err: [] });
    expect(await copiesIn(dataDir)).toEqual([]);
    await stopService(service);
  });

  test('builds one again beside live load, and no query notices', async () => {
    const dataDir = await freshFolder();
    const service = await startService(dataDir);
    const store = await newStoreOf(dataDir);
    const load = new CategoryLoad(service.url, [store]);
    await until('the load runs', () => load.answered >= 200);

    const rebuilding = Promise.all([project(dataDir, 'rebuild', 'categories'), project(dataDir, 'rebuild', 'brands')]);
    const over = new AbortController();
    void rebuilding.finally(() => {
      over.abort();
    });
    let looks = 0;
    while (!over.signal.aborted) {
      const acknowledged = load.attempts.filter(({ answer }) => answer).map(({ name }) => name);
      const { status, body } = await callStore(service.url, store, 'GET', '/categories');
      expect(status).toBe(200);
      const names = new Set((body as readonly { readonly name: string }[]).map(({ name }) => name));
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
      looks += 1;
    }
    expect(looks).toBeGreaterThan(1);
    for (const { code } of await rebuilding) expect(code).toBe(0);
    await stopService(service);
    const attempts = await load.ended();
    expect(attempts.filter(({ answer }) => answer && answer.status !== 201)).toEqual([]);
  });

  test('refuses what is not there to be done, and explains its use', async () => {
    const dataDir = await freshFolder();
    await startService(dataDir);
    const [refused, misused] = await Promise.all([
      project(dataDir, 'skip', 'categories', '1'),
      project(dataDir, 'rebuild'),
    ]);
    expect(refused).toEqual({ code: 1, out: '', err: ['categories has not stopped at 1'] });
    expect(misused).toMatchObject({ code: 2, out: '' });
    expect(misused.err).toContain('  npm run -s projections -- skip NAME POSITION');
  });
});
