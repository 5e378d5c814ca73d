import { expect } from '@jest/globals';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { checkpoint, moves, product, products, put, remove } from './read-model-samples.js';

/** What there is of the products of a store, made by `reads.kept`. */
const kept = async ({ reads }: OpenReadModels, store = 's1', collections = [products, moves]): Promise<string> => {
  const sort = { column: 'name', direction: 'asc' } as const;
  const make = async () => {
    const { items } = await reads.findBodies(products, { store, sort, limit: 10 });
    return Buffer.from(items.join());
  };
  return (await reads.kept({ collections }, store, 'all', make)).toString();
};

export const keptTests: readonly ContractTest[] = [
  [
    'what is kept shows every write: of a new record, of a changed and a deleted one, and of a new build',
    async (models) => {
      expect(await kept(models)).toBe('');
      await models.store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(await kept(models)).toContain('"text":""');
      await models.store.commit([put([product('a', { text: 'changed' })], { at: 2 })], [checkpoint(2)]);
      expect(await kept(models)).toContain('"text":"changed"');
      await models.store.commit([remove(['a'], { at: 3 })], [checkpoint(3)]);
      expect(await kept(models)).toBe('');
      await models.store.beginRebuild(products);
      const rebuilt = put([product('b')], { at: 3, generation: 'next' });
      await models.store.commit([rebuilt], [checkpoint(3, products, 'next')]);
      expect(await kept(models)).toBe('');
      await models.store.switchRebuild(products);
      expect(await kept(models)).toContain('"id":"b"');
    },
  ],
  [
    'each store and each key has its own',
    async (models) => {
      const writes = [put([product('a')], { at: 1 }), put([product('b')], { at: 1, store: 's2' })];
      await models.store.commit(writes, [checkpoint(1)]);
      expect([await kept(models), await kept(models, 's2')]).toEqual([
        expect.stringContaining('"id":"a"'),
        expect.stringContaining('"id":"b"'),
      ]);
      const make = () => Promise.resolve(Buffer.from('other'));
      expect((await models.reads.kept({ collections: [products] }, 's1', 'another', make)).toString()).toBe('other');
    },
  ],
  [
    'what shows some records shows every write of those: of a new one, of a changed and a deleted one, and of a new build',
    async ({ store, reads }) => {
      const shown = async (ids: readonly string[]) => {
        const made = await reads.kept({ records: [products] }, 's1', ids.join(), async (shows) => {
          shows(products, ids);
          return Buffer.from((await reads.getBodies(products, 's1', ids)).join());
        });
        return made.toString();
      };
      expect(await shown(['a', 'b'])).toBe(',');
      await store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(await shown(['a', 'b'])).toContain('"text":""');
      await store.commit([put([product('a', { text: 'changed' }), product('c')], { at: 2 })], [checkpoint(2)]);
      expect(await shown(['a', 'b'])).toContain('"text":"changed"');
      await store.commit([remove(['a'], { at: 3 })], [checkpoint(3)]);
      expect(await shown(['a', 'b'])).toBe(',');
      await store.beginRebuild(products);
      const rebuilt = put([product('b')], { at: 3, generation: 'next' });
      await store.commit([rebuilt], [checkpoint(3, products, 'next')]);
      await store.switchRebuild(products);
      expect(await shown(['a', 'b'])).toContain('"id":"b"');
    },
  ],
  [
    'a failure is not kept',
    async ({ reads }) => {
      const away = () => Promise.reject(new Error('away'));
      await expect(reads.kept({ collections: [products] }, 's1', 'failing', away)).rejects.toThrow('away');
      const there = () => Promise.resolve(Buffer.from('there'));
      expect((await reads.kept({ collections: [products] }, 's1', 'failing', there)).toString()).toBe('there');
    },
  ],
];
