import { afterAll, expect, test } from '@jest/globals';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import { openWorld } from '../support/world.js';

/** What one command took, or was given later, from more lots than another one can bring back. */

const LOTS_OF_A_RECEIPT = 200;
const RECEIPTS = 8;
const LOTS = LOTS_OF_A_RECEIPT * RECEIPTS;
/** As long as codes may be, so that fewer lots are enough. */
const LOT_CODE = 'L'.repeat(60);

const world = await openWorld();
const store = await world.newStore();
afterAll(() => world.close());

async function receiveInManyLots(variantId: string): Promise<void> {
  const lot = { variantId, quantity: 1, unitCost: 1, lotCode: LOT_CODE };
  const items = Array.from({ length: LOTS_OF_A_RECEIPT }, () => lot);
  for (let receipt = 0; receipt < RECEIPTS; receipt++) await granted(store.call('POST', '/stock/receipts', { items }));
}

test('a sale from so many lots is cancelled after some of its goods were taken back, as the refusal says', async () => {
  const { variantId } = await newProduct(store, 'Castanha');
  await receiveInManyLots(variantId);
  const items = [{ variantId, quantity: LOTS, unitPrice: 1 }];
  const sold = await granted(store.call('POST', '/sales', { items, payments: [{ method: 'CASH', amount: LOTS }] }));
  const path = `/sales/${String(sold.body.id)}`;
  const cancel = () => store.call('POST', `${path}/cancel`, { reason: 'engano' });
  expect(refusal(await cancel())).toEqual([409, 'CANCELLATION_TOO_LARGE']);
  await granted(store.call('POST', `${path}/returns`, { items: [{ variantId, quantity: LOTS / 2 }] }));
  expect((await granted(cancel())).body.status).toBe('CANCELLED');
  const [balance] = (await granted(store.call('GET', `/stock/balances?variantId=${variantId}`))).body.items;
  expect(balance.quantity).toBe(LOTS);
});

test('an order whose inputs came from so many lots afterwards is not reversed, and the refusal says what to do', async () => {
  const [flour, bread] = [await newProduct(store, 'Farinha'), await newProduct(store, 'Pão')];
  const needs = [{ componentVariantId: flour.variantId, quantity: LOTS }];
  const recipe = await newRecipe(store, { name: 'Pão', finishedVariantId: bread.variantId, yieldQty: 1, items: needs });
  const order = { recipeId: recipe.id, batches: 1, allowNegativeStock: true };
  const made = await granted(store.call('POST', '/bakery-production/orders', order));
  await receiveInManyLots(flour.variantId);
  const path = `/bakery-production/orders/${String(made.body.id)}/reverse`;
  expect(refusal(await store.call('POST', path, { reason: 'engano' }))).toEqual([409, 'REVERSAL_TOO_LARGE']);
});

test('up to 2,000 lots of one code are blocked at once', async () => {
  const { variantId } = await newProduct(store, 'Leite');
  const lot = { variantId, quantity: 1, unitCost: 1, lotCode: 'RECALL' };
  const receive = (lots: number) =>
    granted(store.call('POST', '/stock/receipts', { items: Array.from({ length: lots }, () => lot) }));
  for (let receipt = 0; receipt < 10; receipt++) await receive(200);
  const block = () => store.call('POST', '/stock/lots/block', { lotCode: lot.lotCode, reason: 'laudo' });
  expect((await granted(block())).body.items).toHaveLength(2_000);
  await receive(1);
  expect(refusal(await block())).toEqual([400, 'TOO_MANY_LOTS']);
});
