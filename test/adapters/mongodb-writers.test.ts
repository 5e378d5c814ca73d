import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Mongo } from '../../src/adapters/mongodb/open-mongo.js';
import { openMongo } from '../../src/adapters/mongodb/open-mongo.js';
import { recordCollection } from '../../src/kernel/projections/projector.js';
import type { CollectionWrites, ProjectionStore, RecordWrite } from '../../src/ports/read-models.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import { checkpoint, LOG, position, product, products, put } from '../contract/read-model-samples.js';
import { onMongo } from '../support/on-servers.js';
import { until } from '../support/until.js';

const secretsKey = randomBytes(32);

/** A document that shows an event which was applied twice or left out. */
interface Diary {
  readonly id: string;
  readonly seen: readonly number[];
}

const diaries = recordCollection<Diary>({ name: 'diaries', version: 1, hidden: [], columns: {}, indexes: [] });

/** Event `n` writes to one diary of five, and each eleventh throws it away. */
const EVENTS = Array.from({ length: 120 }, (_, index) => index + 1);
const diaryOf = (event: number): string => `d${(event * 7) % 5}`;
const throwsAway = (event: number): boolean => event % 11 === 0;

function evolve(diary: Diary | undefined, event: number): Diary | undefined {
  if (throwsAway(event)) return undefined;
  return { id: diaryOf(event), seen: [...(diary?.seen ?? []), event] };
}

const keyOf = (event: number) => ({ store: 's1', id: diaryOf(event) });

/** Reads what the events need, and gives the write that applies them. */
async function writeOf(store: ProjectionStore, events: readonly number[]): Promise<CollectionWrites> {
  const loaded = new Map(await store.load(diaries, 'live', events.map(keyOf)));
  const writes = new Map<string, RecordWrite>();
  for (const event of events) {
    const key = `s1/${diaryOf(event)}`;
    const known = loaded.get(key);
    if (known && known.position >= position(event)) continue;
    const document = evolve(known?.document as Diary | undefined, event);
    loaded.set(key, { document, position: position(event) });
    writes.set(key, { ...keyOf(event), document, position: position(event) });
  }
  return { collection: diaries, generation: 'live', records: [...writes.values()], rows: [] };
}

async function apply(store: ProjectionStore, events: readonly number[]): Promise<void> {
  await store.commit([await writeOf(store, events)], [checkpoint(events.at(-1) ?? 0, diaries)]);
}

async function project(store: ProjectionStore, batch: number): Promise<void> {
  for (let first = 0; first < EVENTS.length; first += batch) await apply(store, EVENTS.slice(first, first + batch));
}

async function expectAllSeenOnce({ projectionStore }: Mongo): Promise<void> {
  const expected = new Map<string, Diary | undefined>();
  for (const event of EVENTS) expected.set(`s1/${diaryOf(event)}`, evolve(expected.get(`s1/${diaryOf(event)}`), event));
  const loaded = await projectionStore.load(diaries, 'live', EVENTS.map(keyOf));
  for (const [key, diary] of expected) expect(loaded.get(key)?.document).toEqual(diary);
  expect(await projectionStore.checkpoints()).toContainEqual(checkpoint(EVENTS.length, diaries));
}

