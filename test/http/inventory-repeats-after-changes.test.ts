import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newProduct, newRecipe } from '../support/bakery.js';
import { loseAnswer } from '../support/lost-answer.js';
import { expectOk } from '../support/people.js';
import { openWorld } from '../support/world.js';

/** A sale, an order or a booking of stock whose answer got lost is answered as before, also when what it names is gone since: goods left, and nobody may book them again. */

let bread: { readonly id: string; readonly variantId: string };
const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const lost = (path: string, sent: object) => loseAnswer(world, store, 'POST', path, sent);
const newBread = async () => (bread = await newProduct(store, 'Pão', { stockQty: 100, managerialCost: 4 }));
const sale = (body: object = {}) => ({
  items: [{ variantId: bread.variantId, quantity: 1, unitPrice: 1 }],
  payments: [{ method: 'CASH', amount: 1 }],
  ...body,
});

test('a sale of a product that is not sold any more', async () => {
  await newBread();
  const { first, repeat } = await lost('/sales', sale());
  await expectOk(store.call('PATCH', `/products/${bread.id}`, { active: false }));
  expect((await repeat()).body).toEqual(first.body);
});

test('a sale to a customer whose data was erased', async () => {
  await newBread();
  const customer = (await expectOk(store.call('POST', '/customers', { name: 'Ana' }))) as { readonly id: string };
  const { repeat } = await lost('/sales', sale({ customerId: customer.id }));
  await expectOk(store.call('POST', `/customers/${customer.id}/erase`, {}));
  await repeat();
});

test('a sale paid with a brand that is not taken any more', async () => {
  await newBread();
  const { brands } = (await expectOk(store.call('GET', '/card-fees'))) as {
    readonly brands: { readonly id: string }[];
  };
  const cardBrandId = brands[0]?.id ?? '';
  const payments = [{ method: 'CREDIT', amount: 1, cardBrandId, installments: 1 }];
  const { repeat } = await lost('/sales', sale({ payments }));
  await expectOk(store.call('PATCH', `/card-fees/brands/${cardBrandId}`, { active: false }));
  await repeat();
});

test.each([
  ['an order', '/bakery-production/orders', {}],
  ['a plan', '/bakery-production/orders/plan', { expectedAt: '2026-12-01' }],
])('%s by a recipe that is not active any more', async (_, path, body) => {
  await newBread();
  const cake = await newProduct(store, 'Bolo');
  const items = [{ componentVariantId: bread.variantId, quantity: 1 }];
  const recipe = await newRecipe(store, { name: 'Bolo', finishedVariantId: cake.variantId, items });
  const { first, repeat } = await lost(path, { recipeId: recipe.id, batches: 1, ...body });
  await expectOk(store.call('PUT', `/bakery-production/recipes/${recipe.id}`, { active: false }));
  expect((await repeat()).body).toEqual(first.body);
});

describe('a booking of stock at a location that takes no goods any more', () => {
  let shelf: { readonly id: string };
  beforeEach(async () => {
    await newBread();
    shelf = (await expectOk(store.call('POST', '/locations', { name: randomUUID() }))) as typeof shelf;
  });
  const closed = () => expectOk(store.call('PATCH', `/locations/${shelf.id}`, { active: false }));
  const item = () => ({ variantId: bread.variantId, quantity: 2 });

  test.each([
    ['a receipt', '/stock/receipts', () => ({ locationId: shelf.id, items: [{ ...item(), unitCost: 3 }] })],
    ['an adjustment', '/stock/adjustments', () => ({ locationId: shelf.id, reason: 'FOUND', items: [item()] })],
    [
      'a transfer',
      '/stock/transfers',
      async () => ({ fromLocationId: await shop(), toLocationId: shelf.id, items: [item()] }),
    ],
  ])('%s', async (_, path, body) => {
    const { first, repeat } = await lost(path, await body());
    await closed();
    expect((await repeat()).body).toEqual(first.body);
  });

  async function shop(): Promise<string> {
    const { items } = (await expectOk(store.call('GET', '/locations'))) as {
      readonly items: readonly { readonly id: string; readonly isDefault: boolean }[];
    };
    return items.find(({ isDefault }) => isDefault)?.id ?? '';
  }
});
