import { expect } from '@jest/globals';
import { pagesOf } from '../../src/kernel/routes/lists.js';
import type { PagedQuery } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { add, checkpoint, moves, product, products, put, remove } from './read-model-samples.js';

/** Records and rows that are found by any number of values beside their own. */

const ANA = '01a21038-f535-7de5-af64-dc3cb0845df1';

const ROWS = [
  { lot: 'a', at: 't1', units: 1 },
  { lot: 'a', at: 't2', units: 2 },
  { lot: 'b', at: 't2', units: 3 },
  { lot: 'b', at: 't3', units: 4 },
];
const KEYS = [
  { person: [ANA, 'bob'], number: [7, 8] },
  { person: ['bob'], number: [] },
  { person: [ANA, 'bob', 'eve'] },
  { person: [] },
];

const written = async ({ store }: OpenReadModels): Promise<void> => {
  const theirs = add([{ at: 't1', units: 99 }], { at: 1, store: 's2' }, [{ person: ['bob'] }]);
  await store.commit([add(ROWS, { at: 1 }, KEYS), theirs], [checkpoint(1, moves)]);
};

const given = (title: string, run: ContractTest[1]): ContractTest => [
  title,
  async (models) => {
    await written(models);
    await run(models);
  },
];

type Asked = Partial<Omit<PagedQuery, 'store'>> & { readonly by: Readonly<Record<string, string | number>> };

async function found({ reads }: OpenReadModels, { by, ...query }: Asked, store = 's1') {
  const sort = { column: 'at', direction: 'asc' } as const;
  return reads.findRows(moves, { store, equal: by, sort, limit: 10, ...query }, ['units']);
}

const unitsOf = async (...asked: Parameters<typeof found>) => (await found(...asked)).items.map(({ units }) => units);

const SHELF = [
  product('a', { name: 'Apple', text: `red ${ANA} round`, category: 'fruit', price: 2 }),
  product('b', { name: 'Bread', text: 'round round', category: null, price: 3 }),
  product('c', { name: 'Cherry', text: 'red', category: 'fruit', price: null }),
];

const shelved = async ({ store }: OpenReadModels): Promise<void> => {
  const theirs = put([product('z', { text: 'red' })], { at: 1, store: 's2' });
  await store.commit([put(SHELF, { at: 1 }), theirs], [checkpoint(1)]);
};

const onShelf = (title: string, run: ContractTest[1]): ContractTest => [
  title,
  async (models) => {
    await shelved(models);
    await run(models);
  },
];

const BY_NAME = { column: 'name', direction: 'asc' } as const;

async function mentioning({ reads }: OpenReadModels, mention: string | readonly string[], limit = 10, offset = 0) {
  const by =
    typeof mention === 'string' ? { equal: { mention } } : { oneOf: { column: 'mention', values: [...mention] } };
  const { items } = await reads.findBodies(products, { store: 's1', ...by, sort: BY_NAME, limit, offset });
  return items.map((body) => (JSON.parse(body) as { id: string }).id);
}

