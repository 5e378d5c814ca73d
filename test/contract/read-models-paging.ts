import { expect } from '@jest/globals';
import type { PagedQuery } from '../../src/ports/read-models.js';
import { InvalidCursor } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { add, checkpoint, moves, product, products, put } from './read-model-samples.js';

/** 60 products of which many tie, some of them with null. */
const MANY = Array.from({ length: 60 }, (_, index) =>
  product(`p${String(index * 7919).padStart(6, '0')}`, {
    price: index % 4 === 0 ? null : index % 5,
    category: index % 3 === 0 ? null : `c${index % 2}`,
    stock: index % 3,
  }),
);

const stocked = ({ store }: OpenReadModels): Promise<void> => store.commit([put(MANY, { at: 1 })], [checkpoint(1)]);

const by = (column: string, direction: 'asc' | 'desc', limit: number): PagedQuery => ({
  store: 's1',
  sort: { column, direction },
  limit,
});

async function allPages({ reads }: OpenReadModels, query: PagedQuery): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await reads.find(products, { ...query, ...(cursor === null ? {} : { cursor }) });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null && pages.length < 100);
  return pages;
}

async function cursorOf({ reads }: OpenReadModels, query: PagedQuery): Promise<string> {
  const { nextCursor } = await reads.find(products, query);
  if (nextCursor === null) throw new Error('the page has no successor');
  return nextCursor;
}

export const pagingTests: readonly ContractTest[] = [
  [
    'the pages of a cursor tile the whole set, whatever ties and nulls there are',
    async (models) => {
      await stocked(models);
      for (const column of ['price', 'category', 'stock', 'name']) {
        for (const direction of ['asc', 'desc'] as const) {
          const [whole = []] = await allPages(models, by(column, direction, 1_000));
          expect(new Set(whole).size).toBe(MANY.length);
          for (const limit of [1, 7, 20, 59]) {
            const pages = await allPages(models, by(column, direction, limit));
            expect(pages.flat()).toEqual(whole);
            expect(pages).toHaveLength(Math.ceil(MANY.length / limit));
          }
        }
      }
    },
  ],
  [
    'the pages of a cursor keep to the conditions',
    async (models) => {
      await stocked(models);
      const query = { ...by('price', 'desc', 4), equal: { stock: 1 }, range: { column: 'price', from: 1 } };
      const ids = (await allPages(models, query)).flat();
      const expected = MANY.filter(({ stock, price }) => stock === 1 && price !== null && price >= 1);
      expect(new Set(ids)).toEqual(new Set(expected.map(({ id }) => id)));
      expect(ids).toHaveLength(expected.length);
    },
  ],
  [
    'the last page has no cursor, a full one too',
    async (models) => {
      await stocked(models);
      expect((await models.reads.find(products, by('name', 'asc', 60))).nextCursor).toBeNull();
      expect((await models.reads.find(products, by('name', 'asc', 61))).nextCursor).toBeNull();
      expect((await models.reads.find(products, by('name', 'asc', 59))).nextCursor).not.toBeNull();
      expect(await models.reads.find(products, { ...by('name', 'asc', 5), store: 'empty' })).toEqual({
        items: [],
        nextCursor: null,
      });
    },
  ],
  [
    'what is written behind a cursor does not move it',
    async (models) => {
      await stocked(models);
      const first = await models.reads.find(products, by('name', 'asc', 10));
      await models.store.commit([put([product('early', { name: 'A' })], { at: 2 })], [checkpoint(2)]);
      const cursor = first.nextCursor ?? '';
      const second = await models.reads.find(products, { ...by('name', 'asc', 100), cursor });
      expect(second.items).toHaveLength(50);
    },
  ],
  [
    'an offset skips records, past the end as well',
    async (models) => {
      await stocked(models);
      const [whole = []] = await allPages(models, by('price', 'asc', 1_000));
      const page = await models.reads.find(products, { ...by('price', 'asc', 10), offset: 25 });
      expect(page.items.map(({ id }) => id)).toEqual(whole.slice(25, 35));
      expect((await models.reads.find(products, { ...by('price', 'asc', 10), offset: 60 })).items).toEqual([]);
    },
  ],
  [
    'what is no cursor is refused',
    async (models) => {
      await stocked(models);
      const cursor = await cursorOf(models, by('name', 'asc', 5));
      const bad = ['', 'x', cursor.slice(0, -3), `${cursor}AAAA`, 'bnVsbA', 'e30', 'W10', '{"$gt":""}', '%00'];
      for (const value of bad) {
        const refused = models.reads.find(products, { ...by('name', 'asc', 5), cursor: value });
        await expect(refused).rejects.toThrow(InvalidCursor);
      }
    },
  ],
  [
    'the cursor of another sort is refused',
    async (models) => {
      await stocked(models);
      const cursor = await cursorOf(models, by('name', 'asc', 5));
      for (const query of [by('name', 'desc', 5), by('price', 'asc', 5)]) {
        await expect(models.reads.find(products, { ...query, cursor })).rejects.toThrow(InvalidCursor);
      }
    },
  ],
  [
    'rows are paged like records',
    async ({ store, reads }) => {
      const rows = Array.from({ length: 25 }, (_, index) => ({ lot: 'a', at: `t${index % 3}`, units: index }));
      await store.commit([add(rows, { at: 1 })], [checkpoint(1, moves)]);
      const query = { ...by('at', 'desc', 10), equal: { lot: 'a' } };
      const units: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof reads.findRows<'units' | 'at'>>> = await reads.findRows(moves, {
          ...query,
          ...(cursor === null ? {} : { cursor }),
        });
        units.push(...page.items.map((row) => row.units));
        cursor = page.nextCursor;
      } while (cursor !== null);
      const expected = rows.sort((a, b) => (a.at === b.at ? b.units - a.units : a.at < b.at ? 1 : -1));
      expect(units).toEqual(expected.map((row) => row.units));
    },
  ],
];
