import { expect } from '@jest/globals';
import type { Known } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { add, checkpoint, moves, product, products, put, remove } from './read-model-samples.js';

/** What there is of the products of a store, made by `reads.kept`. */
const kept = async ({ reads }: OpenReadModels, store = 's1', collections = [products, moves]): Promise<string> => {
  const sort = { column: 'name', direction: 'asc' } as const;
  const make = async () => {
    const { items } = await reads.findBodies(products, { store, sort, limit: 10 });
    return Buffer.from(items.join());
  };
  return (await reads.kept({ collections }, store, 'all', make)).toString();
};

/** The bodies of products, each known by itself; `meanwhile` runs once they are read. */
function knownProducts(
  { reads }: OpenReadModels,
  { store = 's1', meanwhile = () => Promise.resolve<unknown>(0) } = {},
) {
  const kind = { name: 'body', about: [products, moves], takes: (body: string) => body.length };
  const known = reads.knownOfEach(kind, store, async (ids) => {
    const bodies = await reads.getBodies(products, store, ids);
    const rows = await Promise.all(ids.map((lot) => reads.count(moves, { store, equal: { lot } })));
    await meanwhile();
    return bodies.map((body, index) => `${String(body)} ${String(rows[index])}`);
  });
  return async (...subjects: Parameters<typeof known.of>[0]) => known.of(subjects);
}

const valuesOf = (found: readonly Known<string>[]): readonly string[] => found.map(({ value }) => value);

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
        const made = await reads.kept({ records: [products] }, 's1', ids.join(), async ({ shows }) => {
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
    'what rests on subjects shows every write about them: of a record and of a row, new, changed and deleted, and of a new build',
    async ({ store, reads }) => {
      const told = async () =>
        reads.kept({ about: [products, moves] }, 's1', 'all', async ({ about }) => {
          about(['a', 'b', 'of bread']);
          const sort = { column: 'at', direction: 'asc' } as const;
          const bodies = await reads.getBodies(products, 's1', ['a', 'b']);
          const { items } = await reads.findRows(moves, { store: 's1', equal: { lot: 'a' }, sort, limit: 10 });
          const counted = await reads.count(products, { store: 's1', equal: { category: 'bread' } });
          return JSON.stringify([bodies, items.map(({ quantity }) => quantity), counted]);
        });
      expect(await told()).toBe('[[null,null],[],0]');
      await store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(await told()).toContain('\\"text\\":\\"\\"');
      await store.commit([add([{ lot: 'a', quantity: 7 }], { at: 2 })], [checkpoint(2, moves)]);
      expect(await told()).toContain('[7]');
      await store.commit([put([product('c', { category: 'bread' })], { at: 3 })], [checkpoint(3)]);
      expect(await told()).toMatch(/,1\]$/);
      await store.commit([put([product('a', { text: 'changed' })], { at: 4 })], [checkpoint(4)]);
      expect(await told()).toContain('changed');
      await store.commit([remove(['a'], { at: 5 })], [checkpoint(5)]);
      expect(await told()).toContain('[null,null]');
      await store.beginRebuild(products);
      const rebuilt = put([product('b')], { at: 5, generation: 'next' });
      await store.commit([rebuilt], [checkpoint(5, products, 'next')]);
      await store.switchRebuild(products);
      expect(await told()).toContain('\\"id\\":\\"b\\"');
    },
  ],
  [
    'what is written while something is made of subjects is shown by the next answer',
    async ({ store, reads }) => {
      const told = async (meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
        reads.kept({ about: [products] }, 's1', 'meanwhile', async ({ about }) => {
          const [body] = await reads.getBodies(products, 's1', ['a']);
          await meanwhile();
          about(['a']);
          return String(body);
        });
      const written = store.commit.bind(store, [put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(await told(written)).toBe('undefined');
      expect(await told()).toContain('"id":"a"');
    },
  ],
  [
    'what is known of subjects shows every write about them: of a record and of a row, new, changed and deleted, and of a new build',
    async (models) => {
      const { store } = models;
      const told = async () => valuesOf(await knownProducts(models)('a', 'b'));
      expect(await told()).toEqual(['undefined 0', 'undefined 0']);
      await store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(await told()).toEqual([expect.stringContaining('"text":""'), 'undefined 0']);
      await store.commit([add([{ lot: 'b', quantity: 7 }], { at: 2 })], [checkpoint(2, moves)]);
      expect(await told()).toEqual([expect.stringMatching(/0$/), 'undefined 1']);
      await store.commit([put([product('a', { text: 'changed' })], { at: 3 })], [checkpoint(3)]);
      expect(await told()).toEqual([expect.stringContaining('changed'), 'undefined 1']);
      await store.commit([remove(['a'], { at: 4 })], [checkpoint(4)]);
      expect(await told()).toEqual(['undefined 0', 'undefined 1']);
      await store.beginRebuild(products);
      const rebuilt = put([product('b')], { at: 4, generation: 'next' });
      await store.commit([rebuilt], [checkpoint(4, products, 'next')]);
      await store.switchRebuild(products);
      expect(await told()).toEqual(['undefined 0', expect.stringContaining('"id":"b"')]);
      expect(valuesOf(await knownProducts(models, { store: 's2' })('b'))).toEqual(['undefined 0']);
    },
  ],
  [
    'subjects are known in the order and as often as they are asked for, and by what was found before; each has an ordinal of its own',
    async (models) => {
      await models.store.commit([put([product('a'), product('b')], { at: 1 })], [checkpoint(1)]);
      const ask = knownProducts(models);
      const found = await ask('b', 'a', 'b', 'c');
      expect(found.map(({ subject }) => subject)).toEqual(['b', 'a', 'b', 'c']);
      const again = await ask(...found, 'a', 'd');
      expect(again.map(({ subject }) => subject)).toEqual(['b', 'a', 'b', 'c', 'a', 'd']);
      expect(again.slice(0, 4).every((known, index) => known === found[index])).toBe(true);
      expect(new Set(again.map(({ ordinal }) => ordinal)).size).toBe(4);
      expect(valuesOf(again).map((value) => /"id":"(.)"/.exec(value)?.[1])).toEqual([
        'b',
        'a',
        'b',
        undefined,
        'a',
        undefined,
      ]);
    },
  ],
  [
    'what is written while something is found of a subject is shown to who asks next',
    async (models) => {
      const { store } = models;
      const written = () => store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      expect(valuesOf(await knownProducts(models, { meanwhile: written })('a'))).toEqual(['undefined 0']);
      expect(valuesOf(await knownProducts(models)('a'))).toEqual([expect.stringContaining('"id":"a"')]);
    },
  ],
  [
    'what fails to be found of a subject is looked for again',
    async (models) => {
      const away = () => Promise.reject(new Error('away'));
      await expect(knownProducts(models, { meanwhile: away })('a')).rejects.toThrow('away');
      expect(valuesOf(await knownProducts(models)('a'))).toEqual(['undefined 0']);
    },
  ],
  [
    'a failure is not kept',
    async ({ reads }) => {
      const away = () => Promise.reject(new Error('away'));
      await expect(reads.kept({ collections: [products] }, 's1', 'failing', away)).rejects.toThrow('away');
      const there = () => Promise.resolve(Buffer.from('there'));
      expect((await reads.kept({ collections: [products] }, 's1', 'failing', there)).toString()).toBe('there');
      await expect(reads.kept({ about: [products] }, 's1', 'failing too', away)).rejects.toThrow('away');
      expect((await reads.kept({ about: [products] }, 's1', 'failing too', there)).toString()).toBe('there');
    },
  ],
];
