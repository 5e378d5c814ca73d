import { expect } from '@jest/globals';
import type { SliceQuery } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import type { Product } from './read-model-samples.js';
import { checkpoint, product, products, put, remove } from './read-model-samples.js';

/** More than any engine looks at one by one. */
const MANY = Array.from({ length: 560 }, (_, index) =>
  product(`p${String((index * 7919) % 100_003).padStart(6, '0')}`, {
    name: `Product ${index % 170}`,
    text: `${index % 2 === 0 ? 'even' : 'odd'} ${index % 100 === 0 ? 'rare' : ''}`,
    price: index % 4 === 0 ? null : index % 5,
    category: index % 3 === 0 ? null : `c${index % 2}`,
  }),
);

const stocked = ({ store }: OpenReadModels): Promise<void> => store.commit([put(MANY, { at: 1 })], [checkpoint(1)]);

const by = (column: keyof Product, direction: 'asc' | 'desc', offset: number, limit: number): SliceQuery => ({
  store: 's1',
  sort: { column, direction },
  offset,
  limit,
});

const below = (a: Product, b: Product, column: 'name' | 'price'): number => {
  const [one, other] = [a[column] ?? '', b[column] ?? ''];
  if (one === other) return a.id < b.id ? -1 : 1;
  return one === '' || (other !== '' && one < other) ? -1 : 1;
};

/** What a slice must be, reckoned in memory. */
function expected(of: readonly Product[], { sort, offset, limit }: SliceQuery) {
  const sorted = of.toSorted((a, b) => below(a, b, sort.column as 'name' | 'price'));
  if (sort.direction === 'desc') sorted.reverse();
  return { ids: sorted.slice(offset, offset + limit).map(({ id }) => id), total: of.length };
}

async function slice({ reads }: OpenReadModels, query: SliceQuery) {
  const { bodies, total } = await reads.slice(products, query);
  return { ids: bodies.map((body) => (JSON.parse(body) as Product).id), total };
}

export const sliceTests: readonly ContractTest[] = [
  [
    'any slice of any order holds what stands there, and the total of all',
    async (models) => {
      await stocked(models);
      for (const column of ['name', 'price'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          for (const offset of [3, 555]) {
            const query = by(column, direction, offset, offset === 3 ? 300 : 10);
            expect(await slice(models, query)).toEqual(expected(MANY, query));
          }
        }
      }
    },
  ],
  [
    'slices keep to conditions and words, of which many or few may match',
    async (models) => {
      await stocked(models);
      const having = (words: string) =>
        MANY.filter(({ name, text }) => `${name} ${text}`.toLowerCase().includes(words));
      for (const words of ['even', 'product', 'rare', 'none']) {
        const query = { ...by('name', 'asc', 3, 20), words };
        expect(await slice(models, query)).toEqual(expected(having(words), query));
      }
      const beyond = by('name', 'asc', 5_000, 10);
      expect(await slice(models, beyond)).toEqual({ ids: [], total: MANY.length });
      const priced = { ...by('name', 'desc', 5, 300), words: 'e pro', equal: { category: 'c1' } };
      const found = having('even').filter(({ category }) => category === 'c1');
      expect(await slice(models, priced)).toEqual(expected(found, priced));
      expect(await slice(models, { ...priced, store: 's2' })).toEqual({ ids: [], total: 0 });
    },
  ],
  [
    'slices show whatever was written last',
    async (models) => {
      await stocked(models);
      const long = by('name', 'asc', 0, 300);
      const searched = { ...long, words: 'odd' };
      const expectNow = async (all: readonly Product[]) => {
        expect(await slice(models, long)).toEqual(expected(all, long));
        const odd = all.filter(({ text }) => text.includes('odd'));
        expect(await slice(models, searched)).toEqual(expected(odd, searched));
      };
      await expectNow(MANY);
      const first = product('new', { name: 'A', text: 'odd' });
      await models.store.commit([put([first], { at: 2 })], [checkpoint(2)]);
      await expectNow([...MANY, first]);
      const later = { ...first, name: 'Zz', stock: 3 };
      await models.store.commit([put([later], { at: 3 })], [checkpoint(3)]);
      await expectNow([...MANY, later]);
      await models.store.commit([put([{ ...later, text: 'even', price: 9 }], { at: 4 })], [checkpoint(4)]);
      await expectNow([...MANY, { ...later, text: 'even' }]);
      await models.store.commit([remove([later.id], { at: 5 })], [checkpoint(5)]);
      await expectNow(MANY);
    },
  ],
  [
    'a slice gives the newest bodies without what is hidden',
    async (models) => {
      await stocked(models);
      const query = { ...by('name', 'asc', 1, 2), words: 'rare' };
      const [id = ''] = (await slice(models, query)).ids;
      const changed = { ...MANY.find((one) => one.id === id), cost: '7', stock: 77 } as Product;
      await models.store.commit([put([changed], { at: 2 })], [checkpoint(2)]);
      const { bodies } = await models.reads.slice(products, query);
      const { cost, revision, ...answer } = changed;
      expect([cost, revision]).toEqual(['7', 0]);
      expect(JSON.parse(bodies[0] ?? '')).toEqual(answer);
    },
  ],
  [
    'slices follow a rebuild, whose rows may have other places',
    async (models) => {
      await stocked(models);
      const query = by('name', 'asc', 0, 300);
      expect(await slice(models, query)).toEqual(expected(MANY, query));
      const fewer = MANY.slice(100).reverse();
      await models.store.beginRebuild(products);
      await models.store.commit([put(fewer, { at: 1, generation: 'next' })], [checkpoint(1, products, 'next')]);
      expect(await slice(models, query)).toEqual(expected(MANY, query));
      await models.store.switchRebuild(products);
      expect(await slice(models, query)).toEqual(expected(fewer, query));
    },
  ],
  [
    'bodies alone come in the same pages as records',
    async (models) => {
      await stocked(models);
      const first = { store: 's1', sort: { column: 'price', direction: 'asc' }, limit: 300 } as const;
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const query = { ...first, ...(cursor === null ? {} : { cursor }) };
        const { items, nextCursor } = await models.reads.findBodies(products, query);
        const records = await models.reads.find(products, query);
        expect(items).toEqual(records.items.map(({ body }) => body));
        expect(nextCursor).toBe(records.nextCursor);
        found.push(...items);
        cursor = nextCursor;
      } while (cursor !== null);
      expect(found).toHaveLength(MANY.length);
      const { items } = await models.reads.findBodies(products, { ...first, limit: 20, offset: 5 });
      expect(items).toEqual(found.slice(5, 25));
    },
  ],
];
