import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loseAnswer } from '../support/lost-answer.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());

let store: StoreClient;
beforeAll(async () => {
  store = await world.newStore();
});

async function made(path: string, body: object): Promise<string> {
  const { status, body: answer, text } = await store.call('POST', path, body);
  if (status !== 201) throw new Error(text);
  return (answer as { id: string }).id;
}

const newProduct = (fields: object) =>
  made('/products', { description: randomUUID(), priceCash: 10, priceCredit: 10, ...fields });

const countOf = async (path: string, id: string): Promise<number> =>
  ((await store.call('GET', `${path}/${id}`)).body as { productCount: number }).productCount;

describe.each([
  ['/categories', (id: string) => ({ categoryId: id }), { categoryId: null }],
  ['/brands', (id: string) => ({ brandId: id }), { brandId: null }],
  ['/product-tags', (id: string) => ({ tagIds: [id] }), { tagIds: [] }],
])('taking a product out of %s', (path, refers, none) => {
  test('leaves the product, without it', async () => {
    const id = await made(path, { name: randomUUID() });
    const productId = await newProduct(refers(id));
    expect(await countOf(path, id)).toBe(1);
    expect((await store.call('DELETE', `${path}/${id}/products/${productId}`)).status).toBe(204);
    expect((await store.call('GET', `/products/${productId}`)).body).toMatchObject(none);
    expect(await countOf(path, id)).toBe(0);
    expect((await store.call('GET', `${path}/${id}/products`)).body).toMatchObject({ items: [], total: 0 });
  });

  test('is after looking for it: what has no letter and no digit finds nothing, an empty text everything', async () => {
    const id = await made(path, { name: randomUUID() });
    await newProduct({ ...refers(id), description: 'Broa de 100 % milho' });
    const total = async (q: string): Promise<number> =>
      ((await store.call('GET', `${path}/${id}/products?q=${encodeURIComponent(q)}`)).body as { total: number }).total;
    expect(await Promise.all(['', ' ', 'bro 100', '%', '!?', 'bolo'].map(total))).toEqual([1, 1, 1, 0, 0, 0]);
  });

  test('is not found twice, nor where it never was', async () => {
    const [id, other] = [await made(path, { name: randomUUID() }), await made(path, { name: randomUUID() })];
    const productId = await newProduct(refers(id));
    const remove = (from: string, what: string) => store.call('DELETE', `${path}/${from}/products/${what}`);
    expect((await remove(other, productId)).status).toBe(404);
    expect((await remove(randomUUID(), productId)).status).toBe(404);
    expect((await remove(id, randomUUID())).status).toBe(404);
    expect((await remove(id, 'nothing')).status).toBe(404);
    expect(await countOf(path, id)).toBe(1);
    expect((await remove(id.toUpperCase(), productId.toUpperCase())).status).toBe(204);
    expect((await remove(id, productId)).status).toBe(404);
  });

  test('minds the entity tag of the product', async () => {
    const id = await made(path, { name: randomUUID() });
    const productId = await newProduct(refers(id));
    const tag = (await store.call('GET', `/products/${productId}`)).headers.get('etag') ?? '';
    await store.call('PATCH', `/products/${productId}`, { active: false });
    const address = `${path}/${id}/products/${productId}`;
    expect((await store.call('DELETE', address, undefined, { 'if-match': tag })).status).toBe(412);
    expect((await store.call('DELETE', address, undefined, { 'if-match': '*' })).status).toBe(204);
  });

  test('does not bring back what is deleted', async () => {
    const id = await made(path, { name: randomUUID() });
    const productId = await newProduct(refers(id));
    await store.call('DELETE', `${path}/${id}`);
    expect((await store.call('DELETE', `${path}/${id}/products/${productId}`)).status).toBe(404);
    expect((await store.call('GET', `/products/${productId}`)).body).toMatchObject(none);
    const next = await made(path, { name: randomUUID() });
    expect((await store.call('PATCH', `/products/${productId}`, refers(next))).status).toBe(200);
    expect(await countOf(path, next)).toBe(1);
  });
});

