import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RECIPES, granted, insist, newProduct, newRecipe } from '../support/bakery.js';
import type { TracedBakery } from '../support/traced-bakery.js';
import { ORDERS, newTracedBakery, sell } from '../support/traced-bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

let world: World;
let store: StoreClient;
let bakery: TracedBakery;
let unsold: string;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  bakery = await newTracedBakery(store);
  const cake = (await newProduct(store, 'Bolo')).variantId;
  const items = [{ componentVariantId: bakery.flour, quantity: 1 }];
  unsold = (await newRecipe(store, { name: 'Bolo', finishedVariantId: cake, yieldQty: 1, items })).id;
  const old = await newRecipe(store, { name: 'Antigo', finishedVariantId: cake, yieldQty: 1, items });
  await granted(store.call('PATCH', `${RECIPES}/${old.id}`, { active: false }));
  // 50 breads in the last 30 days, 20 before.
  await sell(store, bakery.bread, 20, { occurredAt: daysAgo(40) });
  await sell(store, bakery.bread, 30, { occurredAt: daysAgo(20) });
  await sell(store, bakery.bread, 20, { occurredAt: daysAgo(1) });
});
afterAll(() => world.close());

interface Row {
  readonly [member: string]: unknown;
  readonly recipeId: string;
}

const suggestions = async (query = '', client = store) =>
  client.call('GET', `/bakery-production/planning/suggestions${query}`);
async function rowOf(recipeId: string, query = ''): Promise<Row | undefined> {
  const { body } = await granted(suggestions(query));
  return (body as readonly Row[]).find((row) => row.recipeId === recipeId);
}

test('every active recipe has its row, the others none', async () => {
  const { body } = await granted(suggestions());
  const ids = (body as readonly Row[]).map(({ recipeId }) => recipeId).sort();
  expect(ids).toEqual([bakery.breadRecipe, bakery.premixRecipe, unsold].sort());
});

test('sales of the days looked back at make the average', async () => {
  expect(await rowOf(bakery.breadRecipe)).toMatchObject({
    finishedVariantId: bakery.bread,
    recipeName: 'Pão',
    stockQty: 30,
    plannedQty: 0,
    averageDailySales: 1.666667,
    coverageDays: 18,
    targetQty: 25,
    suggestedBatches: 0,
    suggestedQty: 0,
    maxBatches: 4,
    limitedBy: null,
  });
  expect(await rowOf(bakery.breadRecipe, '?days=365')).toMatchObject({
    targetQty: 608.333333,
    suggestedBatches: 6,
    suggestedQty: 600,
    maxBatches: 4,
    limitedBy: bakery.premix,
  });
  expect(await rowOf(bakery.breadRecipe, '?lookbackDays=10')).toMatchObject({ averageDailySales: 2, coverageDays: 15 });
  // The first movement was 40 days ago.
  expect(await rowOf(bakery.breadRecipe, '?lookbackDays=365')).toMatchObject({
    averageDailySales: expect.closeTo(70 / 41, 5),
  });
});

test('use by other recipes counts as well', async () => {
  expect(await rowOf(bakery.premixRecipe)).toMatchObject({ stockQty: 40, averageDailySales: 10, coverageDays: 4 });
});

test('without sales nothing is suggested, and the stock lasts for no number of days', async () => {
  expect(await rowOf(unsold)).toMatchObject({
    stockQty: 0,
    averageDailySales: 0,
    coverageDays: null,
    suggestedBatches: 0,
    suggestedQty: 0,
    maxBatches: 60,
  });
});

test('what is planned is no longer needed, and blocked goods are not there', async () => {
  const body = { recipeId: bakery.breadRecipe, batches: 2, expectedAt: '2026-12-01' };
  const { body: planned } = await granted(store.call('POST', `${ORDERS}/plan`, body));
  expect(await rowOf(bakery.breadRecipe, '?days=365')).toMatchObject({ plannedQty: 200, suggestedBatches: 4 });
  await granted(store.call('POST', `${ORDERS}/${(planned as { id: string }).id}/cancel`));
  const { body: lots } = await granted(store.call('GET', `/stock/lots?variantId=${bakery.bread}`));
  const { lotId = '' } = (lots as { items: readonly { lotId: string }[] }).items[0] ?? {};
  await granted(store.call('POST', `/stock/lots/${lotId}/block`, { reason: 'suspeita' }));
  expect(await rowOf(bakery.breadRecipe)).toMatchObject({ stockQty: 0, plannedQty: 0, suggestedBatches: 1 });
  await granted(store.call('POST', `/stock/lots/${lotId}/release`, { reason: 'em ordem' }));
});

