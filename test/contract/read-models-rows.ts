import { expect } from '@jest/globals';
import type { Row } from '../../src/ports/read-models.js';
import type { ContractTest, OpenReadModels } from './read-models.js';
import { add, checkpoint, moves } from './read-model-samples.js';

const LEDGER = [
  { lot: 'a', at: 't1', order: 'o1', quantity: 1.5, units: 1 },
  { lot: 'a', at: 't2', order: 'o2', quantity: -0.5, units: 2 },
  { lot: 'a', at: 't3', order: 'o1', quantity: 0.25, units: 3 },
  { lot: 'b', at: 't1', order: null, quantity: null, units: 4 },
  { lot: 'b', at: 't4', order: 'o3', quantity: 100, units: null },
];

const written = async ({ store }: OpenReadModels): Promise<void> => {
  const theirs = add([{ lot: 'a', quantity: 1_000 }], { at: 1, store: 's2' });
  await store.commit([add(LEDGER, { at: 1 }), theirs], [checkpoint(1, moves)]);
};

const given = (title: string, run: ContractTest[1]): ContractTest => [
  title,
  async (models) => {
    await written(models);
    await run(models);
  },
];

export const rowTests: readonly ContractTest[] = [
  given('rows are found as they were written', async ({ reads }) => {
    const sort = { column: 'at', direction: 'asc' } as const;
    const page = await reads.findRows(moves, { store: 's1', equal: { lot: 'a' }, sort, limit: 10 });
    expect(page).toEqual({ items: LEDGER.slice(0, 3), nextCursor: null });
    const range = { column: 'at', from: 't2', before: 't4' };
    const some = await reads.findRows(moves, { store: 's1', equal: { lot: 'a' }, range, sort, limit: 10 });
    expect(some.items).toEqual(LEDGER.slice(1, 3));
  }),
  given('numbers may add up to more than a whole number holds exactly', async ({ store, reads }) => {
    const units = Number.MAX_SAFE_INTEGER;
    const large = Array.from({ length: 2_000 }, () => ({ lot: 'large', units }));
    await store.commit([add(large, { at: 2, store: 's3' })], [checkpoint(2, moves)]);
    const { sum } = await reads.summarise(moves, { store: 's3' }, { sum: ['units'] });
    expect((sum['units'] ?? 0) / (units * large.length)).toBeCloseTo(1, 9);
  }),
  given('of rows only the wanted columns are given, page by page and in any order of them', async ({ reads }) => {
    const query = { store: 's1', equal: { lot: 'a' }, sort: { column: 'at', direction: 'desc' }, limit: 2 } as const;
    const first = await reads.findRows(moves, query, ['units', 'order']);
    expect(first.items).toEqual([
      { units: 3, order: 'o1' },
      { units: 2, order: 'o2' },
    ]);
    const next = { ...query, cursor: first.nextCursor ?? '' };
    expect(await reads.findRows(moves, next, ['quantity'])).toEqual({ items: [{ quantity: 1.5 }], nextCursor: null });
    const debts = { ...query, equal: { lot: 'b' }, limit: 1 };
    expect((await reads.findRows(moves, debts, ['units', 'at'])).items).toEqual([{ units: null, at: 't4' }]);
  }),
  given('the last row of each of many keys up to a moment', async ({ reads }) => {
    const last = async (keys: readonly string[], upTo: string, store = 's1') => {
      const found = await reads.lastRows(moves, store, {
        by: ['lot'],
        keys: keys.map((key) => [key]),
        column: 'at',
        upTo,
      });
      return found.map(({ lot, at, quantity }) => [lot, at, quantity]).sort();
    };
    expect(await last(['a', 'b', 'c'], 't2')).toEqual([
      ['a', 't2', -0.5],
      ['b', 't1', null],
    ]);
    expect(await last(['a', 'b'], 't9')).toEqual([
      ['a', 't3', 0.25],
      ['b', 't4', 100],
    ]);
    expect(await last(['a'], 't0')).toEqual([]);
    expect(await last(['lot'], 't9', 's2')).toEqual([]);
    expect(await last([], 't9')).toEqual([]);
  }),
  given('of rows of one moment the one that was written last', async ({ store, reads }) => {
    const same = [
      { lot: 'd', at: 't1', order: 'first', units: 1 },
      { lot: 'd', at: 't1', order: 'second', units: 2 },
    ];
    await store.commit([add(same, { at: 2 })], [checkpoint(2, moves)]);
    const keys = [
      ['d', 'first'],
      ['d', 'second'],
    ];
    const all = await reads.lastRows(moves, 's1', { by: ['lot'], keys: [['d']], column: 'at', upTo: 't1' });
    expect(all.map(({ order }) => order)).toEqual(['second']);
    const each = await reads.lastRows(moves, 's1', { by: ['lot', 'order'], keys, column: 'at', upTo: 't1' });
    expect(each.map(({ units }) => units).sort()).toEqual([1, 2]);
  }),
  given('rows are counted', async ({ reads }) => {
    expect(await reads.count(moves, { store: 's1' })).toBe(5);
    expect(await reads.count(moves, { store: 's1', oneOf: { column: 'order', values: ['o1', 'o3'] } })).toBe(3);
    expect(await reads.count(moves, { store: 's1', equal: { order: null } })).toBe(1);
  }),
  given('repeating rows changes nothing', async (models) => {
    await written(models);
    await models.store.commit([add(LEDGER, { at: 1 })], []);
    expect(await models.reads.count(moves, { store: 's1' })).toBe(5);
    await models.store.commit([add(LEDGER, { at: 2 })], [checkpoint(2, moves)]);
    expect(await models.reads.count(moves, { store: 's1' })).toBe(10);
  }),
  given('sums and distinct counts leave nulls out', async ({ reads }) => {
    const what = { sum: ['quantity', 'units'], countDistinct: ['order', 'at', 'lot'] } as const;
    expect(await reads.summarise(moves, { store: 's1' }, what)).toEqual({
      count: 5,
      countWhere: 5,
      sum: { quantity: 101.25, units: 10 },
      countDistinct: { order: 3, at: 4, lot: 2 },
      least: {},
      greatest: {},
    });
  }),
  given('a summary keeps to its conditions', async ({ reads }) => {
    const what = { sum: ['quantity'], countDistinct: ['order'] } as const;
    expect(await reads.summarise(moves, { store: 's1', oneOf: { column: 'lot', values: ['a'] } }, what)).toEqual({
      count: 3,
      countWhere: 3,
      sum: { quantity: 1.25 },
      countDistinct: { order: 2 },
      least: {},
      greatest: {},
    });
    const range = { column: 'at', after: 't3' };
    expect(await reads.summarise(moves, { store: 's1', range }, { sum: ['quantity'] })).toEqual({
      count: 1,
      countWhere: 1,
      sum: { quantity: 100 },
      countDistinct: {},
      least: {},
      greatest: {},
    });
  }),
  given('a summary counts those of all that have some values in one reading', async ({ reads }) => {
    const having = async (countWhere: Row) => {
      const { count, countWhere: some } = await reads.summarise(moves, { store: 's1' }, { countWhere });
      expect(count).toBe(5);
      return some;
    };
    expect(await having({ lot: 'a' })).toBe(3);
    expect(await having({ order: null })).toBe(1);
    expect(await having({ lot: 'b', at: 't4' })).toBe(1);
    expect(await having({ lot: 'nothing' })).toBe(0);
    expect(await having({})).toBe(5);
  }),
  given('a summary of nothing is zero', async ({ reads }) => {
    const what = { sum: ['quantity'], countDistinct: ['order'] } as const;
    expect(await reads.summarise(moves, { store: 'empty' }, what)).toEqual({
      count: 0,
      countWhere: 0,
      sum: { quantity: 0 },
      countDistinct: { order: 0 },
      least: {},
      greatest: {},
    });
  }),
  given('the extremes of columns leave nulls out and are null for nothing', async ({ reads }) => {
    const what = { least: ['at', 'lot'], greatest: ['at', 'quantity'] };
    const { least, greatest } = await reads.summarise(moves, { store: 's1' }, what);
    expect(least).toEqual({ at: 't1', lot: 'a' });
    expect(greatest).toEqual({ at: 't4', quantity: 100 });
    expect(await reads.summarise(moves, { store: 'empty' }, what)).toMatchObject({
      least: { at: null, lot: null },
      greatest: { at: null, quantity: null },
    });
  }),
];
