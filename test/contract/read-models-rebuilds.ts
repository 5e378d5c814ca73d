import { expect } from '@jest/globals';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { add, checkpoint, moves, position, product, products, put } from './read-model-samples.js';

const namesOf = async ({ reads }: OpenReadModels): Promise<string[]> => {
  const sort = { column: 'name', direction: 'asc' } as const;
  const { items } = await reads.find(products, { store: 's1', sort, limit: 50 });
  return items.map(({ body }) => (JSON.parse(body) as { name: string }).name);
};

const key = { store: 's1', id: 'a' };

export const rebuildTests: readonly ContractTest[] = [
  [
    'a rebuild is invisible until the switch, and live writes go on beside it',
    async (models) => {
      const { store } = models;
      await store.commit([put([product('a', { name: 'old' })], { at: 1 })], [checkpoint(1)]);
      await store.beginRebuild(products);
      expect(await store.load(products, 'next', [key])).toEqual(new Map());
      const rebuilt = put([product('a', { name: 'new' })], { at: 1, generation: 'next' });
      await store.commit([rebuilt], [checkpoint(1, products, 'next')]);
      await store.commit([put([product('b', { name: 'live' })], { at: 2 })], [checkpoint(2)]);
      expect(await namesOf(models)).toEqual(['live', 'old']);
      expect((await store.load(products, 'next', [key])).get('s1/a')).toEqual({
        document: product('a', { name: 'new' }),
        position: position(1),
      });
      const last = put([product('b', { name: 'newer' })], { at: 2, generation: 'next' });
      await store.commit([last], [checkpoint(2, products, 'next')]);
      await store.switchRebuild(products);
      expect(await namesOf(models)).toEqual(['new', 'newer']);
      expect(await store.checkpoints()).toEqual([checkpoint(2)]);
    },
  ],
  [
    'after the switch the collection is written, searched and rebuilt again as before',
    async (models) => {
      const { store, reads } = models;
      for (let round = 1; round <= 3; round++) {
        await store.beginRebuild(products);
        const rebuilt = put([product('a', { name: `round ${round}` })], { at: 1, generation: 'next' });
        await store.commit([rebuilt], [checkpoint(round, products, 'next')]);
        await store.switchRebuild(products);
        await store.commit(
          [put([product('b', { name: `after ${round}` })], { at: 10 * round })],
          [checkpoint(10 * round)],
        );
        expect(await namesOf(models)).toEqual([`after ${round}`, `round ${round}`]);
        expect(await reads.count(products, { store: 's1', words: `after ${round}` })).toBe(1);
        expect(await reads.count(products, { store: 's1', words: 'round' })).toBe(1);
      }
    },
  ],
  [
    'a rebuild that begins again starts from nothing',
    async ({ store }) => {
      await store.commit([], [checkpoint(5)]);
      await store.beginRebuild(products);
      await store.commit([put([product('a')], { at: 3, generation: 'next' })], [checkpoint(3, products, 'next')]);
      await store.beginRebuild(products);
      expect(await store.load(products, 'next', [key])).toEqual(new Map());
      expect(await store.checkpoints()).toEqual([checkpoint(5)]);
    },
  ],
  [
    'a rebuild may go back behind the live checkpoint',
    async (models) => {
      const { store } = models;
      await store.commit([put([product('a')], { at: 9 })], [checkpoint(9)]);
      await store.beginRebuild(products);
      await store.commit([], [checkpoint(0, products, 'next')]);
      await store.switchRebuild(products);
      expect(await namesOf(models)).toEqual([]);
      expect(await store.checkpoints()).toEqual([checkpoint(0)]);
      await store.commit([put([product('a', { name: 'again' })], { at: 1 })], [checkpoint(1)]);
      expect(await namesOf(models)).toEqual(['again']);
    },
  ],
  [
    'readers never see a gap while builds are switched',
    async (models) => {
      const { store, reads } = models;
      const shelf = Array.from({ length: 100 }, (_, index) => product(`p${index}`));
      await store.commit([put(shelf, { at: 1 })], [checkpoint(1)]);
      const switched = new AbortController();
      const counts = new Set<number>();
      const reading = (async () => {
        while (!switched.signal.aborted) {
          counts.add(await reads.count(products, { store: 's1' }));
          counts.add(
            (
              await reads.getMany(
                products,
                's1',
                shelf.map(({ id }) => id),
              )
            ).length,
          );
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      for (let round = 0; round < 5; round++) {
        await store.beginRebuild(products);
        await store.commit([put(shelf, { at: 1, generation: 'next' })], [checkpoint(1, products, 'next')]);
        await store.switchRebuild(products);
      }
      switched.abort();
      await reading;
      expect(counts).toEqual(new Set([100]));
    },
  ],
  [
    'an interrupted rebuild leaves the live build as it was',
    async (models) => {
      await models.store.commit([put([product('a', { name: 'old' })], { at: 1 })], [checkpoint(1)]);
      await models.store.beginRebuild(products);
      const rebuilt = put([product('a', { name: 'new' })], { at: 1, generation: 'next' });
      await models.store.commit([rebuilt], [checkpoint(1, products, 'next')]);
      const again = await models.reopen([products, moves]);
      expect(await namesOf(again)).toEqual(['old']);
      expect(await again.store.checkpoints()).toContainEqual(checkpoint(1));
      await again.store.beginRebuild(products);
      await again.store.commit([], [checkpoint(1, products, 'next')]);
      await again.store.switchRebuild(products);
      expect(await namesOf(again)).toEqual([]);
    },
  ],
  [
    'rows are rebuilt as well',
    async ({ store, reads }) => {
      await store.commit([add([{ units: 1 }, { units: 2 }], { at: 1 })], [checkpoint(1, moves)]);
      await store.beginRebuild(moves);
      await store.commit([add([{ units: 5 }], { at: 1, generation: 'next' })], [checkpoint(1, moves, 'next')]);
      expect((await reads.summarise(moves, { store: 's1' }, { sum: ['units'] })).sum).toEqual({ units: 3 });
      await store.switchRebuild(moves);
      expect((await reads.summarise(moves, { store: 's1' }, { sum: ['units'] })).sum).toEqual({ units: 5 });
    },
  ],
];
