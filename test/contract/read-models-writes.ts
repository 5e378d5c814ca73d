import { expect } from '@jest/globals';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { checkpoint, moves, position, product, products, put, remove } from './read-model-samples.js';

const answerOf = async ({ reads }: OpenReadModels, id: string, store = 's1'): Promise<unknown> => {
  const record = await reads.get(products, store, id);
  return record && (JSON.parse(record.body) as unknown);
};
const nameOf = async (models: OpenReadModels, id: string, store = 's1'): Promise<unknown> =>
  ((await answerOf(models, id, store)) as { name?: string } | undefined)?.name;

const key = (id: string, store = 's1') => ({ store, id });

export const writeTests: readonly ContractTest[] = [
  [
    'a document that was never written is missing',
    async (models) => {
      expect(await models.reads.get(products, 's1', 'a')).toBeUndefined();
      expect(await models.store.load(products, 'live', [key('a')])).toEqual(new Map());
    },
  ],
  [
    'a document is read and loaded as it was written',
    async (models) => {
      const bread = product('a', { name: 'Pão "francês" \u{1f956}', price: 0.1, category: null });
      await models.store.commit([put([bread], { at: 1 })], [checkpoint(1)]);
      const { cost, revision, ...answer } = bread;
      expect(await answerOf(models, 'a')).toEqual(answer);
      const loaded = await models.store.load(products, 'live', [key('a'), key('b')]);
      expect(loaded.get('s1/a')).toEqual({ document: { ...answer, cost, revision }, position: position(1) });
      expect(loaded.get('s1/b')?.document).toBeUndefined();
    },
  ],
  [
    'hidden members are left out of the body and given apart',
    async ({ store, reads }) => {
      await store.commit([put([product('a', { cost: '9.99', revision: 7 })], { at: 1 })], [checkpoint(1)]);
      const record = await reads.get(products, 's1', 'a');
      expect(Object.keys(JSON.parse(record?.body ?? '') as object)).toEqual([
        'id',
        'name',
        'text',
        'category',
        'price',
        'stock',
      ]);
      expect(JSON.parse(record?.hidden ?? '')).toEqual({ cost: '9.99', revision: 7 });
    },
  ],
  [
    'a change of hidden members alone leaves the answer as it is, and the next change finds both',
    async ({ store, reads }) => {
      const told = async () => {
        const { body, hidden } = (await reads.get(products, 's1', 'a')) ?? { body: '', hidden: '' };
        return { ...(JSON.parse(body) as object), ...(JSON.parse(hidden) as object) };
      };
      const steps = [{ revision: 1 }, { revision: 2 }, { revision: 3, price: 2 }, { revision: 4, price: 2 }];
      for (const [at, changes] of steps.entries()) {
        const changed = product('a', changes);
        await store.commit([put([changed], { at: at + 1 })], [checkpoint(at + 1)]);
        expect(await told()).toEqual(changed);
        expect((await store.load(products, 'live', [key('a')])).get('s1/a')?.document).toEqual(changed);
      }
    },
  ],
  [
    'a later document replaces the earlier one, in the same commit as well',
    async (models) => {
      await models.store.commit([put([product('a', { name: 'one' })], { at: 1 })], [checkpoint(1)]);
      const writes = [
        put([product('a', { name: 'two' }), product('b')], { at: 2 }),
        put([product('a', { name: 'three' })], { at: 3 }),
      ];
      await models.store.commit(writes, [checkpoint(3)]);
      expect(await nameOf(models, 'a')).toBe('three');
      expect(await models.reads.count(products, { store: 's1' })).toBe(2);
    },
  ],
  [
    'a deleted document is gone, and may come again',
    async (models) => {
      await models.store.commit([put([product('a')], { at: 1 })], [checkpoint(1)]);
      await models.store.commit([remove(['a', 'never'], { at: 2 })], [checkpoint(2)]);
      expect(await models.reads.get(products, 's1', 'a')).toBeUndefined();
      expect((await models.store.load(products, 'live', [key('a')])).get('s1/a')?.document).toBeUndefined();
      expect(await models.reads.count(products, { store: 's1' })).toBe(0);
      await models.store.commit([put([product('a', { name: 'again' })], { at: 3 })], [checkpoint(3)]);
      expect(await nameOf(models, 'a')).toBe('again');
    },
  ],
  [
    'repeating a commit changes nothing',
    async (models) => {
      const writes = [put([product('a', { name: 'one' }), product('b')], { at: 1 }), remove(['b'], { at: 2 })];
      await models.store.commit(writes, [checkpoint(2)]);
      await models.store.commit(writes, [checkpoint(2)]);
      expect(await nameOf(models, 'a')).toBe('one');
      expect(await models.reads.count(products, { store: 's1' })).toBe(1);
    },
  ],
  [
    'a commit that happened in part is completed by its repetition',
    async (models) => {
      const first = put([product('a', { name: 'one' })], { at: 1 });
      const second = put([product('b', { name: 'two' })], { at: 2 });
      await models.store.commit([first], []);
      await models.store.commit([first, second], [checkpoint(2)]);
      expect([await nameOf(models, 'a'), await nameOf(models, 'b')]).toEqual(['one', 'two']);
    },
  ],
  [
    'an older write never overwrites a newer document',
    async (models) => {
      await models.store.commit([put([product('a', { name: 'newer' })], { at: 5 })], []);
      await models.store.commit([put([product('a', { name: 'older' })], { at: 4 })], []);
      await models.store.commit([remove(['a'], { at: 3 })], []);
      expect(await nameOf(models, 'a')).toBe('newer');
    },
  ],
  [
    'a deleted document stays deleted when an older write is repeated',
    async (models) => {
      const written = put([product('a')], { at: 1 });
      await models.store.commit([written], [checkpoint(1)]);
      await models.store.commit([remove(['a'], { at: 2 })], [checkpoint(2)]);
      await models.store.commit([written], [checkpoint(1)]);
      expect(await models.reads.get(products, 's1', 'a')).toBeUndefined();
    },
  ],
  [
    'a deletion whose checkpoint was never stored holds against older writes',
    async (models) => {
      const written = put([product('a')], { at: 1 });
      await models.store.commit([written], [checkpoint(1)]);
      await models.store.commit([remove(['a', 'b'], { at: 3 })], []);
      await models.store.commit([put([product('a'), product('b')], { at: 2 })], [checkpoint(2)]);
      expect(await models.reads.count(products, { store: 's1' })).toBe(0);
      expect(await models.store.load(products, 'live', [key('b')])).toEqual(
        new Map([['s1/b', { document: undefined, position: position(3) }]]),
      );
    },
  ],
  [
    'stores never see each other',
    async (models) => {
      await models.store.commit(
        [
          put([product('a', { name: 'ours' })], { at: 1 }),
          put([product('a', { name: 'theirs' })], { at: 1, store: 's2' }),
        ],
        [checkpoint(1)],
      );
      expect([await nameOf(models, 'a'), await nameOf(models, 'a', 's2')]).toEqual(['ours', 'theirs']);
      expect(await models.reads.count(products, { store: 's1' })).toBe(1);
      expect(await models.reads.getMany(products, 's3', ['a'])).toEqual([]);
      await models.store.commit([remove(['a'], { at: 2 })], [checkpoint(2)]);
      expect([await nameOf(models, 'a'), await nameOf(models, 'a', 's2')]).toEqual([undefined, 'theirs']);
    },
  ],
  [
    'checkpoints are stored with the documents and survive a restart',
    async (models) => {
      expect(await models.store.checkpoints()).toEqual([]);
      await models.store.commit([put([product('a')], { at: 4 })], [checkpoint(4), checkpoint(3, moves)]);
      const again = await models.reopen([products, moves]);
      const kept = await again.store.checkpoints();
      expect(new Set(kept)).toEqual(new Set([checkpoint(4), checkpoint(3, moves)]));
      expect(await nameOf(again, 'a')).toBe('Product a');
    },
  ],
  [
    'a checkpoint moves on without documents and never goes back',
    async ({ store }) => {
      await store.commit([], [checkpoint(4)]);
      await store.commit([], [checkpoint(9)]);
      await store.commit([], [checkpoint(5)]);
      expect(await store.checkpoints()).toEqual([checkpoint(9)]);
    },
  ],
  [
    'checkpoints that move together leave those behind that stay',
    async (models) => {
      const collections = ['a', 'b', 'c'].map((name) => ({ ...moves, name, version: 1 }));
      const { store } = await models.reopen(collections);
      const at = async (): Promise<readonly string[]> =>
        (await store.checkpoints()).map((one) => `${one.collection} ${one.position}`).sort();
      const [a, b, c] = collections.map((one) => (number: number) => checkpoint(number, one));
      if (!a || !b || !c) throw new Error('three collections');
      const places = (...numbers: readonly number[]) =>
        numbers.map((number, index) => `${collections[index]?.name ?? ''} ${position(number)}`);
      await store.commit([], [a(1), b(1), c(1)]);
      await store.commit([], [a(2), b(2)]);
      expect(await at()).toEqual(places(2, 2, 1));
      await store.commit([], [a(3), b(3)]);
      expect(await at()).toEqual(places(3, 3, 1));
      await store.commit([], [c(3)]);
      await store.commit([], [a(4), b(4), c(4)]);
      await store.commit([], [a(2), b(2), c(2)]);
      expect(await at()).toEqual(places(4, 4, 4));
    },
  ],
  [
    'a raised version has neither checkpoint nor documents, the other collections keep theirs',
    async (models) => {
      await models.store.commit([put([product('a')], { at: 4 })], [checkpoint(4), checkpoint(4, moves)]);
      const raised = { ...products, version: 2, indexes: [['stock']] };
      const again = await models.reopen([raised, moves]);
      expect(await again.store.checkpoints()).toEqual([checkpoint(4, moves)]);
      expect(await again.reads.get(raised, 's1', 'a')).toBeUndefined();
      await again.store.commit([{ ...put([product('b')], { at: 1 }), collection: raised }], [checkpoint(1, raised)]);
      expect((await again.reads.get(raised, 's1', 'b'))?.id).toBe('b');
    },
  ],
  [
    'ten thousand documents are written, found and counted',
    async ({ store, reads }) => {
      for (let batch = 0; batch < 10; batch++) {
        const documents = Array.from({ length: 1_000 }, (_, index) => {
          const number = batch * 1_000 + index;
          return product(`id-${number}`, { stock: number, text: 'x'.repeat(500), category: `c${number % 7}` });
        });
        await store.commit([put(documents, { at: batch + 1 })], [checkpoint(batch + 1)]);
      }
      expect(await reads.count(products, { store: 's1' })).toBe(10_000);
      const page = await reads.find(products, {
        store: 's1',
        equal: { category: 'c3' },
        sort: { column: 'name', direction: 'asc' },
        limit: 200,
        offset: 1_000,
      });
      expect(page.items).toHaveLength(200);
      const keys = Array.from({ length: 1_000 }, (_, index) => key(`id-${index * 10}`));
      expect((await store.load(products, 'live', keys)).size).toBe(1_000);
    },
  ],
];
