import { afterAll, expect, test } from '@jest/globals';
import { granted } from '../support/bakery.js';
import { newTracedBakery } from '../support/traced-bakery.js';
import { openWorld } from '../support/world.js';

/** What happened is written down alike, whether a member that may be left out is left out or null. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const { flour, bread, breadRecipe } = await newTracedBakery(store);

const orderMembers = {
  locationId: null,
  outputLocationId: null,
  actualOutputQty: null,
  outputLotCode: null,
  outputExpiresAt: null,
  actualInputs: null,
  allowNegativeStock: null,
};
const payment = { method: 'CASH', amount: 8 };
const noPaymentDetails = {
  cardBrandId: null,
  installments: null,
  tendered: null,
  authorizationCode: null,
  endToEndId: null,
  description: null,
};
const received = { variantId: flour, quantity: 2, unitCost: 3 };
const sold = { variantId: bread, quantity: 1, unitPrice: 8 };
const order = { recipeId: breadRecipe, batches: 1 };

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

/** The facts that a command would write, without what each time is another: ids, and the moment. */
async function factsOf(path: string, body: object): Promise<string> {
  const { body: dry } = await granted(store.call('POST', path, body, { Prefer: 'dry-run' }));
  const { events } = dry as { readonly events: readonly unknown[] };
  return JSON.stringify(events).replace(ID, 'id').replace(MOMENT, 'moment');
}

test.each([
  [
    '/stock/receipts',
    { items: [received] },
    {
      locationId: null,
      supplier: null,
      document: null,
      items: [{ ...received, lotCode: null, expiresAt: null }],
    },
  ],
  [
    '/stock/adjustments',
    { reason: 'Contagem', items: [{ variantId: flour, quantity: 1 }] },
    {
      reason: 'Contagem',
      countId: null,
      locationId: null,
      items: [{ variantId: flour, quantity: 1, lotId: null, unitCost: null }],
    },
  ],
  ['/bakery-production/orders', order, { ...order, ...orderMembers }],
  [
    '/sales',
    { items: [sold], payments: [payment] },
    {
      customerId: null,
      locationId: null,
      occurredAt: null,
      allowNegativeStock: null,
      items: [{ ...sold, discount: null, lotCode: null }],
      payments: [{ ...payment, ...noPaymentDetails }],
    },
  ],
])('%s', async (path, without, withNulls) => {
  expect(await factsOf(path, withNulls)).toBe(await factsOf(path, without));
});
