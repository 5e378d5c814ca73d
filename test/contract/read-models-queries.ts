import { expect } from '@jest/globals';
import type { Query } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { checkpoint, product, products, put, remove } from './read-model-samples.js';

const SHELF = [
  product('a', { name: 'Apple', category: 'fruit', price: 2.5, stock: 5 }),
  product('b', { name: 'Bread', category: 'bakery', price: 1.25, stock: 50 }),
  product('c', { name: 'Cake', category: 'bakery', price: null, stock: 0 }),
  product('d', { name: 'Date', category: 'fruit', price: 10, stock: 7 }),
  product('e', { name: 'Egg', category: null, price: 0.5, stock: 7 }),
];

const stocked = async ({ store }: OpenReadModels): Promise<void> => {
  await store.commit(
    [put(SHELF, { at: 1 }), put([product('z', { name: 'Zed' })], { at: 1, store: 's2' })],
    [checkpoint(1)],
  );
};

const NAMES = { column: 'name', direction: 'asc' } as const;

/** The ids that a query finds, in the order of their names, and checks that the count agrees. */
async function found({ reads }: OpenReadModels, query: Omit<Query, 'store'>): Promise<string> {
  const page = await reads.find(products, { store: 's1', ...query, sort: NAMES, limit: 50 });
  expect(await reads.count(products, { store: 's1', ...query })).toBe(page.items.length);
  return page.items.map(({ id }) => id).join('');
}

async function sorted({ reads }: OpenReadModels, column: string, direction: 'asc' | 'desc'): Promise<string> {
  const page = await reads.find(products, { store: 's1', sort: { column, direction }, limit: 50 });
  return page.items.map(({ id }) => id).join('');
}

const given = (title: string, run: ContractTest[1]): ContractTest => [
  title,
  async (models) => {
    await stocked(models);
    await run(models);
  },
];

