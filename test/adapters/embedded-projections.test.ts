import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { OpenEmbeddedReadModels } from '../../src/adapters/embedded/embedded-read-models.js';
import { openEmbeddedReadModels } from '../../src/adapters/embedded/embedded-read-models.js';
import { openReadFileForWriting } from '../../src/adapters/embedded/read-file.js';
import { EmbeddedProjectionStore } from '../../src/adapters/embedded/writing/store.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { startProjections } from '../../src/kernel/projections/host.js';
import type { Projections } from '../../src/kernel/projections/projections.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { freshFolder } from '../support/embedded-reads.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import type { ShelfEvent } from '../support/shelf-projectors.js';
import {
  countThings,
  nameThing,
  POISON,
  SHELF_MODULE,
  shelfEvent,
  things,
  throwThing,
} from '../support/shelf-projectors.js';
import { until } from '../support/until.js';

let dataDir: string;
let log: MemoryEventStore;
let revision: number;
let models: OpenEmbeddedReadModels | undefined;
let projections: Projections;

beforeEach(async () => {
  dataDir = await freshFolder();
  log = new MemoryEventStore();
  revision = NO_STREAM;
});

afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

async function start(): Promise<OpenEmbeddedReadModels> {
  models = await openEmbeddedReadModels({ dataDir, logId: log.logId, projectorsModule: SHELF_MODULE });
  projections = await startProjections({ eventStore: log, applier: models.applier, clock: systemClock() });
  return models;
}

async function stop(): Promise<void> {
  if (!models) return;
  await projections.close();
  await models.close();
  models = undefined;
}

async function append(...events: readonly ShelfEvent[]): Promise<string> {
  const sealed = events.map((event) => shelfEvent(event));
  const appended = await log.append('shelf', revision, sealed);
  revision = appended.revision;
  return appended.position;
}

async function thing(id: string): Promise<unknown> {
  const record = await models?.reads.get(things, 's1', id);
  return record && { ...(JSON.parse(record.body) as object), ...(JSON.parse(record.hidden) as object) };
}

const sorted = { store: 's1', sort: { column: 'name', direction: 'asc' }, limit: 50 } as const;

test('events become documents that queries find', async () => {
  const { reads } = await start();
  const position = await append(
    nameThing('a', 'Pão'),
    nameThing('b', 'Bolo'),
    countThings(2, 'a', 'b'),
    throwThing('b'),
  );
  expect(await projections.waitFor(['things', 'names', 'counts'], position, 60_000)).toBe(true);
  expect(await thing('a')).toEqual({ id: 'a', name: 'Pão', count: 2, applied: 2 });
  expect((await reads.find(things, { ...sorted, words: 'pao' })).items.map(({ id }) => id)).toEqual(['a']);
  expect(await reads.count(things, { store: 's1' })).toBe(1);
});

test('counts follow what is written', async () => {
  const { reads } = await start();
  for (let round = 1; round <= 20; round++) {
    const position = await append(
      ...Array.from({ length: 100 }, (_, index) => nameThing(`t${round}-${index}`, 'thing')),
    );
    await projections.waitFor(['things'], position, 60_000);
    expect(await reads.count(things, { store: 's1' })).toBe(100 * round);
    expect(await reads.count(things, { store: 's1', words: 'thi' })).toBe(100 * round);
  }
  await projections.waitFor(['things'], await append(throwThing('t1-1')), 60_000);
  expect(await reads.count(things, { store: 's1' })).toBe(1_999);
});

test('a restart goes on in the middle', async () => {
  await start();
  await append(countThings(1, 'a'));
  await projections.caughtUp();
  await stop();
  await append(countThings(1, 'a'));
  await start();
  await projections.caughtUp();
  expect(await thing('a')).toMatchObject({ count: 2, applied: 2 });
});

test('read.db deleted is built again', async () => {
  await start();
  await append(nameThing('a', 'Apple'), countThings(1, 'a'));
  await projections.caughtUp();
  await stop();
  for (const suffix of ['', '-wal', '-shm']) await rm(join(dataDir, `read.db${suffix}`), { force: true });
  await start();
  await projections.caughtUp();
  expect(await thing('a')).toEqual({ id: 'a', name: 'Apple', count: 1, applied: 2 });
});

test('read.db that is none is thrown away and built again', async () => {
  await append(nameThing('a', 'Apple'));
  await writeFile(join(dataDir, 'read.db'), 'this was a disk block once'.repeat(1_000));
  await start();
  await projections.caughtUp();
  expect(await thing('a')).toMatchObject({ name: 'Apple' });
});

