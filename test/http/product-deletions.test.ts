import { afterAll, expect, jest, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { expectOk, refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Products and variants whose deletion is refused at the last moment can be sold as before. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const ROUNDS = Array.from({ length: 6 }, (_, index) => index);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

const received = async (variantId: string) =>
  (await store.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 1, unitCost: 1 }] })).status;

async function withTwoVariants(description: string): Promise<ProductAnswer> {
  const body = { description, priceCash: 1, priceCredit: 1, variants: [{ label: 'P' }, { label: 'M' }] };
  return (await expectOk(store.call('POST', '/products', body))) as ProductAnswer;
}

test.each(ROUNDS)('a product that was changed meanwhile (%i)', async () => {
  const { id, variantId } = await plainProduct(store, 'Broa');
  const etag = (await store.call('GET', `/products/${id}`)).headers.get('etag') ?? '';
  const answers = await Promise.all([
    store.call('PATCH', `/products/${id}`, { priceCash: 2 }),
    store.call('DELETE', `/products/${id}`, undefined, { 'if-match': etag }),
  ]);
  const isThere = (await store.call('GET', `/products/${id}`)).status === 200;
  expect(statuses(answers)).toEqual(isThere ? [200, 412] : [404, 204]);
  expect(await received(variantId)).toBe(isThere ? 201 : 404);
});

/** Adds a variant with goods right behind what a request does to the stock of those that it knows. */
function addingMeanwhile(id: string, step: 'retire' | 'endKeeping') {
  const { stock } = world.service.features;
  const known = stock[step].bind(stock);
  jest.spyOn(stock, step).mockImplementationOnce(async (...given) => {
    await known(...given);
    await expectOk(store.call('POST', `/products/${id}/variants`, { label: 'Nova', stockQty: 3 }));
  });
}

test('a product that gets another variant with goods meanwhile', async () => {
  const { id, variantId } = await plainProduct(store, 'Rosca');
  addingMeanwhile(id, 'retire');
  const answer = await store.call('DELETE', `/products/${id}`);
  expect(refusal(answer)).toEqual([409, 'PRODUCT_IN_USE']);
  const left = (await expectOk(store.call('GET', `/products/${id}`))) as ProductAnswer;
  expect(left.variants.map(({ stockQty }) => stockQty)).toEqual([0, 3]);
  expect(await received(variantId)).toBe(201);
});

test.each([
  [{ productType: 'SERVICE' }, 'PRODUCT_HAS_MOVED'],
  [{ isComposite: true }, 'PRODUCT_HAS_MOVED'],
  [{ saleUnit: 'KG' }, 'UNIT_IN_USE'],
])(
  'a product that gets goods meanwhile becomes neither a service nor a kit, and keeps its unit: %j',
  async (change, code) => {
    const { id, variantId } = await plainProduct(store, 'Trança');
    addingMeanwhile(id, 'endKeeping');
    const answer = await store.call('PATCH', `/products/${id}`, change);
    expect(refusal(answer)).toEqual([409, code]);
    expect(await received(variantId)).toBe(201);
  },
);

test.each(ROUNDS)('the last of two variants that were deleted at once (%i)', async () => {
  const { id, variants } = await withTwoVariants('Sonho');
  const answers = await Promise.all(
    variants.map((variant) => store.call('DELETE', `/products/${id}/variants/${variant.id}`)),
  );
  expect(statuses(answers).sort()).toEqual([204, 409]);
  const left = (await expectOk(store.call('GET', `/products/${id}`))) as ProductAnswer;
  expect(left.variants).toHaveLength(1);
  expect(await received(left.variants[0]?.id ?? '')).toBe(201);
});

test.each(ROUNDS)('one that becomes part of a kit meanwhile (%i)', async () => {
  const [part, kit] = [await plainProduct(store, 'Doce'), await plainProduct(store, 'Cesta')];
  const components = [{ componentVariantId: part.variantId, quantity: 1 }];
  const [deleted, changed] = await Promise.all([
    store.call('DELETE', `/products/${part.id}`),
    store.call('PATCH', `/products/${kit.id}`, { isComposite: true, components }),
  ]);
  const isThere = (await store.call('GET', `/products/${part.id}`)).status === 200;
  expect([deleted.status, changed.status]).not.toEqual([204, 200]);
  expect(deleted.status).toBe(isThere ? 409 : 204);
  expect(await received(part.variantId)).toBe(isThere ? 201 : 404);
});

test.each(ROUNDS)('a new kit of which a part is deleted meanwhile is none (%i)', async () => {
  const part = await plainProduct(store, 'Geleia');
  const components = [{ componentVariantId: part.variantId, quantity: 1 }];
  const kit = {
    description: 'Cesta nova',
    priceCash: 1,
    priceCredit: 1,
    sku: `cesta-${part.id.slice(-12)}`,
    components,
  };
  const [deleted, created] = await Promise.all([
    store.call('DELETE', `/products/${part.id}`),
    store.call('POST', '/products', kit),
  ]);
  const isThere = (await store.call('GET', `/products/${part.id}`)).status === 200;
  expect(deleted.status).toBe(isThere ? 409 : 204);
  expect([deleted.status, created.status]).not.toEqual([204, 201]);
  expect(await received(part.variantId)).toBe(isThere ? 201 : 404);
  if (created.status === 201) return;
  const { status } = await store.call('POST', '/products', { ...kit, components: [] });
  expect(status).toBe(201);
});

test('a recipe that names a deleted product serves no order, and says where it is named when it is changed', async () => {
  const [yeast, bread] = [await plainProduct(store, 'Fermento'), await plainProduct(store, 'Pão')];
  const items = [{ componentVariantId: yeast.variantId, quantity: 1 }];
  const body = { name: 'Pão', finishedVariantId: bread.variantId, items };
  const { id: recipeId } = (await expectOk(store.call('POST', '/bakery-production/recipes', body))) as { id: string };
  expect((await store.call('DELETE', `/products/${yeast.id}`)).status).toBe(204);
  const ordered = await store.call('POST', '/bakery-production/orders', { recipeId, batches: 1 });
  const gone = { path: 'recipeId', message: 'names a recipe with a product that was deleted' };
  expect([ordered.status, ordered.body.errors]).toEqual([404, [gone]]);
  const changed = await store.call('PUT', `/bakery-production/recipes/${recipeId}`, { yieldQty: 2 });
  expect([changed.status, changed.body.errors]).toMatchObject([404, [{ path: 'items[0].componentVariantId' }]]);
});
