import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { expectOk, refusal } from '../support/people.js';
import type { Answer, StoreClient } from '../support/world.js';
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

const patch = (id: string, body: object) => store.call('PATCH', `/products/${id}`, body);
const receive = (variantId: string | undefined) =>
  store.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 1, unitCost: 1 }] });
const variantOf = ({ variants }: ProductAnswer) => variants[0]?.id ?? '';

describe('goods that become a kit or a service', () => {
  test('never moved', async () => {
    const moved = await made('Cesta pronta', { stockQty: 1 });
    await store.call('POST', '/stock/adjustments', {
      reason: 'perda',
      items: [{ variantId: variantOf(moved), quantity: -1 }],
    });
    for (const change of [{ isComposite: true }, { productType: 'SERVICE' }]) {
      expect(refusal(await patch(moved.id, change))).toEqual([409, 'PRODUCT_HAS_MOVED']);
    }
    expect((await patch(moved.id, { isComposite: false, productType: 'MERCHANDISE' })).status).toBe(200);
  });

  test('are kept in stock again once they are goods again', async () => {
    const { id, variants } = await made('Cesta', {});
    const variantId = variants[0]?.id;
    expect((await patch(id, { isComposite: true })).status).toBe(200);
    expect((await patch(id, { isComposite: false, productType: 'SERVICE' })).status).toBe(200);
    expect(refusal(await receive(variantId))).toEqual([409, 'NOT_KEPT_IN_STOCK']);
    expect((await patch(id, { productType: 'MERCHANDISE' })).status).toBe(200);
    expect((await receive(variantId)).status).toBe(201);
  });

  test('are kept as before where the change is refused', async () => {
    const taken = await made('Sacola', { sku: 'sacola-1' });
    const { id, variants } = await made('Cesta', {});
    const change = { isComposite: true, components: [{ componentVariantId: variants[0]?.id, quantity: 1 }] };
    expect(refusal(await patch(id, { isComposite: true, sku: taken.sku }))).toEqual([409, 'SKU_TAKEN']);
    expect(refusal(await patch(id, change))).toEqual([409, 'KIT_CYCLE']);
    expect((await receive(variants[0]?.id)).status).toBe(201);
  });

  test('hold nothing that came in at the same moment', async () => {
    const products = await Promise.all(Array.from({ length: 8 }, () => made('Cesta', {})));
    const races = products.map(async ({ id, variants }, index) => {
      const change = index % 2 === 0 ? { isComposite: true } : { productType: 'SERVICE' };
      const [changed, received] = await Promise.all([patch(id, change), receive(variants[0]?.id)]);
      return [changed.status, received.status].sort();
    });
    for (const statuses of await Promise.all(races)) expect(['200,409', '201,409']).toContain(statuses.join());
  });
});

describe('the unit of goods', () => {
  test('is put right until they move', async () => {
    const { id, variants } = await made('Fubá', {});
    expect((await patch(id, { saleUnit: 'G' })).body).toMatchObject({ saleUnit: 'G' });
    expect((await patch(id, { saleUnit: 'KG' })).body).toMatchObject({ saleUnit: 'KG' });
    expect((await receive(variants[0]?.id)).status).toBe(201);
  });

  test('stays once they moved, so that what was received is told as it was', async () => {
    const moved = await made('Polvilho', { saleUnit: 'KG', stockQty: 2 });
    const gone = { reason: 'perda', items: [{ variantId: variantOf(moved), quantity: -2 }] };
    await expectOk(store.call('POST', '/stock/adjustments', gone));
    expect(refusal(await patch(moved.id, { saleUnit: 'G', priceCash: 1 }))).toEqual([409, 'UNIT_IN_USE']);
    expect((await patch(moved.id, { saleUnit: 'KG', description: 'Polvilho doce' })).body).toMatchObject({
      saleUnit: 'KG',
      priceCash: 10,
      description: 'Polvilho doce',
    });
  });

  test('stays while an order is going to take them', async () => {
    const [starch, cake] = [await newProduct(store, 'Araruta', { saleUnit: 'KG' }), await newProduct(store, 'Bolo')];
    const items = [{ componentVariantId: starch.variantId, quantity: 1 }];
    const recipe = await newRecipe(store, { name: 'Bolo', finishedVariantId: cake.variantId, items });
    const plan = { recipeId: recipe.id, batches: 1, expectedAt: '2030-01-31' };
    const { id } = (await expectOk(store.call('POST', '/bakery-production/orders/plan', plan))) as { id: string };
    for (const one of [starch, cake]) {
      expect(refusal(await patch(one.id, { saleUnit: 'L' }))).toEqual([409, 'UNIT_IN_USE']);
    }
    await expectOk(store.call('POST', `/bakery-production/orders/${id}/cancel`));
    expect((await patch(starch.id, { saleUnit: 'G' })).status).toBe(200);
  });

  test('changes while none of them can come in', async () => {
    const { id, variants } = await made('Sêmola', { saleUnit: 'KG' });
    const { stock } = world.service.features;
    const known = stock.endKeeping.bind(stock);
    let meanwhile: Answer | undefined;
    jest.spyOn(stock, 'endKeeping').mockImplementationOnce(async (...given) => {
      await known(...given);
      meanwhile = await receive(variants[0]?.id);
    });
    expect((await patch(id, { saleUnit: 'G' })).body).toMatchObject({ saleUnit: 'G' });
    expect(meanwhile && refusal(meanwhile)).toEqual([409, 'NOT_KEPT_IN_STOCK']);
    expect((await receive(variants[0]?.id)).status).toBe(201);
  });

  test('of what has no stock of its own is free', async () => {
    const service = await made('Entrega', { productType: 'SERVICE' });
    await expectOk(
      store.call('POST', '/sales', {
        items: [{ variantId: variantOf(service), quantity: 1, unitPrice: 10 }],
        payments: [{ method: 'CASH', amount: 10 }],
      }),
    );
    expect((await patch(service.id, { saleUnit: 'H' })).body).toMatchObject({ saleUnit: 'H' });
  });
});