test('read.db of another log is thrown away and built again', async () => {
  await start();
  await append(nameThing('ghost', 'Ghost'), nameThing('a', 'Old'));
  await projections.caughtUp();
  await stop();
  log = new MemoryEventStore();
  revision = NO_STREAM;
  await append(nameThing('a', 'New'));
  const { reads } = await start();
  await projections.caughtUp();
  expect(await reads.count(things, { store: 's1' })).toBe(1);
  expect(await thing('a')).toMatchObject({ name: 'New', applied: 1 });
});

test('read.db that is ahead of a restored log is thrown away and built again', async () => {
  await start();
  await append(nameThing('a', 'kept'), nameThing('a', 'lost'));
  await projections.caughtUp();
  await stop();
  const [kept] = await log.readAll('', 1);
  log = new MemoryEventStore(log.logId);
  if (kept) await log.append('shelf', NO_STREAM, [kept]);
  await start();
  await projections.caughtUp();
  expect(await thing('a')).toMatchObject({ name: 'kept', applied: 1 });
});

test('a rebuild runs under load, and readers see one build or the other', async () => {
  const { reads } = await start();
  for (let index = 0; index < 3_000; index += 100) {
    await append(
      ...Array.from({ length: 100 }, (_, offset) => nameThing(`t${index + offset}`, `thing ${index + offset}`)),
    );
  }
  await projections.caughtUp();
  const rebuilt = new AbortController();
  const rebuild = projections.rebuild('things').finally(() => {
    rebuilt.abort();
  });
  const seen = new Set<number>();
  while (!rebuilt.signal.aborted) {
    await projections.waitFor(['things'], await append(countThings(1, 't5')), 60_000);
    seen.add(await reads.count(things, { store: 's1' }));
  }
  await rebuild;
  await projections.caughtUp();
  expect([...seen, await reads.count(things, { store: 's1' })].every((count) => count === 3_000)).toBe(true);
  expect((await reads.find(things, { ...sorted, words: 'thing 2999' })).items).toHaveLength(1);
});

/** How many tables there are of builds that others have replaced. */
function countOldTables(): number {
  const database = openReadFileForWriting(dataDir);
  try {
    const { count } = database.prepare(`select count(*) as count from sqlite_master where name glob 'old:*'`).get() as {
      readonly count: number;
    };
    return count;
  } finally {
    database.close();
  }
}

/** A rebuild by a process that ends before it has swept. */
async function rebuiltAndLeft(generation: 'switched' | 'broken off'): Promise<void> {
  const database = openReadFileForWriting(dataDir);
  const store = new EmbeddedProjectionStore(database);
  await store.beginRebuild(things);
  if (generation === 'switched') await store.switchRebuild(things);
  database.close();
}

test('what a rebuild replaced is removed while the service goes on', async () => {
  await start();
  await append(...Array.from({ length: 1_200 }, (_, index) => nameThing(`t${index}`, `thing ${index}`)));
  await projections.caughtUp();
  await projections.rebuild('things');
  await until('nothing is left of the old build', () => countOldTables() === 0);
  const position = await append(nameThing('t1', 'another'));
  expect(await projections.waitFor(['things'], position, 60_000)).toBe(true);
  expect(await thing('t1')).toMatchObject({ name: 'another', applied: 2 });
});

test.each(['switched', 'broken off'] as const)(
  'what a rebuild left that was %s is removed after a restart',
  async (how) => {
    await start();
    await append(...Array.from({ length: 1_200 }, (_, index) => nameThing(`t${index}`, `thing ${index}`)));
    await projections.caughtUp();
    await stop();
    await rebuiltAndLeft(how);
    await start();
    await append(nameThing('t0', 'another'));
    await projections.caughtUp();
    await until('nothing is left of the old build', () => countOldTables() === 0);
    expect(await models?.reads.count(things, { store: 's1' })).toBe(1_200);
  },
);

test('a poison event that the worker meets shows in the health', async () => {
  await start();
  const position = await append(nameThing('a', POISON));
  await until('things stops', () => projections.health().some(({ state }) => state === 'stopped'));
  const [health] = projections.health().filter(({ name }) => name === 'things');
  expect(health).toMatchObject({ poison: { position, reason: 'a poisonous name' } });
  await projections.skip('things', position);
  await projections.caughtUp();
  await until('things is live', () => projections.health().every(({ state }) => state === 'live'));
});

test('a projectors module that does not load is told at the start', async () => {
  const projectorsModule = new URL('no-such-module.js', SHELF_MODULE);
  await expect(openEmbeddedReadModels({ dataDir, logId: 'log', projectorsModule })).rejects.toThrow('no-such-module');
});