test('days are 1 to 365', async () => {
  for (const name of ['days', 'lookbackDays']) {
    for (const good of [1, 365]) expect((await suggestions(`?${name}=${String(good)}`)).status).toBe(200);
    for (const bad of ['0', '366', '-1', '1.5', '', 'x']) {
      expect((await suggestions(`?${name}=${bad}`)).status).toBe(400);
    }
  }
  expect((await suggestions('?coverage=1')).status).toBe(400);
});

test('it needs the permission to see production', async () => {
  expect((await suggestions('', await world.newKey(store.slug, 'production.view'))).status).toBe(200);
  expect((await suggestions('', await world.newKey(store.slug, 'reports.view'))).status).toBe(403);
});

test('its lines come by pages, as those of every explanation', async () => {
  interface Explained {
    readonly lines: readonly unknown[];
    readonly nextCursor: string | null;
  }
  const path = `/explain/planning/${bakery.breadRecipe}?days=7`;
  const explained = async (query = '') => (await granted(store.call('GET', path + query))).body as Explained;
  const whole = await explained();
  const first = await explained('&limit=2');
  const rest = await explained(`&limit=200&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect([first.lines.length, rest.nextCursor]).toEqual([2, null]);
  expect([...first.lines, ...rest.lines]).toEqual(whole.lines);
});

test('of very many open orders the explanation shows the first 200, and the others in one line', async () => {
  const busy = await world.newStore();
  const [cake, flour] = [await newProduct(busy, 'Bolo'), await newProduct(busy, 'Farinha')];
  const items = [{ componentVariantId: flour.variantId, quantity: 1 }];
  const { id } = await newRecipe(busy, { name: 'Bolo', finishedVariantId: cake.variantId, yieldQty: 2, items });
  const order = { recipeId: id, batches: 1, expectedAt: new Date(Date.now() + 86_400_000).toISOString() };
  const restOf = async () => {
    const { body } = await granted(busy.call('GET', `/explain/planning/${id}`, undefined, { 'accept-language': 'en' }));
    const { lines } = body as {
      readonly lines: readonly { readonly text: string; readonly lines?: readonly { readonly text: string }[] }[];
    };
    const orders = lines.find(({ text }) => text === 'Planned and started orders')?.lines ?? [];
    expect(orders.slice(0, 200).map(({ text }) => text)).toEqual(
      Array.from({ length: 200 }, (_, index) => `Order ${String(index + 1)}`),
    );
    return [orders.length, orders[200]];
  };
  await Promise.all(Array.from({ length: 201 }, () => granted(insist(busy, 'POST', `${ORDERS}/plan`, order))));
  expect(await restOf()).toEqual([201, { text: '1 more order', quantity: -2 }]);
  await granted(insist(busy, 'POST', `${ORDERS}/plan`, order));
  expect(await restOf()).toEqual([201, { text: '2 more orders', quantity: -4 }]);
});

test('the suggestions come by the names of the recipes, as these are listed', async () => {
  const names = ['Zebra', 'água', 'Broa', 'Élan', 'empada', 'Cuca', 'Nozes', 'avelã', 'Torta', 'Brioche'];
  const items = [{ componentVariantId: bakery.flour, quantity: 1 }];
  for (const name of names) {
    const { variantId } = await newProduct(store, name);
    await newRecipe(store, { name, finishedVariantId: variantId, yieldQty: 1, items });
  }
  const listed = (await granted(store.call('GET', `${RECIPES}?active=true`))).body as readonly {
    readonly id: string;
  }[];
  const { body } = await granted(suggestions());
  expect((body as readonly Row[]).map(({ recipeId }) => recipeId)).toEqual(listed.map(({ id }) => id));
});
