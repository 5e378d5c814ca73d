import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KitEvent, ProductEvent, ProductFields, Variant } from '../../src/features/products/events.js';
import { kitEvents, productEvents } from '../../src/features/products/events.js';
import { productAnswer } from '../../src/features/products/answers.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { productChanged, productCreated, productDeleted, variantOf } from '../support/product-events.js';
import { recordFacts } from '../support/recorded-facts.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());

const record = (store: StoreClient, id: string, ...facts: ProductEvent[]) =>
  recordFacts(world, store, { category: 'product', id, events: productEvents }, facts);

let lastGtin = 0;
const gtin = (): string => String(++lastGtin).padStart(13, '2');

/** A product of a store, with one variant unless others are named. */
async function newProduct(store: StoreClient, fields: Partial<ProductFields>, variants?: readonly Variant[]) {
  const id = randomUUID();
  await record(store, id, productCreated(id, fields, variants ?? [variantOf(randomUUID(), { gtin: gtin() })]));
  return id;
}

const newNamed = async (store: StoreClient, path: string, name: string, more: object = {}): Promise<string> =>
  ((await store.call('POST', path, { name, ...more })).body as { id: string }).id;

interface Item {
  readonly id: string;
  readonly description: string;
}

const described = ({ body }: Answer): string[] =>
  (body as { items: Item[] }).items.map(({ description }) => description);

const zero = Decimal.zero;

