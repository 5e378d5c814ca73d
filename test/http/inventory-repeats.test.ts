import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A request whose fact was recorded, but whose answer got lost, is repeated with its key: it is answered, and nothing happens twice. */

let world: World;
let store: StoreClient;
let recipeId: string;
let bread: string;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  const flour = (await newProduct(store, 'Farinha', { stockQty: 1_000, managerialCost: 4 })).variantId;
  bread = (await newProduct(store, 'Pão')).variantId;
  const items = [{ componentVariantId: flour, quantity: 2 }];
  recipeId = (
    await newRecipe(store, { name: 'Pão', finishedVariantId: bread, yieldQty: 10, items, stages: ['mistura'] })
  ).id;
});
afterAll(() => world.close());

/** Loses the answer to the first try, and repeats it with the same key. */
async function repeated(path: string, body: object | undefined, headers: Readonly<Record<string, string>> = {}) {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const all = { ...headers, 'idempotency-key': randomUUID() };
  lanes.execute = async (...command) => {
    await execute(...command);
    throw new Error('lost');
  };
  try {
    expect((await store.call('POST', path, body, all)).status).toBe(500);
  } finally {
    lanes.execute = execute;
  }
  return store.call('POST', path, body, all);
}

const tagOf = ({ headers }: Answer) => ({ 'if-match': headers.get('etag') ?? '' });
const ORDERS = '/bakery-production/orders';
const PLAN = { batches: 1, expectedAt: '2026-12-01' };

test('work on an order', async () => {
  const planned = await repeated(`${ORDERS}/plan`, { recipeId, ...PLAN });
  expect([planned.status, planned.body]).toMatchObject([201, { status: 'PLANNED' }]);
  const path = `${ORDERS}/${planned.body.id as string}`;
  const refreshed = await repeated(`${path}/refresh-recipe`, undefined, tagOf(planned));
  expect([refreshed.status, refreshed.body]).toMatchObject([200, { stages: [{ name: 'mistura' }] }]);
  const started = await repeated(`${path}/start`, undefined, tagOf(refreshed));
  expect([started.status, started.body]).toMatchObject([200, { status: 'IN_PROGRESS' }]);
  const completed = await repeated(`${path}/complete`, {}, tagOf(started));
  expect([completed.status, completed.body]).toMatchObject([200, { status: 'COMPLETED', actualOutputQty: 10 }]);
  const reversed = await repeated(`${path}/reverse`, { reason: 'engano' }, tagOf(completed));
  expect([reversed.status, reversed.body]).toMatchObject([200, { status: 'REVERSED', reversals: [{ quantity: 10 }] }]);
});

test('sales and what becomes of them', async () => {
  const made = await repeated(ORDERS, { recipeId, batches: 1 });
  expect([made.status, made.body]).toMatchObject([201, { status: 'COMPLETED' }]);
  const items = [{ variantId: bread, quantity: 4, unitPrice: 1 }];
  const sold = await repeated('/sales', { items, payments: [{ method: 'CASH', amount: 4 }] });
  expect([sold.status, sold.body]).toMatchObject([201, { status: 'COMPLETED', total: 4 }]);
  const path = `/sales/${sold.body.id as string}`;
  const returned = await repeated(`${path}/returns`, { items: [{ variantId: bread, quantity: 1 }] }, tagOf(sold));
  expect([returned.status, returned.body]).toMatchObject([201, { total: 1 }]);
  const cancelled = await repeated(`${path}/cancel`, { reason: 'engano' }, tagOf(returned));
  expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: 'CANCELLED', returnedTotal: 1 }]);
  const { body } = await granted(store.call('GET', `/stock/balances?variantId=${bread}`));
  expect(body).toMatchObject({ items: [{ quantity: 10 }] });
});

test('goods that come, go and move', async () => {
  const { variantId } = await newProduct(store, 'Sal');
  const received = await repeated('/stock/receipts', {
    items: [{ variantId, quantity: 5, unitCost: 2, lotCode: 'S-1' }],
  });
  expect([received.status, received.body]).toMatchObject([201, { items: [{ balance: 5 }] }]);
  const { lotId } = received.body.items[0] as { readonly lotId: string };
  const lost = await repeated('/stock/adjustments', { reason: 'furo', items: [{ variantId, lotId, quantity: -1 }] });
  expect([lost.status, lost.body]).toMatchObject([201, { items: [{ quantity: -1 }] }]);
  const blocked = await repeated(`/stock/lots/${lotId}/block`, { reason: 'laudo' });
  expect([blocked.status, blocked.body]).toMatchObject([200, { status: 'BLOCKED' }]);
  const { body } = await granted(store.call('GET', `/stock/movements?variantId=${variantId}`));
  expect((body as { items: object[] }).items).toMatchObject([{ quantity: -1, balance: 4 }, { quantity: 5 }]);
});
