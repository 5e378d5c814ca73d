import { expect } from '@jest/globals';
import { totalsOf } from '../../src/kernel/projections/projector.js';
import type { Generation } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { checkpoint, moves, position, products, product, put } from './read-model-samples.js';

const totals = totalsOf(products);
const ALL = { store: 's1', id: 'all' };

/** One product, and what the totals say by then. */
const counted = (count: number, at: number, generation: Generation = 'live') => ({
  ...put([product('a')], { at, generation }),
  totals: [
    { ...ALL, document: { count, exact: { count: `${count}.0000000001` } }, position: position(at) },
    { ...ALL, id: 'others', document: at === 1 ? { count: 1, exact: {} } : undefined, position: position(at) },
  ],
});

const countIn = async ({ reads }: OpenReadModels): Promise<unknown> => {
  const record = await reads.get(totals, 's1', 'all');
  return record && (JSON.parse(record.body) as { count: number }).count;
};

export const totalsTests: readonly ContractTest[] = [
  [
    'totals are read and loaded as they were written',
    async (models) => {
      await models.store.commit([counted(3, 1)], [checkpoint(1)]);
      const [record] = await models.reads.getMany(totals, 's1', ['all', 'none']);
      expect(record).toEqual({ id: 'all', body: '{"count":3}', hidden: '{"exact":{"count":"3.0000000001"}}' });
      const loaded = await models.store.load(totals, 'live', [ALL]);
      expect(loaded.get('s1/all')).toEqual({
        document: { count: 3, exact: { count: '3.0000000001' } },
        position: position(1),
      });
    },
  ],
  [
    'older totals never overwrite newer ones, and empty ones are gone',
    async (models) => {
      await models.store.commit([counted(3, 1)], [checkpoint(1)]);
      await models.store.commit([counted(5, 4)], [checkpoint(4)]);
      await models.store.commit([counted(4, 2)], [checkpoint(2)]);
      expect(await countIn(models)).toBe(5);
      expect(await models.reads.get(totals, 's1', 'others')).toBeUndefined();
    },
  ],
  [
    'totals are rebuilt beside the live ones and switch with their collection',
    async (models) => {
      await models.store.commit([counted(3, 1)], [checkpoint(1)]);
      for (let round = 4; round < 7; round++) {
        const before = await countIn(models);
        await models.store.beginRebuild(products);
        expect((await models.store.load(totals, 'next', [ALL])).get('s1/all')).toBeUndefined();
        await models.store.commit([counted(round, 1, 'next')], [checkpoint(1, products, 'next')]);
        expect(await countIn(models)).toBe(before);
        await models.store.switchRebuild(products);
        expect(await countIn(models)).toBe(round);
      }
      await models.store.commit([counted(9, 2)], [checkpoint(2)]);
      expect(await countIn(models)).toBe(9);
    },
  ],
  [
    'totals survive a restart and go with the version of their collection',
    async (models) => {
      await models.store.commit([counted(3, 4)], [checkpoint(4)]);
      const again = await models.reopen([products, moves]);
      expect(await countIn(again)).toBe(3);
      const raised = { ...products, version: 2, totals: { ...products.totals, collection: { ...totals, version: 2 } } };
      const fresh = await again.reopen([raised as typeof products, moves]);
      expect(await fresh.reads.get(raised.totals.collection, 's1', 'all')).toBeUndefined();
      expect(await fresh.store.checkpoints()).toEqual([]);
    },
  ],
];
