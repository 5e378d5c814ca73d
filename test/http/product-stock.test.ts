import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());

let store: StoreClient;

async function made(description: string, fields: object): Promise<ProductAnswer> {
  const body = { description, priceCash: 10, priceCredit: 10, ...fields };
  const answer = await store.call('POST', '/products', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body as ProductAnswer;
}

let created: readonly ProductAnswer[];

beforeAll(async () => {
  store = await world.newStore();
  const bread = await made('Pão', { stockQty: 10, managerialCost: 0.5 });
  const ham = await made('Presunto', { stockQty: 7, managerialCost: 4 });
  const grid = await made('Bolo', {
    managerialCost: 5,
    variants: [
      { label: 'P', stockQty: 2 },
      { label: 'G', stockQty: 3 },
    ],
  });
  const old = await made('Velho', { stockQty: 4, active: false });
  const service = await made('Conserto', { productType: 'SERVICE' });
  const kit = await made('Café da Manhã', {
    components: [
      { componentVariantId: bread.variants[0]?.id, quantity: 3 },
      { componentVariantId: ham.variants[0]?.id, quantity: 2 },
    ],
  });
  created = [grid, kit, service, bread, ham, old];
});

test('a list shows what there is of each product and variant, and what parts allow of a kit', async () => {
  const { body } = await store.call('GET', '/products');
  const { items } = body as { items: ProductAnswer[] };
  expect(items.map(({ description, stockQty, averageCost }) => [description, stockQty, averageCost])).toEqual([
    ['Bolo', 5, 5],
    ['Café da Manhã', 3, 9.5],
    ['Conserto', 0, null],
    ['Pão', 10, 0.5],
    ['Presunto', 7, 4],
    ['Velho', 4, 0],
  ]);
  expect(items[0]?.variants.map(({ stockQty }) => stockQty)).toEqual([2, 3]);
  expect(items[1]?.variants[0]).toMatchObject({ stockQty: 3, averageCost: 9.5, lotControlSince: null });
});

test.each([
  ['', 26],
  ['?active=true', 22],
  ['?active=false', 4],
  ['?productType=SERVICE', 0],
  ['?active=true&productType=MERCHANDISE&q=nada&take=1', 22],
])('the summary of %s counts goods alone', async (query, stockQty) => {
  expect((await store.call('GET', `/products${query}`)).body).toMatchObject({ summary: { stockQty } });
});

test('a product shows the same by itself, and did when it was made', async () => {
  const { body: list } = await store.call('GET', '/products');
  expect((list as { items: ProductAnswer[] }).items).toEqual(created);
  for (const one of created) expect((await store.call('GET', `/products/${one.id}`)).body).toEqual(one);
});

test('what production made costs, and all that it enters, is shown with production.costs alone', async () => {
  const bakery = await world.newStore();
  const flour = await newProduct(bakery, 'Farinha', { stockQty: 10, managerialCost: 2 });
  const grid = { variants: [{ label: 'P', stockQty: 1 }, { label: 'G' }], managerialCost: 1 };
  const cake = await newProduct(bakery, 'Bolo', grid);
  const components = [
    { componentVariantId: cake.variantId, quantity: 1 },
    { componentVariantId: flour.variantId, quantity: 1 },
  ];
  await newProduct(bakery, 'Cesta', { components });
  const items = [{ componentVariantId: flour.variantId, quantity: 1 }];
  const recipe = await newRecipe(bakery, { name: 'Bolo', finishedVariantId: cake.variantId, items });
  await granted(bakery.call('POST', '/bakery-production/orders', { recipeId: recipe.id, batches: 1 }));

  const costsFor = async (client: StoreClient) => {
    const { items: page } = (await client.call('GET', '/products')).body as { items: ProductAnswer[] };
    const cakeAlone = (await client.call('GET', `/products/${cake.id}`)).body as ProductAnswer;
    expect(cakeAlone).toEqual(page[0]);
    return page.map(({ averageCost, variants }) => [averageCost, ...variants.map((variant) => variant.averageCost)]);
  };
  expect(await costsFor(bakery)).toEqual([
    [1.5, 1.5, null],
    [3.5, 3.5],
    [2, 2],
  ]);
  const blind = await world.newKey(bakery.slug, 'products.view');
  expect(await costsFor(blind)).toEqual([
    [undefined, undefined, null],
    [undefined, undefined],
    [2, 2],
  ]);
});
