import { afterAll, expect, test } from '@jest/globals';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { openWorld } from '../support/world.js';

/** The example of docs/stock-and-costs.md, step by step. */

let orderId = '';
const sales: string[] = [];

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const flour = (await newProduct(store, 'Farinha', { saleUnit: 'KG' })).variantId;
const loaf = (await newProduct(store, 'Pão')).variantId;

const get = async <T>(path: string): Promise<T> => (await granted(store.call('GET', path))).body as T;
const post = async <T>(path: string, body: object): Promise<T> =>
  (await granted(store.call('POST', path, body))).body as T;

interface List<T> {
  readonly items: readonly T[];
}

/** What the lots of a variant hold by their codes, and its average cost. */
async function standingOf(variantId: string): Promise<readonly [lots: object, average: number | undefined]> {
  const { items } = await get<List<{ lotCode: string; quantity: number }>>(
    `/stock/lots?includeEmpty=true&variantId=${variantId}`,
  );
  const balances = await get<List<{ averageCost: number }>>(`/stock/balances?variantId=${variantId}`);
  return [
    Object.fromEntries(items.map(({ lotCode, quantity }) => [lotCode, quantity])),
    balances.items[0]?.averageCost,
  ];
}

async function sell(quantity: number, more: object = {}): Promise<void> {
  const line = { variantId: loaf, quantity, unitPrice: 8 };
  const payments = [{ method: 'CASH', amount: 8 * quantity }];
  sales.push((await post<{ id: string }>('/sales', { items: [line], payments, ...more })).id);
}

const giveBack = (sale: number, quantity: number) =>
  post(`/sales/${sales[sale] ?? ''}/returns`, { items: [{ variantId: loaf, quantity }] });

test('the example of the page on stock and costs comes out as it says', async () => {
  await post('/stock/receipts', {
    items: [
      { variantId: flour, quantity: 10, unitCost: 3, lotCode: 'A' },
      { variantId: flour, quantity: 10, unitCost: 3.6, lotCode: 'B' },
    ],
  });
  expect(await standingOf(flour)).toEqual([{ A: 10, B: 10 }, 3.3]);

  const items = [{ componentVariantId: flour, quantity: 12 }];
  const { id: recipeId } = await newRecipe(store, { name: 'Pão', finishedVariantId: loaf, yieldQty: 12, items });
  const order = { recipeId, batches: 1, actualOutputQty: 10, outputLotCode: 'P' };
  const made = await post<{ id: string }>('/bakery-production/orders', order);
  expect(made).toMatchObject({ lossQty: 2, materialCost: 37.2, totalCost: 37.2, unitCost: 3.72 });
  orderId = made.id;
  expect(await standingOf(flour)).toEqual([{ A: 0, B: 8 }, 3.3]);
  expect(await standingOf(loaf)).toEqual([{ P: 10 }, 3.72]);

  await sell(4);
  expect(await standingOf(loaf)).toEqual([{ P: 6 }, 3.72]);
  await giveBack(0, 1);
  expect(await standingOf(loaf)).toEqual([{ P: 7 }, 3.72]);

  await sell(10, { allowNegativeStock: true });
  expect(await standingOf(loaf)).toEqual([{ P: 0 }, 3.72]);
  await post('/stock/receipts', { items: [{ variantId: loaf, quantity: 5, unitCost: 4, lotCode: 'Q' }] });
  expect(await standingOf(loaf)).toEqual([{ P: 0, Q: 2 }, 4]);
  await giveBack(1, 5);
  expect(await standingOf(loaf)).toEqual([{ P: 2, Q: 5 }, 3.92]);

  const reversed = await post(`/bakery-production/orders/${orderId}/reverse`, { reason: 'Queimou', partial: true });
  expect(reversed).toMatchObject({
    status: 'PARTIALLY_REVERSED',
    costReversal: { status: 'REDONE', before: 3.92, after: 4 },
    reversals: [
      {
        fraction: 0.2,
        inputs: [
          { quantity: 2, cost: 6 },
          { quantity: 0.4, cost: 1.44 },
        ],
      },
    ],
  });
  expect(await standingOf(flour)).toEqual([{ A: 2, B: 8.4 }, 3.2538461538]);
  expect(await standingOf(loaf)).toEqual([{ P: 0, Q: 5 }, 4]);

  const balanceOf = async (lotCode: string) =>
    (await get<{ massBalance: object }>(`/bakery-production/recall?lotCode=${lotCode}`)).massBalance;
  expect(await balanceOf('P')).toMatchObject({ produced: 10, soldNet: 8, reversed: 2, accountedPercent: 100 });
  expect(await balanceOf('A')).toMatchObject({ produced: 10, inStock: 2, consumed: 8, accountedPercent: 100 });
});