describe('the list of products', () => {
  let store: StoreClient;
  const names = ['Água Mineral', 'Bolo de Cenoura', 'Conserto de forno', 'Pão de Açúcar', 'Pão Francês', 'Velho'];

  beforeAll(async () => {
    store = await world.newStore();
    const [agua, bolo, conserto, acucar, frances, velho] = names;
    await newProduct(store, { description: frances ?? '', sku: 'PAO-001' });
    await newProduct(store, { description: agua ?? '' }, [variantOf(randomUUID(), { gtin: '07891000100103' })]);
    await newProduct(store, { description: velho ?? '', active: false, priceCredit: zero });
    await newProduct(store, { description: conserto ?? '', productType: 'SERVICE', priceCredit: zero });
    await newProduct(store, { description: acucar ?? '', priceCredit: zero });
    const sizes = ['P', 'M', 'G'].map((label) =>
      variantOf(randomUUID(), { label, gtin: gtin(), sku: `BOLO-${label}` }),
    );
    await newProduct(store, { description: bolo ?? '' }, sizes);
  });

  const list = (query = '') => store.call('GET', `/products${query}`);

  test('is ordered by description, whatever case and accents, and gives whole records', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(described(answer)).toEqual(names);
    const { items, ...rest } = answer.body as { items: object[] };
    for (const item of items) expect(productAnswer.strict().parse(item)).toEqual(item);
    expect(rest).toEqual({
      page: 1,
      take: 100,
      total: 6,
      inactiveCount: 1,
      missingCreditCount: 2,
      summary: { productCount: 6, variantCount: 8, stockQty: 0 },
    });
  });

  test.each([
    ['active=true', [0, 1, 2, 3, 4], 5, 7],
    ['active=0', [5], 1, 1],
    ['productType=SERVICE', [2], 1, 1],
    ['productType=MERCHANDISE', [0, 1, 3, 4, 5], 5, 7],
    ['productType=MERCHANDISE&active=1', [0, 1, 3, 4], 4, 6],
    ['needsCreditPrice=true', [3, 5], 6, 8],
    ['needsCreditPrice=true&active=true', [3], 5, 7],
    ['needsCreditPrice=true&productType=SERVICE', [], 1, 1],
    ['needsCreditPrice=false', [0, 1, 2, 3, 4, 5], 6, 8],
  ])('takes %s', async (query, found, productCount, variantCount) => {
    const answer = await list(`?${query}`);
    expect(described(answer)).toEqual(found.map((index) => names[index]));
    expect(answer.body).toMatchObject({
      total: found.length,
      inactiveCount: 1,
      missingCreditCount: 2,
      summary: { productCount, variantCount },
    });
  });

  test.each([
    ['pao', [3, 4]],
    ['PÃO fran', [4]],
    ['fran pao', [4]],
    ['rances', []],
    ['acucar', [3]],
    ['PAO-001', [4]],
    ['bolo-g', [1]],
    ['7891000100103', [0]],
    ['07891000100103', [0]],
    ['0007891000100103', [0]],
    ['', [0, 1, 2, 3, 4, 5]],
  ])('finds %s', async (q, found) => {
    const answer = await list(`?q=${encodeURIComponent(q)}`);
    expect(described(answer)).toEqual(found.map((index) => names[index]));
    expect(answer.body).toMatchObject({ total: found.length, summary: { productCount: 6 } });
  });

  test('is narrowed to a category, a brand and a tag, together with whatever else is asked', async () => {
    const shop = await world.newStore();
    const [categoryId, brandId, tagId] = await Promise.all([
      newNamed(shop, '/categories', 'Doces'),
      newNamed(shop, '/brands', 'Da Vovó'),
      newNamed(shop, '/product-tags', 'Festa'),
    ]);
    await newProduct(shop, { description: 'Brigadeiro', categoryId, brandId, tagIds: [tagId] });
    await newProduct(shop, { description: 'Beijinho', categoryId, tagIds: [tagId] });
    await newProduct(shop, { description: 'Beijinho antigo', categoryId, active: false });
    const found = async (query: string) => described(await shop.call('GET', `/products${query}`));
    expect(await found(`?categoryId=${categoryId}`)).toEqual(['Beijinho', 'Beijinho antigo', 'Brigadeiro']);
    expect(await found(`?categoryId=${categoryId}&active=true`)).toEqual(['Beijinho', 'Brigadeiro']);
    expect(await found(`?brandId=${brandId}`)).toEqual(['Brigadeiro']);
    expect(await found(`?tagId=${tagId}&categoryId=${categoryId}&q=bei`)).toEqual(['Beijinho']);
    expect(await found(`?tagId=${tagId}&q=...`)).toEqual([]);
    expect(await found(`?categoryId=${randomUUID()}`)).toEqual([]);
    await shop.call('DELETE', `/categories/${categoryId}`);
    await shop.call('DELETE', `/brands/${brandId}`);
    await shop.call('DELETE', `/product-tags/${tagId}`);
    for (const gone of [`categoryId=${categoryId}`, `brandId=${brandId}`, `tagId=${tagId}`]) {
      expect(await found(`?${gone}`)).toEqual([]);
    }
  });

  test('comes in pages with the real total', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?take=2&page=${String(page)}`)));
    expect(pages.flatMap(described)).toEqual(names);
    expect(pages.map(({ body }) => (body as { total: number }).total)).toEqual([6, 6, 6, 6]);
    expect(pages[3]?.body).toMatchObject({ items: [], page: 4, take: 2, summary: { productCount: 6 } });
    const found = await list('?q=pao&take=1&page=2');
    expect([described(found), (found.body as { total: number }).total]).toEqual([['Pão Francês'], 2]);
  });

  test.each([
    'take=0',
    'take=101',
    'take=-1',
    'take=1e1',
    'page=0',
    'page=x',
    'page=1000001',
    'take=',
    'active=yes',
    'productType=service',
    'productType=',
    'needsCreditPrice=2',
    'other=1',
    `q=${'a'.repeat(201)}`,
    'q=%00',
  ])('refuses %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  test.each(['.', '--', '( )', '´'])('are none when asked for signs alone: %s', async (q) => {
    expect((await list(`?q=${encodeURIComponent(q)}`)).body).toMatchObject({ items: [], total: 0 });
  });

  test.each(['take=1', 'take=100', 'page=1000000', `q=${'a'.repeat(200)}`, 'q=%22%2a%28', "q='--"])(
    'takes %s',
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(200);
    },
  );

  test('belongs to its store', async () => {
    const other = await world.newStore();
    expect((await other.call('GET', '/products')).body).toEqual({
      items: [],
      page: 1,
      take: 100,
      total: 0,
      inactiveCount: 0,
      missingCreditCount: 0,
      summary: { productCount: 0, variantCount: 0, stockQty: 0 },
    });
  });
});

describe('a product', () => {
  let store: StoreClient;
  beforeAll(async () => {
    store = await world.newStore();
  });

  test('comes with an entity tag that follows its own changes', async () => {
    const id = await newProduct(store, { description: 'Antes' });
    const before = await store.call('GET', `/products/${id.toUpperCase()}`);
    expect([before.status, before.body.description]).toEqual([200, 'Antes']);
    await record(store, id, productChanged(id, { description: 'Depois' }, { description: 'Antes' }));
    const after = await store.call('GET', `/products/${id}`);
    expect(after.body.description).toBe('Depois');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test.each([randomUUID(), 'not-an-id', 'description-matches'])('%s is not found', async (id) => {
    expect((await store.call('GET', `/products/${id}`)).status).toBe(404);
  });

  test('names only what still lives', async () => {
    const [gone, lives] = await Promise.all([
      newNamed(store, '/categories', 'Some'),
      newNamed(store, '/categories', 'Fica'),
    ]);
    const brandId = await newNamed(store, '/brands', 'Some');
    const tagIds = [await newNamed(store, '/product-tags', 'Some'), await newNamed(store, '/product-tags', 'Fica')];
    const first = await newProduct(store, { categoryId: gone, brandId, tagIds });
    const second = await newProduct(store, { categoryId: lives, brandId: null, tagIds });
    await store.call('DELETE', `/categories/${gone}`);
    await store.call('DELETE', `/brands/${brandId}`);
    await store.call('DELETE', `/product-tags/${tagIds[0] ?? ''}`);
    expect((await store.call('GET', `/products/${first}`)).body).toMatchObject({
      categoryId: null,
      brandId: null,
      tagIds: [tagIds[1]],
    });
    expect((await store.call('GET', `/products/${second}`)).body).toMatchObject({
      categoryId: lives,
      tagIds: [tagIds[1]],
    });
  });

  test('keeps whatever its texts hold', async () => {
    const description = '"Pão",\\"variants\\":[{"id":"x"}] {"id":" ,"variants":[{"id":"';
    const label = '{"id":"a","variants":[';
    const id = await newProduct(store, { description, catalogDescription: description }, [
      variantOf(randomUUID(), { label, gtin: gtin() }),
      variantOf(randomUUID(), { label: description, gtin: gtin() }),
    ]);
    const { body } = await store.call('GET', `/products/${id}`);
    expect(productAnswer.strict().parse(body)).toMatchObject({
      description,
      catalogDescription: description,
      variants: [{ label }, { label: description }],
    });
  });

  test('that is a kit shows its parts', async () => {
    const part = await newProduct(store, { description: 'Parte' });
    const variantId = randomUUID();
    const kit = await newProduct(store, { isComposite: true, expectedComponentCount: 2 });
    const components = [
      { componentVariantId: variantId, componentProductId: part, quantity: Decimal.from('1.5'), parentVariantId: null },
    ];
    const replaced: KitEvent = { type: 'KitComponentsReplaced', data: { productId: kit, components } };
    await recordFacts(world, store, { category: 'kits', events: kitEvents }, [replaced]);
    expect((await store.call('GET', `/products/${kit}`)).body).toMatchObject({
      isComposite: true,
      components: [{ componentVariantId: variantId, quantity: 1.5, parentVariantId: null }],
      componentsComplete: false,
      stockQty: 0,
    });
    expect((await store.call('GET', `/products/${part}`)).body).toMatchObject({
      components: [],
      componentsComplete: true,
    });
  });
});

describe('a description', () => {
  let store: StoreClient;
  let id: string;
  beforeAll(async () => {
    store = await world.newStore();
    id = await newProduct(store, { description: 'Pão  de Queijo' });
  });
  const match = (query: Record<string, string>) =>
    store.call('GET', `/products/description-match?${new URLSearchParams(query).toString()}`);

  test.each(['Pão de Queijo', 'PAO DE QUEIJO', ' pão   de queijo '])('is known as %s', async (description) => {
    const { status, body } = await match({ description });
    expect([status, body]).toEqual([200, { exists: true, match: { id, description: 'Pão  de Queijo' } }]);
  });

  test('is not known by a part of it', async () => {
    expect((await match({ description: 'Pão de' })).body).toEqual({ exists: false });
  });

  test('is no duplicate of the product that is being edited', async () => {
    expect((await match({ description: 'Pão de Queijo', excludeId: id })).body).toEqual({ exists: false });
    const twin = await newProduct(store, { description: 'pao de queijo' });
    const answers = await Promise.all(
      [id, twin].map((excludeId) => match({ description: 'Pão de Queijo', excludeId })),
    );
    expect(answers.map(({ body }) => (body as { match: { id: string } }).match.id)).toEqual([twin, id]);
    await record(store, twin, productDeleted(twin));
  });

  test('is looked for in its store alone', async () => {
    const other = await world.newStore();
    const answer = await other.call('GET', '/products/description-match?description=P%C3%A3o%20de%20Queijo');
    expect(answer.body).toEqual({ exists: false });
  });

  test.each([
    {},
    { description: '' },
    { description: 'a', excludeId: 'x' },
    { description: 'a'.repeat(201) },
    { d: 'a' },
  ])('is not looked for by %j', async (query: Record<string, string>) => {
    expect((await match(query)).status).toBe(400);
  });
});

describe.each([
  ['/categories', (id: string) => ({ categoryId: id })],
  ['/brands', (id: string) => ({ brandId: id })],
  ['/product-tags', (id: string) => ({ tagIds: [id] })],
])('the products of %s', (path, refers) => {
  let store: StoreClient;
  let id: string;
  beforeAll(async () => {
    store = await world.newStore();
    id = await newNamed(store, path, 'Pães');
    const other = await newNamed(store, path, 'Bolos');
    const names = Array.from({ length: 11 }, (_, index) => `Pão ${String(index + 10)}`);
    await Promise.all(names.map((description) => newProduct(store, { description, ...refers(id) })));
    await newProduct(store, { description: 'Água', sku: 'H2O', ...refers(id) });
    await newProduct(store, { description: 'Pão de Ló', ...refers(other) });
  });
  const list = (query = '') => store.call('GET', `${path}/${id}/products${query}`);

  test('come ten at a time', async () => {
    const [first, second] = [await list(), await list('?page=2')];
    expect(described(first)).toEqual(['Água', ...Array.from({ length: 9 }, (_, index) => `Pão ${String(index + 10)}`)]);
    expect(described(second)).toEqual(['Pão 19', 'Pão 20']);
    expect([first.body, second.body]).toMatchObject([
      { page: 1, take: 10, total: 12 },
      { page: 2, take: 10, total: 12 },
    ]);
  });

  test('are found by name and by code', async () => {
    expect(described(await list('?q=pao%2019'))).toEqual(['Pão 19']);
    expect((await list('?q=pao&take=1')).body).toMatchObject({ total: 11, take: 1 });
    expect(described(await list('?q=h2o'))).toEqual(['Água']);
    expect((await list('?q=lo')).body).toMatchObject({ items: [], total: 0 });
  });

  test('are counted beside it', async () => {
    expect((await store.call('GET', `${path}/${id}`)).body.productCount).toBe(12);
  });

  test.each(['take=0', 'take=101', 'page=0', 'active=true', 'q=%01'])('are not listed by %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  test('of what is unknown are not found', async () => {
    expect((await store.call('GET', `${path}/${randomUUID()}/products`)).status).toBe(404);
    expect((await store.call('GET', `${path}/nothing/products`)).status).toBe(404);
  });
});