test.each([
  ['/categories', (id: string) => ({ categoryId: id }), 'unlinkedProducts'],
  ['/product-tags', (id: string) => ({ tagIds: [id] }), 'untaggedProducts'],
])('a bulk deletion of %s says how many products it leaves without', async (path, refers, counted) => {
  const ids = [await made(path, { name: randomUUID() }), await made(path, { name: randomUUID() })];
  const products = await Promise.all([0, 0, 1].map((index) => newProduct(refers(ids[index] ?? ''))));
  const { body } = await store.call('POST', `${path}/bulk-delete`, { ids: [...ids, randomUUID()] });
  expect(body).toEqual({ deleted: 2, [counted]: 3 });
  expect((await store.call('GET', `/products/${products[2] ?? ''}`)).body).toMatchObject({
    categoryId: null,
    tagIds: [],
  });
});

test('a bulk deletion of tags counts a product once, however many of them it has', async () => {
  const ids = [
    await made('/product-tags', { name: randomUUID() }),
    await made('/product-tags', { name: randomUUID() }),
  ];
  await Promise.all([newProduct({ tagIds: ids }), newProduct({ tagIds: ids.slice(1) })]);
  const { body } = await store.call('POST', '/product-tags/bulk-delete', { ids });
  expect(body).toEqual({ deleted: 2, untaggedProducts: 2 });
});

test.each([
  ['/categories', (id: string) => ({ categoryId: id })],
  ['/product-tags', (id: string) => ({ tagIds: [id] })],
])('a bulk deletion of %s whose answer is lost says it again', async (path, refers) => {
  const ids = [await made(path, { name: randomUUID() }), await made(path, { name: randomUUID() })];
  await Promise.all([0, 0, 1].map((index) => newProduct(refers(ids[index] ?? ''))));
  const { first, repeat } = await loseAnswer(world, store, 'POST', `${path}/bulk-delete`, { ids });
  expect((await repeat()).body).toEqual(first.body);
});

describe("applying a category's NCM", () => {
  const apply = (id: string) => store.call('POST', `/categories/${id}/apply-ncm`);
  const ncmOf = async (id: string): Promise<string | null> =>
    ((await store.call('GET', `/products/${id}`)).body as { ncm: string | null }).ncm;

  test('gives it to merchandise without a valid one alone', async () => {
    const categoryId = await made('/categories', { name: 'Pães', defaultNcm: '19059090' });
    const [none, zeros, chapter, valid, service, elsewhere] = await Promise.all([
      newProduct({ categoryId }),
      newProduct({ categoryId, ncm: '00000000' }),
      newProduct({ categoryId, ncm: '98010000' }),
      newProduct({ categoryId, ncm: '21069090' }),
      newProduct({ categoryId, productType: 'SERVICE' }),
      newProduct({}),
    ]);
    const first = await apply(categoryId);
    expect([first.status, first.body]).toEqual([200, { updated: 3, skipped: 2 }]);
    expect(await Promise.all([none, zeros, chapter, valid, service, elsewhere].map(ncmOf))).toEqual([
      '19059090',
      '19059090',
      '19059090',
      '21069090',
      null,
      null,
    ]);
    expect((await apply(categoryId)).body).toEqual({ updated: 0, skipped: 5 });
  });

  test('goes through a large category page by page', async () => {
    const categoryId = await made('/categories', { name: 'Grande', defaultNcm: '19059090' });
    await Promise.all(Array.from({ length: 205 }, () => newProduct({ categoryId })));
    expect((await apply(categoryId)).body).toEqual({ updated: 205, skipped: 0 });
  });

  test.each([null, '00000000', '77010000'])('is refused when that is %s', async (defaultNcm) => {
    const categoryId = await made('/categories', { name: randomUUID(), defaultNcm });
    const productId = await newProduct({ categoryId });
    const { status, body } = await apply(categoryId);
    expect([status, body.code]).toEqual([409, 'DEFAULT_NCM_MISSING']);
    expect(await ncmOf(productId)).toBeNull();
  });

  test('of no category is not found', async () => {
    expect((await apply(randomUUID())).status).toBe(404);
  });
});
