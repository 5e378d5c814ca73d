import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Mongo } from '../../src/adapters/mongodb/open-mongo.js';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import { add, checkpoint, moves, product, products, put } from '../contract/read-model-samples.js';
import { onMongo } from '../support/on-servers.js';
import { stopwatch } from '../support/stopwatch.js';
import { until } from '../support/until.js';

const FIVE_SECONDS = 5_000;
const settings = { secretsKey: randomBytes(32), clock: systemClock() };

const sort = { column: 'name', direction: 'asc' } as const;
const row = { kind: 'thing', id: 'a', value: 1, expected: 'any' } as const;
const snapshot = { logId: 'log', version: 1, revision: 1, pieces: [Buffer.from('piece')] };

const READS: Readonly<Record<string, (mongo: Mongo) => Promise<unknown>>> = {
  get: ({ reads }) => reads.get(products, 's1', 'a'),
  getMany: ({ reads }) => reads.getMany(products, 's1', ['a']),
  find: ({ reads }) => reads.find(products, { store: 's1', sort, limit: 5 }),
  count: ({ reads }) => reads.count(products, { store: 's1' }),
  summarise: ({ reads }) => reads.summarise(moves, { store: 's1' }, { sum: ['units'], countDistinct: ['lot'] }),
  load: ({ projectionStore }) => projectionStore.load(products, 'live', [{ store: 's1', id: 'a' }]),
  checkpoints: ({ projectionStore }) => projectionStore.checkpoints(),
  'vault get': ({ vault }) => vault.get('thing', 'a'),
  'vault list': ({ vault }) => vault.list('thing', { limit: 5 }),
  'vault due': ({ vault }) => vault.due('thing', 5, 5),
  'snapshot load': ({ snapshots }) => snapshots.load('s'),
};

const WRITES: Readonly<Record<string, (mongo: Mongo) => Promise<unknown>>> = {
  'vault write': ({ vault }) => vault.write([{ ...row, expected: 'absent' }]),
  'commit of records': ({ projectionStore }) =>
    projectionStore.commit([put([product('a')], { at: 2 })], [checkpoint(2)]),
  'commit of rows': ({ projectionStore }) => projectionStore.commit([add([{ units: 1 }], { at: 2 })], []),
  'commit of a checkpoint': ({ projectionStore }) => projectionStore.commit([], [checkpoint(3)]),
  'begin of a rebuild': ({ projectionStore }) => projectionStore.beginRebuild(products),
  'vault sweep': ({ vault }) => vault.sweep(5),
  'snapshot save': ({ snapshots }) => snapshots.save('s', snapshot),
};

/** What a call ended with and when. */
async function outcome(call: Promise<unknown>): Promise<{ readonly error: unknown; readonly milliseconds: number }> {
  const elapsed = stopwatch();
  const error: unknown = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  return { error, milliseconds: elapsed() };
}

await onMongo('MongoDB away', (mongo) => {
  if (!mongo.isFerretdb) {
    test.skip('MongoDB away (left out: the server is not ours to kill)', () => undefined);
    return;
  }
  let store: Mongo;
  let url: string;

  beforeEach(async () => {
    url = mongo.freshUrl();
    store = await openMongo({ ...settings, url });
    await store.projectionStore.prepare([products, moves]);
    await store.projectionStore.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
  });
  afterEach(async () => {
    mongo.thaw();
    await store.close();
    await mongo.start();
  });

  async function expectAllRefused(): Promise<ReadonlyMap<string, StoreUnavailable>> {
    const calls = Object.entries({ ...WRITES, ...READS });
    const outcomes = await Promise.all(calls.map(async ([name, call]) => ({ name, ...(await outcome(call(store))) })));
    const refusals = new Map<string, StoreUnavailable>();
    for (const { name, error, milliseconds } of outcomes) {
      expect([name, error]).toEqual([name, expect.any(StoreUnavailable)]);
      expect(milliseconds).toBeLessThan(FIVE_SECONDS);
      refusals.set(name, error as StoreUnavailable);
    }
    for (const name of Object.keys(READS)) expect([name, refusals.get(name)?.unknown]).toEqual([name, false]);
    return refusals;
  }

  async function expectAllWork(): Promise<void> {
    await until(
      'the server is there again',
      async () => (await outcome(store.vault.get('thing', 'a'))).error === 'no error',
    );
    for (const call of [...Object.values(READS), ...Object.values(WRITES)]) await call(store);
    expect((await store.reads.get(products, 's1', 'a'))?.id).toBe('a');
  }

  describe('MongoDB away', () => {
    test('a killed server: every call is refused within five seconds, and works once the server is back', async () => {
      await mongo.kill();
      await expectAllRefused();
      const opening = await outcome(openMongo({ ...settings, url }));
      expect(opening.error).toBeInstanceOf(StoreUnavailable);
      expect(opening.milliseconds).toBeLessThan(FIVE_SECONDS);
      await mongo.start();
      await expectAllWork();
    });

    test('a server that says nothing: every call is refused within five seconds, and works once it speaks', async () => {
      await mongo.freeze();
      const refusals = await expectAllRefused();
      // It may write what it was sent as soon as it goes on.
      expect(refusals.get('vault write')?.unknown).toBe(true);
      mongo.thaw();
      await expectAllWork();
    });
  });
});
