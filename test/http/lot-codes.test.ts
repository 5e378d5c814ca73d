import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted, newProduct } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import type { TracedBakery } from '../support/traced-bakery.js';
import { ORDERS, make, newTracedBakery, recallOf, receive, sell, traceOf } from '../support/traced-bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Whoever types a code from a label writes it in one way or another: it is the same lot. */

let world: World;
let store: StoreClient;
let bakery: TracedBakery;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  bakery = await newTracedBakery(store);
  await receive(store, bakery.flour, 5, 'Fã 1');
  await receive(store, bakery.flour, 7, ' FA   1 ');
});
afterAll(() => world.close());

const SPELLINGS = ['Fã 1', 'fa 1', 'FÃ  1', '  fa 1 '];

test('a recall and a trace find every lot of a code, however it is spelt, and show it as it was first written', async () => {
  for (const lotCode of SPELLINGS) {
    const recalled = await recallOf(store, { lotCode });
    expect([recalled.lotCode, recalled.lots.map((lot) => lot.lotCode)]).toEqual(['Fã 1', ['Fã 1', 'FA   1']]);
    const traced = await traceOf(store, { lotCode, direction: 'forward' });
    expect([traced.lotCode, traced.lots.map((lot) => lot.lotCode)]).toEqual(['Fã 1', ['Fã 1', 'FA   1']]);
    const lots = await granted(store.call('GET', `/stock/lots?${String(new URLSearchParams({ lotCode }))}`));
    expect((lots.body as { items: object[] }).items).toHaveLength(2);
  }
});

test('a sale and a transfer take from lots of a code, however it is spelt', async () => {
  const { variantId } = await newProduct(store, 'Açúcar');
  await receive(store, variantId, 2, 'AÇ-1');
  await receive(store, variantId, 3, 'aç-1');
  const item = { variantId, quantity: 4, unitPrice: 2, lotCode: 'Ac-1' };
  const payments = [{ method: 'PIX', amount: 8 }];
  expect((await store.call('POST', '/sales', { items: [item], payments })).status).toBe(201);
  const locations = (await granted(store.call('GET', '/locations'))).body as { items: { id: string }[] };
  const { body } = await granted(store.call('POST', '/locations', { name: 'Depósito' }));
  const [fromLocationId, toLocationId] = [locations.items[0]?.id, (body as { id: string }).id];
  const items = [{ variantId, quantity: 1, lotCode: 'AC-1' }];
  expect((await store.call('POST', '/stock/transfers', { fromLocationId, toLocationId, items })).status).toBe(201);
});

test('an output code is not new when it differs by its spelling alone', async () => {
  await sell(store, bakery.bread, 1);
  const order = { recipeId: bakery.breadRecipe, batches: 1, outputLotCode: ' p-1' };
  expect(refusal(await store.call('POST', ORDERS, order))).toEqual([409, 'LOT_CODE_TAKEN']);
  await make(store, bakery.breadRecipe, 'P-2');
});

test('codes that differ by more than their spelling are two', async () => {
  const { variantId } = await newProduct(store, 'Fermento');
  for (const lotCode of ['A1', 'A 1', '´', '¨']) await receive(store, variantId, 1, lotCode);
  for (const lotCode of ['a1', 'a 1', '´', '¨']) {
    expect((await recallOf(store, { lotCode, variantId })).lots).toHaveLength(1);
  }
});
