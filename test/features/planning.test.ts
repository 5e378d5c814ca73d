import { expect, test } from '@jest/globals';
import { suggest } from '../../src/features/planning/domain/suggestion.js';
import { usage, usageId } from '../../projections/planning/usage.js';
import type { PlanningServices } from '../../src/features/planning/outlooks.js';
import { outlooks } from '../../src/features/planning/outlooks.js';
import { planningRoutes, RECIPES_AT_ONCE } from '../../src/features/planning/planning-routes.js';
import { usedSince } from '../../src/features/planning/domain/use.js';
import type { RequestContext } from '../../src/kernel/routes/request-context.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { RecipeCopy } from '../../src/features/contracts/recipe-book.js';

const d = (value: number): Decimal => Decimal.from(value);

const bread: RecipeCopy = {
  recipeId: 'bread',
  version: 1,
  name: 'Pão francês',
  finishedVariantId: 'roll',
  yieldQty: d(100),
  expectedLossPercent: d(5),
  items: [
    { componentVariantId: 'flour', quantity: d(5), lossPercent: d(0), costKind: 'MATERIAL' },
    { componentVariantId: 'yeast', quantity: d(0.09), lossPercent: d(10), costKind: 'MATERIAL' },
  ],
  stages: [],
  byproducts: [],
};

const outlook = (numbers: { free?: number; planned?: number; used?: number; days?: number }) => ({
  free: d(numbers.free ?? 0),
  planned: d(numbers.planned ?? 0),
  used: d(numbers.used ?? 0),
  days: numbers.days ?? 30,
  available: new Map([
    ['flour', d(50)],
    ['yeast', d(10)],
  ]),
});

test('stock and what is planned cover a part of the need, batches the rest', () => {
  // 600 in 30 days are 20 a day, 300 in 15; 300 - 40 - 95 = 165; a batch gives 95.
  expect(suggest(bread, outlook({ free: 40, planned: 95, used: 600 }), 15)).toEqual({
    recipeId: 'bread',
    recipeName: 'Pão francês',
    finishedVariantId: 'roll',
    stockQty: 40,
    plannedQty: 95,
    averageDailySales: 20,
    coverageDays: 2,
    targetQty: 300,
    suggestedBatches: 2,
    suggestedQty: 190,
    maxBatches: 10,
    limitedBy: null,
  });
});

test('a need of exactly some batches is not rounded up', () => {
  expect(suggest(bread, outlook({ used: 190, days: 15 }), 15).suggestedBatches).toBe(2);
  expect(suggest(bread, outlook({ used: 10, days: 3 }), 57).suggestedBatches).toBe(2);
});

test('nothing is suggested when the stock lasts, or when nothing is sold', () => {
  expect(suggest(bread, outlook({ free: 301, used: 600 }), 15)).toMatchObject({ suggestedBatches: 0, suggestedQty: 0 });
  expect(suggest(bread, outlook({}), 15)).toMatchObject({ suggestedBatches: 0, coverageDays: null, targetQty: 0 });
});

test('the input that runs out first limits what can be made', () => {
  const found = suggest(bread, outlook({ used: 4_000 }), 15);
  expect(found).toMatchObject({ suggestedBatches: 22, maxBatches: 10, limitedBy: 'flour' });
});

test('inputs that are there to the gram for some batches allow all of them, whatever is lost of them', () => {
  const items = [{ componentVariantId: 'flour', quantity: d(0.6), lossPercent: d(10), costKind: 'MATERIAL' as const }];
  const exact = { ...outlook({ used: 570 }), available: new Map([['flour', d(2)]]) };
  expect(suggest({ ...bread, items }, exact, 15)).toMatchObject({
    suggestedBatches: 3,
    maxBatches: 3,
    limitedBy: null,
  });
});

test('the use is spread over the days since the first movement, rounded up, when that is newer', () => {
  const days = { '2026-11-01': '5', '2026-11-20': '7', '2026-11-21': '3' };
  const window = { firstDay: '2026-11-10', lookback: 12, at: '2026-11-21T12:00:00.000Z' };
  const used = (firstMovedAt: string | null) => usedSince({ firstMovedAt, days }, window);
  expect(used('2026-10-01T00:00:00.000Z')).toEqual({ used: d(10), days: 12 });
  expect(used('2026-11-19T13:00:00.000Z')).toEqual({ used: d(10), days: 2 });
  expect(used('2026-11-19T11:00:00.000Z')).toEqual({ used: d(10), days: 3 });
  expect(used('2026-11-21T12:00:00.000Z')).toEqual({ used: d(10), days: 1 });
  expect(used(null)).toEqual({ used: d(0), days: 12 });
});

test.each([
  ['an hour was skipped', '2027-03-15T04:30:00.000Z', '2027-02-14', '2027-02-13'],
  ['an hour came twice', '2027-11-08T04:30:00.000Z', '2027-10-09', '2027-10-08'],
])('the days looked back at are days of the store, also where %s meanwhile', async (_, at, first, before) => {
  const usageOf = (day: string) => ({
    id: usageId(bread.finishedVariantId, day),
    body: JSON.stringify({ days: { [day]: '3' } }),
  });
  const moved = { id: bread.finishedVariantId, hidden: JSON.stringify({ firstMovedAt: '2026-01-01T00:00:00.000Z' }) };
  const usedIn = async (day: string) => {
    const context = {
      at,
      storeId: 'store',
      reads: {
        getMany: ({ name }: { readonly name: string }) =>
          Promise.resolve(name === usage.name ? [usageOf(day)] : [moved]),
      },
    } as unknown as RequestContext;
    const services = {
      stock: { outlook: () => Promise.resolve(new Map()) },
      stores: { byId: () => Promise.resolve({ timeZone: 'America/New_York' }) },
    } as unknown as PlanningServices;
    return (await outlooks(services, context, [bread], 30))(bread).used.toNumber();
  };
  expect([await usedIn(first), await usedIn(before)]).toEqual([3, 0]);
});

test('the suggestions for thousands of recipes let others have their turn', async () => {
  const count = 10 * RECIPES_AT_ONCE;
  const services = {
    recipes: { active: () => Promise.resolve(Array.from({ length: count }, () => bread)) },
    stock: { outlook: () => Promise.resolve(new Map()) },
    stores: { byId: () => Promise.resolve(undefined) },
  } as unknown as PlanningServices;
  const context = {
    at: '2026-05-05T12:00:00.000Z',
    storeId: 'store',
    reads: { getMany: () => Promise.resolve([]) },
  } as unknown as RequestContext;
  const [planning] = planningRoutes(services);
  let turns = 0;
  const others = (): void => {
    turns += 1;
    waiting = setImmediate(others);
  };
  let waiting = setImmediate(others);
  const { body } = (await planning?.handle({ query: { days: 15, lookbackDays: 30 } } as never, context)) ?? {};
  clearImmediate(waiting);
  expect(body).toHaveLength(count);
  expect(turns).toBeGreaterThanOrEqual(9);
});