export const queryTests: readonly ContractTest[] = [
  given('many records come in the order of the ids, without the missing ones', async ({ reads }) => {
    const records = await reads.getMany(products, 's1', ['d', 'missing', 'a', 'z', 'c']);
    expect(records.map(({ id }) => id)).toEqual(['d', 'a', 'c']);
    expect(JSON.parse(records[1]?.body ?? '')).toMatchObject({ id: 'a', name: 'Apple' });
    expect(await reads.getMany(products, 's1', [])).toEqual([]);
  }),
  given('bodies come one for each id, in their order', async ({ reads }) => {
    const [d, a, c] = (await reads.getMany(products, 's1', ['d', 'a', 'c'])).map(({ body }) => body);
    const bodies = await reads.getBodies(products, 's1', ['d', 'missing', 'a', 'd', 'z', 'c', 'none']);
    const [hidden, none] = await reads.getHidden(products, 's1', ['d', 'missing']);
    expect([Object.keys(JSON.parse(hidden ?? '') as object), none]).toEqual([['cost', 'revision'], undefined]);
    expect(await reads.getHidden(products, 's2', ['a'])).toEqual([undefined]);
    expect(await reads.getHidden(products, 's1', [])).toEqual([]);
    expect(bodies).toEqual([d, undefined, a, d, undefined, c, undefined]);
    expect(await reads.getBodies(products, 's1', ['missing'])).toEqual([undefined]);
    expect(await reads.getBodies(products, 's2', ['a'])).toEqual([undefined]);
    expect(await reads.getBodies(products, 's1', [])).toEqual([]);
  }),
  given('some columns of records come one row for each id, in their order', async ({ reads }) => {
    const rows = await reads.getColumns(products, 's1', ['d', 'missing', 'a', 'd'], ['stock', 'name']);
    const [d, , a] = rows;
    expect(rows).toEqual([d, undefined, a, d]);
    expect(a).toEqual({ name: 'Apple', stock: 5 });
    expect(Object.keys(d ?? {})).toEqual(['stock', 'name']);
    expect(await reads.getColumns(products, 's2', ['a', 'z'], ['name'])).toEqual([undefined, { name: 'Zed' }]);
    expect(await reads.getColumns(products, 's1', [], ['name'])).toEqual([]);
    const many = Array.from({ length: 3_000 }, (_, index) => `missing-${index}`);
    expect((await reads.getColumns(products, 's1', [...many, 'a'], ['name'])).at(-1)).toEqual({ name: 'Apple' });
  }),
  given('a record that is gone has no columns', async ({ reads, store }) => {
    await store.commit([remove(['a'], { at: 9 })], [checkpoint(9)]);
    expect(await reads.getColumns(products, 's1', ['a', 'b'], ['category'])).toEqual([
      undefined,
      { category: 'bakery' },
    ]);
  }),
  given('more ids than a statement takes at once', async ({ reads }) => {
    const ids = Array.from({ length: 3_000 }, (_, index) => `missing-${index}`);
    const records = await reads.getMany(products, 's1', [...ids, 'e', 'b']);
    expect(records.map(({ id }) => id)).toEqual(['e', 'b']);
    const bodies = await reads.getBodies(products, 's1', [...ids, 'e', 'b']);
    expect(bodies.slice(-2)).toEqual(records.map(({ body }) => body));
    expect(bodies.filter((body) => body === undefined)).toHaveLength(ids.length);
  }),
  given('without a condition a query finds the whole store', async (models) => {
    expect(await found(models, {})).toBe('abcde');
  }),
  given('a query by equality', async (models) => {
    expect(await found(models, { equal: { category: 'bakery' } })).toBe('bc');
    expect(await found(models, { equal: { stock: 7 } })).toBe('de');
    expect(await found(models, { equal: { category: 'fruit', stock: 7 } })).toBe('d');
    expect(await found(models, { equal: { category: 'Bakery' } })).toBe('');
  }),
  given('null equals null alone', async (models) => {
    expect(await found(models, { equal: { category: null } })).toBe('e');
    expect(await found(models, { equal: { price: null } })).toBe('c');
    expect(await found(models, { equal: { category: '' } })).toBe('');
    expect(await found(models, { equal: { price: 0 } })).toBe('');
  }),
  given('a query by one of several values', async (models) => {
    expect(await found(models, { oneOf: { column: 'name', values: ['Egg', 'Apple', 'Nothing'] } })).toBe('ae');
    expect(await found(models, { oneOf: { column: 'category', values: ['fruit', null] } })).toBe('ade');
    expect(await found(models, { oneOf: { column: 'name', values: [] } })).toBe('');
  }),
  given('a query by range, with the ends included or not', async (models) => {
    expect(await found(models, { range: { column: 'stock', from: 5, to: 7 } })).toBe('ade');
    expect(await found(models, { range: { column: 'stock', after: 5, before: 50 } })).toBe('de');
    expect(await found(models, { range: { column: 'name', from: 'B', before: 'D' } })).toBe('bc');
    expect(await found(models, { range: { column: 'price', after: 1.25 } })).toBe('ad');
  }),
  given('a range leaves nulls out', async (models) => {
    expect(await found(models, { range: { column: 'price', to: 1_000 } })).toBe('abde');
    expect(await found(models, { range: { column: 'price', from: -1_000 } })).toBe('abde');
  }),
  given('all conditions must hold together', async (models) => {
    const query = {
      equal: { category: 'fruit' },
      oneOf: { column: 'name', values: ['Apple', 'Bread', 'Date'] },
      range: { column: 'stock', from: 6 },
    };
    expect(await found(models, query)).toBe('d');
  }),
  given('a sort goes up or down, nulls below every value, ties by id in the same direction', async (models) => {
    expect(await sorted(models, 'name', 'desc')).toBe('edcba');
    expect(await sorted(models, 'price', 'asc')).toBe('cebad');
    expect(await sorted(models, 'price', 'desc')).toBe('dabec');
    expect(await sorted(models, 'stock', 'asc')).toBe('cadeb');
    expect(await sorted(models, 'stock', 'desc')).toBe('bedac');
  }),
  given('texts are sorted by their code points', async (models) => {
    const names = ['\u{1f956}', 'z', 'B', 'a', '\ufffd', 'é', ''];
    const documents = names.map((name, index) => product(`n${index}`, { name }));
    await models.store.commit([put(documents, { at: 2, store: 's9' })], [checkpoint(2)]);
    const page = await models.reads.find(products, { store: 's9', sort: NAMES, limit: 50 });
    const order = page.items.map(({ body }) => (JSON.parse(body) as { name: string }).name);
    expect(order).toEqual(['', 'B', 'a', 'z', 'é', '\ufffd', '\u{1f956}']);
  }),
  given('a value is never taken for code', async (models) => {
    const hostile = [`'; DROP TABLE products; --`, '{"$gt": ""}', '$name', '%', '\\', 'a\u0000b'];
    for (const value of hostile) {
      expect(await found(models, { equal: { name: value } })).toBe('');
      expect(await models.reads.get(products, value, value)).toBeUndefined();
    }
    expect(await found(models, {})).toBe('abcde');
  }),
  given('the values of a column are told once each, those without one by nothing', async ({ reads }) => {
    const all = { store: 's1' };
    expect([...(await reads.distinct(products, all, 'category'))].sort()).toEqual(['bakery', 'fruit']);
    const oneOf = { column: 'name', values: ['Apple', 'Bread', 'Egg', 'nothing'] };
    const stocks = await reads.distinct(products, { ...all, oneOf }, 'stock');
    expect(stocks).toHaveLength(new Set(stocks).size);
    expect((await reads.summarise(products, { ...all, oneOf }, { countDistinct: ['stock'] })).countDistinct).toEqual({
      stock: stocks.length,
    });
    expect(await reads.distinct(products, { ...all, equal: { name: 'nothing' } }, 'category')).toEqual([]);
    expect(await reads.distinct(products, { store: 'another' }, 'category')).toEqual([]);
  }),
  given('records are summed up like rows: distinct values, extremes, those without a value', async ({ reads }) => {
    const what = { countDistinct: ['category', 'stock'], least: ['price', 'category'], greatest: ['price', 'name'] };
    const all = await reads.summarise(products, { store: 's1' }, what);
    expect(all.countDistinct).toEqual({ category: 2, stock: 4 });
    expect(all.least).toEqual({ price: 0.5, category: 'bakery' });
    expect(all.greatest).toEqual({ price: 10, name: 'Egg' });
    const oneOf = { column: 'name', values: ['Egg', 'Date', 'nothing'] };
    const none = await reads.summarise(products, { store: 's1', oneOf, equal: { category: null } }, what);
    expect(none.countDistinct).toEqual({ category: 0, stock: 1 });
    expect([none.least, none.greatest]).toEqual([
      { price: 0.5, category: null },
      { price: 0.5, name: 'Egg' },
    ]);
  }),
  given('records are counted through others that name the same value, each once', async ({ reads, store }) => {
    const labelled = [
      product('f', { name: 'Label 1', text: '', category: 'Apple' }),
      product('g', { name: 'Label 2', category: 'Apple' }),
      product('h', { name: 'Label 3', category: 'Bread' }),
      product('i', { name: 'Label 4', category: null }),
    ];
    await store.commit(
      [put(labelled, { at: 2 }), put([product('a', { name: 'Apple', stock: 5 })], { at: 2, store: 's3' })],
      [checkpoint(2)],
    );
    const through = (...values: readonly string[]) =>
      reads.countLinked(
        products,
        { store: 's1', oneOf: { column: 'stock', values: [5, 7, 50] } },
        { column: 'name', to: products, toColumn: 'category', among: { column: 'name', values } },
      );
    expect(await through('Label 1', 'Label 2')).toBe(1);
    const bread = await reads.count(products, {
      store: 's1',
      equal: { name: 'Bread' },
      oneOf: { column: 'stock', values: [5, 7, 50] },
    });
    expect(await through('Label 1', 'Label 3', 'Label 4')).toBe(1 + bread);
    expect(await through('Label 4')).toBe(0);
    expect(await through()).toBe(0);
    const many = Array.from({ length: 3_000 }, (_, index) => `missing ${index}`);
    expect(await through(...many, 'Label 2')).toBe(1);
  }),
];
