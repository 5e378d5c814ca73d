import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OrderDocument } from '../../projections/production/orders.js';
import { inventory } from '../../src/features/inventory/decider.js';
import { REMEMBERED, orderKey, touchesOf } from '../../src/features/inventory/ledger/touched-revisions.js';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { commandsOfSystem } from '../support/commands-of-system.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Orders that the state of the stock has forgotten. */

const ORDERS = '/bakery-production/orders';

let world: World;
let store: StoreClient;
let order: OrderDocument;
let cancelled: OrderDocument;

/** Facts that concern no order, until the state remembers none of the earlier ones. */
async function forget(): Promise<void> {
  const { lanes } = world.service.core;
  const stream = `inventory-${store.storeId}`;
  const send = commandsOfSystem(world, inventory, store.storeId);
  const lot = { lotId: 'other', lotCode: null, entered: 1_000_000, expiresAt: null, variantId: 'other' };
  for (const generation of [1, 2]) {
    const commands = Array.from({ length: REMEMBERED }, (_, index) =>
      send(
        { type: index % 2 === 0 ? 'block' : 'release', lot, reason: 'teste' },
        `forget-${String(generation * REMEMBERED + index)}`,
      ),
    );
    await Promise.all(commands);
    await granted(store.call('POST', ORDERS, { recipeId: order.recipeId, batches: 1 }));
  }
  const { state } = await lanes.current(inventory, stream);
  expect(touchesOf(state.history, orderKey(order.id))).toEqual([]);
}

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  const flour = (await newProduct(store, 'Farinha', { stockQty: 100, managerialCost: 4 })).variantId;
  const bread = (await newProduct(store, 'Pão')).variantId;
  const items = [{ componentVariantId: flour, quantity: 2 }];
  const { id: recipeId } = await newRecipe(store, { name: 'Pão', finishedVariantId: bread, yieldQty: 10, items });
  order = (await granted(store.call('POST', ORDERS, { recipeId, batches: 1, outputLotCode: 'ANTIGO' })))
    .body as OrderDocument;
  const plan = await granted(store.call('POST', `${ORDERS}/plan`, { recipeId, batches: 1, expectedAt: '2026-12-01' }));
  const cancel = `${ORDERS}/${(plan.body as OrderDocument).id}/cancel`;
  cancelled = (await granted(store.call('POST', cancel))).body as OrderDocument;
  await forget();
});
afterAll(() => world.close());

test('their lot codes are still taken', async () => {
  const again = await store.call('POST', ORDERS, { recipeId: order.recipeId, batches: 1, outputLotCode: 'ANTIGO' });
  expect([again.status, again.body.code]).toEqual([409, 'LOT_CODE_TAKEN']);
  const other = await granted(store.call('POST', ORDERS, { recipeId: order.recipeId, batches: 1 }));
  expect((other.body as OrderDocument).outputLotCode).toMatch(/^\d{6}-5$/);
});

test('their states still decide what can be done', async () => {
  const outcome = async (path: string, body?: object) => (await store.call('POST', path, body)).body.code as string;
  expect(await outcome(`${ORDERS}/${order.id}/cancel`)).toBe('ORDER_NOT_OPEN');
  expect(await outcome(`${ORDERS}/${cancelled.id}/start`)).toBe('ORDER_NOT_PLANNED');
  expect(await outcome(`${ORDERS}/${cancelled.id}/reverse`, { reason: 'engano' })).toBe('ORDER_NOT_COMPLETED');
});

test('they can still be reversed, once', async () => {
  const path = `${ORDERS}/${order.id}`;
  const { body: preview } = await granted(store.call('GET', `${path}/reversal-preview`));
  expect(preview).toMatchObject({ obtainedQty: 10, remainingQty: 10, full: true });
  const { body } = await granted(store.call('POST', `${path}/reverse`, { reason: 'engano' }));
  expect(body).toMatchObject({
    ...order,
    status: 'REVERSED',
    reversals: [{ quantity: 10 }],
    updatedAt: body.updatedAt,
  });
  expect((await store.call('POST', `${path}/reverse`, { reason: 'engano' })).body.code).toBe('ALREADY_REVERSED');
});