export const keyTests: readonly ContractTest[] = [
  onShelf('records are found by each of their keys, and once by several of them', async (models) => {
    expect(await mentioning(models, 'red')).toEqual(['a', 'c']);
    expect(await mentioning(models, 'round')).toEqual(['a', 'b']);
    expect(await mentioning(models, ANA)).toEqual(['a']);
    expect(await mentioning(models, 'green')).toEqual([]);
    expect(await mentioning(models, ['red', 'round', 'green'])).toEqual(['a', 'b', 'c']);
    expect(await mentioning(models, ['red', 'round'], 1, 1)).toEqual(['b']);
    const pages: unknown[] = [];
    const query = { store: 's1', equal: { mention: 'red' }, sort: BY_NAME, limit: 1 };
    for await (const page of pagesOf((at) => models.reads.find(products, { ...query, ...at }))) {
      pages.push(page.map(({ id }) => id));
    }
    expect(pages).toEqual([['a'], ['c']]);
  }),
  onShelf('records with keys are counted and summed up, each once', async ({ reads }) => {
    const count = (mention: string) => reads.count(products, { store: 's1', equal: { mention } });
    expect([await count('red'), await count('round'), await count('green')]).toEqual([2, 2, 0]);
    const oneOf = { column: 'mention', values: ['red', 'round'] };
    expect(await reads.count(products, { store: 's1', oneOf })).toBe(3);
    const wish = {
      countDistinct: ['name', 'category'],
      countWhere: { category: null },
      least: ['name'],
      greatest: ['name', 'price'],
    } as const;
    expect(await reads.summarise(products, { store: 's1', oneOf }, wish)).toEqual({
      count: 3,
      countWhere: 1,
      sum: {},
      countDistinct: { name: 3, category: 1 },
      least: { name: 'Apple' },
      greatest: { name: 'Cherry', price: 3 },
    });
    const names = await reads.distinct(products, { store: 's1', oneOf }, 'name');
    expect([...names].sort()).toEqual(['Apple', 'Bread', 'Cherry']);
  }),
  onShelf('a record is found by what it is now, and by nothing once it is gone', async (models) => {
    const { store } = models;
    await store.commit([put([product('a', { name: 'Apple', text: 'green round' })], { at: 2 })], [checkpoint(2)]);
    expect([await mentioning(models, 'red'), await mentioning(models, 'green')]).toEqual([['c'], ['a']]);
    await store.commit([put([product('a', { name: 'Zapple', text: 'green round' })], { at: 3 })], [checkpoint(3)]);
    expect(await mentioning(models, 'round')).toEqual(['b', 'a']);
    await store.commit([remove(['b'], { at: 4 })], [checkpoint(4)]);
    expect(await mentioning(models, 'round')).toEqual(['a']);
    await store.beginRebuild(products);
    const rebuilt = put([product('d', { text: 'round' })], { at: 4, generation: 'next' });
    await store.commit([rebuilt], [checkpoint(4, products, 'next')]);
    await store.switchRebuild(products);
    expect([await mentioning(models, 'round'), await mentioning(models, 'red')]).toEqual([['d'], []]);
  }),
  onShelf('records are counted through the keys of others', async ({ store, reads }) => {
    await store.commit(
      [add([{ lot: 'Apple' }, { lot: 'Bread' }, { lot: 'Apple' }], { at: 2 })],
      [checkpoint(2, moves)],
    );
    const link = (values: readonly string[]) =>
      ({ column: 'name', to: products, toColumn: 'name', among: { column: 'mention', values } }) as const;
    const count = (values: readonly string[]) => reads.countLinked(products, { store: 's1' }, link(values));
    expect([await count(['red']), await count(['red', 'round']), await count(['green'])]).toEqual([2, 3, 0]);
  }),
  given('rows are found by each of their keys, in either order and within a period', async (models) => {
    expect(await unitsOf(models, { by: { person: ANA } })).toEqual([1, 3]);
    expect(await unitsOf(models, { by: { person: 'bob' } })).toEqual([1, 2, 3]);
    expect(await unitsOf(models, { by: { person: 'eve' } })).toEqual([3]);
    expect(await unitsOf(models, { by: { person: 'nobody' } })).toEqual([]);
    expect(await unitsOf(models, { by: { number: 8 } })).toEqual([1]);
    expect(await unitsOf(models, { by: { person: 'bob' } }, 's2')).toEqual([99]);
    const sort = { column: 'at', direction: 'desc' } as const;
    expect(await unitsOf(models, { by: { person: 'bob' }, sort })).toEqual([3, 2, 1]);
    const range = { column: 'at', after: 't1', to: 't2' };
    expect(await unitsOf(models, { by: { person: 'bob' }, range })).toEqual([2, 3]);
  }),
  given('rows are found by a key and the columns that stand with it in an index', async (models) => {
    const sort = { column: 'units', direction: 'asc' } as const;
    expect(await unitsOf(models, { by: { person: 'bob', lot: 'a' }, sort })).toEqual([1, 2]);
    expect(await unitsOf(models, { by: { person: 'bob', lot: 'b' }, sort })).toEqual([3]);
  }),
  given(
    'pages of rows with a key follow one another, those of one moment in the order of their writing',
    async (models) => {
      for (const direction of ['asc', 'desc'] as const) {
        const query = { by: { person: 'bob' }, sort: { column: 'at', direction }, limit: 1 } as const;
        const units: unknown[] = [];
        for await (const page of pagesOf((at) => found(models, { ...query, ...at }))) {
          units.push(...page.map((row) => row.units));
        }
        expect(units).toEqual(direction === 'asc' ? [1, 2, 3] : [3, 2, 1]);
        expect(await unitsOf(models, { ...query, offset: 1 })).toEqual([2]);
      }
    },
  ),
  given('rows with a key are counted', async ({ reads }) => {
    const count = (person: string, store = 's1') => reads.count(moves, { store, equal: { person } });
    expect([await count(ANA), await count('bob'), await count('nobody'), await count('bob', 's2')]).toEqual([
      2, 3, 0, 1,
    ]);
    const range = { column: 'at', to: 't1' };
    expect(await reads.count(moves, { store: 's1', equal: { person: 'bob' }, range })).toBe(1);
  }),
  given('the last row with each of many keys up to a moment', async ({ reads }) => {
    const keys = [[ANA], ['bob'], ['eve'], ['nobody']];
    const last = async (upTo: string) => {
      const rows = await reads.lastRows(moves, 's1', { by: ['person'], keys, column: 'at', upTo });
      return rows.map(({ units }) => units).sort();
    };
    expect(await last('t1')).toEqual([1, 1]);
    expect(await last('t9')).toEqual([3, 3, 3]);
    expect(await last('t0')).toEqual([]);
  }),
  given('a repetition adds nothing to what is found by a key, and a rebuild takes its place', async (models) => {
    await written(models);
    expect(await unitsOf(models, { by: { person: 'bob' } })).toEqual([1, 2, 3]);
    await models.store.beginRebuild(moves);
    const rebuilt = add([{ at: 't1', units: 5 }], { at: 1, generation: 'next' }, [{ person: ['bob'] }]);
    await models.store.commit([rebuilt], [checkpoint(1, moves, 'next')]);
    expect(await unitsOf(models, { by: { person: 'bob' } })).toEqual([1, 2, 3]);
    await models.store.switchRebuild(moves);
    expect(await unitsOf(models, { by: { person: 'bob' } })).toEqual([5]);
    await models.store.commit(
      [add([{ at: 't2', units: 6 }], { at: 2 }, [{ person: ['bob'] }])],
      [checkpoint(2, moves)],
    );
    expect(await unitsOf(models, { by: { person: 'bob' } })).toEqual([5, 6]);
  }),
  given('without a key the same rows are found as ever', async ({ reads }) => {
    const sort = { column: 'at', direction: 'asc' } as const;
    const { items } = await reads.findRows(moves, { store: 's1', equal: { lot: 'a' }, sort, limit: 10 });
    expect(items).toEqual([
      { lot: 'a', at: 't1', order: null, quantity: 1, units: 1 },
      { lot: 'a', at: 't2', order: null, quantity: 1, units: 2 },
    ]);
  }),
];
