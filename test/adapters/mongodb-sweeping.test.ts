import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Mongo } from '../../src/adapters/mongodb/open-mongo.js';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { RebuildReplaced } from '../../src/ports/read-models.js';
import { checkpoint, product, products, put, remove } from '../contract/read-model-samples.js';
import { onMongo } from '../support/on-servers.js';

const HOUR = 3_600_000;

await onMongo('sweeping in MongoDB', (mongo) => {
  const clock = { time: 1_000_000_000, now: () => clock.time };
  let store: Mongo;
  let client: MongoClient;

  beforeEach(async () => {
    const url = mongo.freshUrl();
    store = await openMongo({ url, secretsKey: randomBytes(32), clock });
    await store.projectionStore.prepare([products]);
    client = new MongoClient(url);
  });
  afterEach(async () => {
    await store.close();
    await client.close();
  });

  async function builds(): Promise<string[]> {
    const all = await client.db().listCollections({}, { nameOnly: true }).toArray();
    return all
      .map(({ name }) => name)
      .filter((name) => name.startsWith('products'))
      .sort();
  }

  async function rebuild(): Promise<void> {
    await store.projectionStore.beginRebuild(products);
    const rebuilt = put([product('a')], { at: 1, generation: 'next' });
    await store.projectionStore.commit([rebuilt], [checkpoint(1, products, 'next')]);
    await store.projectionStore.switchRebuild(products);
  }

  describe('sweeping in MongoDB', () => {
    test('a tombstone goes when it is older than an hour and behind the checkpoint', async () => {
      const { projectionStore } = store;
      const keys = ['a', 'b'].map((id) => ({ store: 's1', id }));
      const kept = async () => [...(await projectionStore.load(products, 'live', keys)).keys()].sort();
      await projectionStore.commit([put([product('a'), product('b')], { at: 1 })], [checkpoint(1)]);
      await projectionStore.commit([remove(['a'], { at: 2 })], [checkpoint(2)]);
      await projectionStore.commit([remove(['b'], { at: 3 })], []);
      clock.time += HOUR - 1;
      await store.sweep();
      expect(await kept()).toEqual(['s1/a', 's1/b']);
      clock.time += 1;
      await store.sweep();
      expect(await kept()).toEqual(['s1/b']);
      await projectionStore.commit([], [checkpoint(3)]);
      await store.sweep();
      expect(await kept()).toEqual([]);
    });

    test('a replaced build goes an hour after the switch, an abandoned one too', async () => {
      await rebuild();
      await store.sweep();
      expect(await builds()).toEqual(['products_v1_g1', 'products_v1_g2']);
      await store.projectionStore.beginRebuild(products);
      await store.projectionStore.commit([put([product('a')], { at: 1, generation: 'next' })], []);
      await rebuild();
      clock.time += HOUR;
      await store.sweep();
      expect(await builds()).toEqual(['products_v1_g4']);
      expect((await store.reads.get(products, 's1', 'a'))?.id).toBe('a');
    });

    test('a next build that came no further for an hour is given up, and goes an hour later', async () => {
      const { projectionStore } = store;
      const further = (at: number) =>
        projectionStore.commit([put([product('a')], { at, generation: 'next' })], [checkpoint(at, products, 'next')]);
      await projectionStore.beginRebuild(products);
      for (const at of [1, 2]) {
        clock.time += HOUR - 1;
        await further(at);
        await store.sweep();
      }
      expect(await builds()).toEqual(['products_v1_g1', 'products_v1_g2']);
      clock.time += HOUR;
      await store.sweep();
      await expect(further(3)).rejects.toThrow(RebuildReplaced);
      clock.time += HOUR;
      await store.sweep();
      expect(await builds()).toEqual(['products_v1_g1']);
      await rebuild();
      expect((await store.reads.get(products, 's1', 'a'))?.id).toBe('a');
    });

    test('an old version goes an hour after the new one has taken its place', async () => {
      await store.projectionStore.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      const raised = { ...products, version: 2 };
      await store.projectionStore.prepare([raised]);
      clock.time += HOUR;
      await store.sweep();
      expect(await builds()).toEqual(['products_v1_g1', 'products_v2_g1']);
      await store.projectionStore.commit([], [checkpoint(1, raised)]);
      await store.sweep();
      expect(await builds()).toEqual(['products_v2_g1']);
      expect(await store.projectionStore.checkpoints()).toEqual([checkpoint(1, raised)]);
    });

    test('pieces of a snapshot that was never finished go after an hour, and a whole snapshot stays', async () => {
      const pieces = client.db().collection<{ _id: string }>('snapshot_pieces');
      const snapshot = { logId: 'log', version: 1, revision: 1, pieces: [Buffer.from('one'), Buffer.from('two')] };
      await store.snapshots.save('s', snapshot);
      await pieces.insertOne({ _id: 'crashed/0', set: 'crashed', index: 0, at: clock.time } as { _id: string });
      await store.sweep();
      expect(await pieces.countDocuments()).toBe(3);
      clock.time += HOUR;
      await store.sweep();
      expect(await pieces.countDocuments()).toBe(2);
      expect((await store.snapshots.load('s'))?.pieces.map(String)).toEqual(['one', 'two']);
    });

    test('a snapshot that has lost a piece is not loaded', async () => {
      const snapshot = { logId: 'log', version: 1, revision: 1, pieces: [Buffer.from('one'), Buffer.from('two')] };
      await store.snapshots.save('s', snapshot);
      await client.db().collection('snapshot_pieces').deleteOne({ index: 0 });
      expect(await store.snapshots.load('s')).toBeUndefined();
      await store.snapshots.save('s', snapshot);
      expect(await store.snapshots.load('s')).toMatchObject({ revision: 1 });
    });
  });
});
