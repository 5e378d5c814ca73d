import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { fiscalStore } from '../support/fiscal/store.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

let world: World;
let store: StoreClient;
beforeAll(async () => {
  world = await openWorld();
  store = await fiscalStore(world);
});
afterAll(() => world.close());

test('a document tells the lots that were made here, with the day of making and the last day on which they are good', async () => {
  const goods = { saleUnit: 'KG', ncm: '19059090' };
  const flour = await newProduct(store, 'Farinha', { ...goods, stockQty: 10 });
  const bread = await newProduct(store, 'Pão', goods);
  const items = [{ componentVariantId: flour.variantId, quantity: 1 }];
  const recipe = await newRecipe(store, { name: 'Pão', finishedVariantId: bread.variantId, items });
  const made = async (outputLotCode: string, expiry: object = {}) =>
    (await granted(
      store.call('POST', '/bakery-production/orders', { recipeId: recipe.id, batches: 1, outputLotCode, ...expiry }),
    )) as { body: { completedAt: string } };
  const { body: order } = await made('FEITO', { outputExpiresAt: '2031-03-14' });
  await made('SEM VALIDADE');
  const bought = { variantId: bread.variantId, quantity: 1, unitCost: 1, lotCode: 'COMPRADO', expiresAt: '2031-03-14' };
  await granted(store.call('POST', '/stock/receipts', { items: [bought] }));

  const sale = {
    items: [{ variantId: bread.variantId, quantity: 3, unitPrice: 1 }],
    payments: [{ method: 'CASH', amount: 3 }],
  };
  const { body: sold } = await granted(store.call('POST', '/sales', sale));
  const { body: document } = await granted(store.call('POST', '/fiscal/documents', { saleId: sold.id, model: 65 }));
  const { text: xml } = await store.call('GET', `/fiscal/documents/${String(document.id)}/xml`);
  const madeOn = new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo' }).format(Date.parse(order.completedAt));
  expect(xml.match(/<rastro>.*<\/rastro>/)?.[0]).toBe(
    `<rastro><nLote>FEITO</nLote><qLote>1.000</qLote><dFab>${madeOn}</dFab><dVal>2031-03-14</dVal></rastro>`,
  );
});