await onMongo('two writers on MongoDB', (mongo) => {
  const opened: Mongo[] = [];
  const clock = { time: 1_000_000_000, now: () => clock.time };

  async function open(url: string): Promise<Mongo> {
    const one = await openMongo({ url, secretsKey, clock });
    opened.push(one);
    await one.projectionStore.prepare([diaries, products]);
    return one;
  }
  async function openTwo(): Promise<readonly [Mongo, Mongo]> {
    const url = mongo.freshUrl();
    return [await open(url), await open(url)];
  }

  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

  describe('two writers on MongoDB', () => {
    test('a crash between documents and checkpoint is made up for by batches of any other size', async () => {
      for (const size of [1, 25, 40, 120]) {
        const [first, second] = await openTwo();
        await apply(first.projectionStore, EVENTS.slice(0, 10));
        await first.projectionStore.commit([await writeOf(first.projectionStore, EVENTS.slice(10, 40))], []);
        expect(await second.projectionStore.checkpoints()).toEqual([checkpoint(10, diaries)]);
        await project(second.projectionStore, size);
        await expectAllSeenOnce(first);
      }
    });

    test('writers who take turns in any order with batches of different sizes end with the same documents', async () => {
      const [first, second] = await openTwo();
      const steps = (store: ProjectionStore, size: number) => ({ store, size, done: 0 });
      const early = steps(first.projectionStore, 7);
      const late = steps(second.projectionStore, 12);
      for (let turn = 0; early.done < EVENTS.length || late.done < EVENTS.length; turn++) {
        const writers = turn % 3 === 0 ? [late, early] : [early, late];
        const batches = writers.map(({ done, size }) => EVENTS.slice(done, done + size));
        // Both read before either writes: what they read is out of date when they write.
        const writes = await Promise.all(writers.map(({ store }, index) => writeOf(store, batches[index] ?? [])));
        for (const [index, writer] of writers.entries()) {
          writer.done += writer.size;
          const reached = checkpoint(batches[index]?.at(-1) ?? EVENTS.length, diaries);
          await writer.store.commit(writes.slice(index, index + 1), [reached]);
        }
      }
      await expectAllSeenOnce(first);
    });

    const atOnce = 'writers at the same time end with the same documents';
    if (mongo.isFerretdb) {
      test.skip(`${atOnce} (left out: FerretDB looks for a document and changes it in two steps)`, () => undefined);
    } else {
      test(atOnce, async () => {
        const [first, second] = await openTwo();
        await Promise.all([project(first.projectionStore, 7), project(second.projectionStore, 12)]);
        await expectAllSeenOnce(first);
      });
    }

    test('of two writers who both find a record missing the newer one stays', async () => {
      const [first, second] = await openTwo();
      const shelf = (name: string) => Array.from({ length: 20 }, (_, index) => product(`p${index}`, { name }));
      await Promise.all([
        first.projectionStore.commit([put(shelf('older'), { at: 1 })], []),
        second.projectionStore.commit([put(shelf('newer'), { at: 2 })], []),
      ]);
      expect(await first.reads.count(products, { store: 's1', equal: { name: 'newer' } })).toBe(20);
    });

    test('after a switch the other process goes on with the new build once that holds all that it had written', async () => {
      const [first, second] = await openTwo();
      await second.projectionStore.commit([put([product('a')], { at: 5 })], [checkpoint(5)]);
      await first.projectionStore.beginRebuild(products);
      await first.projectionStore.commit([], [checkpoint(4, products, 'next')]);
      await first.projectionStore.switchRebuild(products);
      const next = () => second.projectionStore.commit([put([product('b')], { at: 6 })], [checkpoint(6)]);
      await expect(next()).rejects.toThrow(StoreUnavailable);
      await expect(next()).rejects.toThrow(StoreUnavailable);
      await first.projectionStore.commit([put([product('a')], { at: 5 })], [checkpoint(5)]);
      await expect(next()).rejects.toThrow(StoreUnavailable);
      await next();
      expect(await first.reads.count(products, { store: 's1' })).toBe(2);
      expect(await first.projectionStore.checkpoints()).toEqual([checkpoint(6)]);
    });

    test('the other process reads the new build soon after a switch', async () => {
      const [first, second] = await openTwo();
      expect(await second.reads.count(products, { store: 's1' })).toBe(0);
      await first.projectionStore.beginRebuild(products);
      const rebuilt = put([product('a')], { at: 1, generation: 'next' });
      await first.projectionStore.commit([rebuilt], [checkpoint(1, products, 'next')]);
      await first.projectionStore.switchRebuild(products);
      await until('the record is seen', async () => (await second.reads.count(products, { store: 's1' })) === 1);
    });

    test('of two rebuilds the one that began later wins', async () => {
      const [first, second] = await openTwo();
      await first.projectionStore.beginRebuild(products);
      await second.projectionStore.beginRebuild(products);
      const into = (name: string) => put([product('a', { name })], { at: 1, generation: 'next' });
      const done = [checkpoint(1, products, 'next')];
      await expect(first.projectionStore.commit([into('first')], done)).rejects.toThrow('anew');
      await expect(first.projectionStore.switchRebuild(products)).rejects.toThrow('anew');
      await second.projectionStore.commit([into('second')], done);
      await second.projectionStore.switchRebuild(products);
      expect((await second.reads.get(products, 's1', 'a'))?.body).toContain('second');
    });

    test('a checkpoint of another log is refused', async () => {
      const [first, second] = await openTwo();
      await first.projectionStore.commit([], [checkpoint(5)]);
      const other = { ...checkpoint(6), logId: 'log-two' };
      await expect(second.projectionStore.commit([], [other])).rejects.toThrow('another log');
      expect(await first.projectionStore.checkpoints()).toEqual([{ ...checkpoint(5), logId: LOG }]);
    });
  });
});
