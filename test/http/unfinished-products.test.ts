import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { partsOf } from '../../src/features/products/domain/kits.js';
import { inventory } from '../../src/features/inventory/decider.js';
import { kits } from '../../src/features/products/kit-decider.js';
import { expectOk, refusal } from '../support/people.js';
import { until } from '../support/until.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { callService, openWorld } from '../support/world.js';

/**
 * A product's stock and its parts stand in streams of their own. Here the process ends in the middle of requests that write to several of
 * them; some time later the service runs again, and nobody asks for the same once more.
 */

type IsLast = (command: { readonly type: string }, stream: string) => boolean;

interface Cut {
  readonly product: ProductAnswer;
  readonly etag: string | null;
  /** The request that was cut off. */
  again(client: StoreClient): Promise<Answer>;
}

let made = 0;
const unique = (): string => `inacabado-${String(++made)}`;

let dying: World;
let before: StoreClient;

/** Nothing is recorded any more from a command on. */
async function cutOffAt(isLast: IsLast, ask: () => Promise<Answer>): Promise<void> {
  const { lanes } = dying.service.core;
  const execute = lanes.execute.bind(lanes);
  let hasDied = false;
  const dies = jest.spyOn(lanes, 'execute').mockImplementation((type, stream, command, envelope) => {
    hasDied ||= isLast(command as { readonly type: string }, stream);
    if (hasDied) return Promise.reject(new Error('the process has ended'));
    return execute(type, stream, command, envelope);
  });
  try {
    expect((await ask()).status).toBe(500);
  } finally {
    dies.mockRestore();
  }
}

const newProduct = async (body: object = {}): Promise<ProductAnswer> => {
  const asked = { description: unique(), priceCash: 1, priceCredit: 1, managerialCost: 1, ...body };
  return (await expectOk(before.call('POST', '/products', asked))) as ProductAnswer;
};

const variantOf = ({ variants }: ProductAnswer): string => variants[0]?.id ?? '';
const componentsOf = (part: ProductAnswer, quantity = 1) => [{ componentVariantId: variantOf(part), quantity }];

/** Of a product that is there: a request on it that is cut off at a command. */
async function cut(product: ProductAnswer, [method, path, body]: readonly [string, string, object?], isLast: IsLast) {
  const etag = (await before.call('GET', `/products/${product.id}`)).headers.get('etag');
  const headers = { 'idempotency-key': randomUUID() };
  const again = (client: StoreClient) => client.call(method, `/products/${product.id}${path}`, body, headers);
  await cutOffAt(isLast, () => again(before));
  return { product, etag, again };
}

/** Of a new product, which is found by its SKU. */
async function cutNew(body: object, isLast: IsLast) {
  const sku = unique();
  const asked = { description: sku, sku, priceCash: 1, priceCredit: 1, managerialCost: 2, ...body };
  const headers = { 'idempotency-key': randomUUID() };
  const again = (client: StoreClient) => client.call('POST', '/products', asked, headers);
  await cutOffAt(isLast, () => again(before));
  return { sku, again };
}

const ofType =
  (...types: readonly string[]): IsLast =>
  ({ type }) =>
    types.includes(type);
const inKits: IsLast = (_, stream) => stream.startsWith('kits-');
const inProduct =
  ({ id }: ProductAnswer): IsLast =>
  (_, stream) =>
    stream.endsWith(id);

const SERVICE = { productType: 'SERVICE' };
const GOODS = { productType: 'MERCHANDISE' };

/** In a store each: what is wrong with one must not be what is wrong with another. */
async function cutRequests() {
  const [part, otherPart] = [await newProduct(), await newProduct()];
  const components = componentsOf(part);
  const plain = async (request: readonly [string, string, object?], isLast?: IsLast) => {
    const product = await newProduct();
    return cut(product, request, isLast ?? inProduct(product));
  };
  const grid = await newProduct({ variants: [{ label: 'P' }, { label: 'M' }] });
  const kit = await newProduct({ components });
  const changedKit = await newProduct({ components });
  const service = await newProduct();
  await expectOk(before.call('PATCH', `/products/${service.id}`, SERVICE));
  const withVariant = await newProduct();
  return {
    part,
    otherPart,
    deletion: await plain(['DELETE', '']),
    repeatedDeletion: await plain(['DELETE', '']),
    variantDeletion: await cut(grid, ['DELETE', `/variants/${variantOf(grid)}`], inProduct(grid)),
    becomingService: await plain(['PATCH', '', SERVICE]),
    repeatedService: await plain(['PATCH', '', SERVICE]),
    otherUnit: await plain(['PATCH', '', { saleUnit: 'KG' }]),
    otherUnitDone: await plain(['PATCH', '', { saleUnit: 'KG' }], ofType('resumeKeeping')),
    becomingGoods: await cut(service, ['PATCH', '', GOODS], ofType('resumeKeeping', 'letIn')),
    becomingKit: await plain(['PATCH', '', { components }]),
    repeatedKit: await plain(['PATCH', '', { components }]),
    kitDeletion: await cut(kit, ['DELETE', ''], inKits),
    otherParts: await cut(changedKit, ['PATCH', '', { components: componentsOf(otherPart, 7) }], inProduct(changedKit)),
    newKit: await cutNew({ components }, inKits),
    newGoods: await cutNew({ stockQty: 5 }, ofType('open')),
    countedGoods: await cutNew({ stockQty: 5 }, ofType('open')),
    newVariant: await cut(withVariant, ['POST', '/variants', { label: 'G', stockQty: 3 }], ofType('open')),
  };
}

let later: World;
let store: StoreClient;
let cuts: Awaited<ReturnType<typeof cutRequests>>;

beforeAll(async () => {
  dying = await openWorld();
  before = await dying.newStore();
  cuts = await cutRequests();
  const counted = (await before.call('GET', `/products?q=${cuts.countedGoods.sku}`)).body.items as ProductAnswer[];
  const items = counted.map((one) => ({ variantId: variantOf(one), quantity: 4, unitCost: 1 }));
  await expectOk(before.call('POST', '/stock/adjustments', { reason: 'contagem', items }));
  await dying.close('keep');
  later = await openWorld({ dataDir: dying.dataDir, clock: { now: () => Date.now() + 120_000 } });
  // By the same key, whose requests a repeat is one of.
  const credential = { authorization: `Bearer ${before.key}`, 'x-store-slug': before.slug };
  const call: StoreClient['call'] = (method, path, body, headers) =>
    callService(later.url + path, method, body, { ...credential, ...headers });
  store = { ...before, call };
  await until('all that was begun was looked at', async () => {
    const rows = await later.service.core.engines.vault.list('product-changes', { limit: 1 });
    return rows.length === 0;
  });
});
afterAll(() => later.close());

const received = async (variantId: string) =>
  (await store.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 1, unitCost: 1 }] })).status;

const found = async ({ product }: Cut) =>
  (await expectOk(store.call('GET', `/products/${product.id}`))) as ProductAnswer;

async function foundBySku({ sku }: { readonly sku: string }): Promise<ProductAnswer> {
  const { body } = await store.call('GET', `/products?q=${sku}`);
  const [first] = (body as { readonly items: readonly ProductAnswer[] }).items;
  if (!first) throw new Error(`there is no ${sku}`);
  return (await expectOk(store.call('GET', `/products/${first.id}`))) as ProductAnswer;
}

const partsInStream = async (productId: string): Promise<number> => {
  const { parts } = await later.service.features.contextOf(store.storeId).current(kits);
  return partsOf(parts, productId).length;
};

const asKit = (part: ProductAnswer) =>
  store.call('POST', '/products', {
    description: unique(),
    priceCash: 1,
    priceCredit: 1,
    components: componentsOf(part),
  });

describe('when the process ended in the middle of', () => {
  test('the deletion of a product, it is there and its goods move', async () => {
    const { variants } = await found(cuts.deletion);
    expect(await received(variants[0]?.id ?? '')).toBe(201);
  });

  test('the deletion of a variant, it is there and its goods move', async () => {
    const { variants } = await found(cuts.variantDeletion);
    expect(await received(variants[0]?.id ?? '')).toBe(201);
  });

  test('the change of goods to a service, they are goods that move and that kits take', async () => {
    const product = await found(cuts.becomingService);
    expect(product.productType).toBe('MERCHANDISE');
    expect((await asKit(product)).status).toBe(201);
    expect(await received(variantOf(product))).toBe(201);
  });

  test('the change of a service to goods, they are goods that move and that kits take', async () => {
    const product = await found(cuts.becomingGoods);
    expect(product.productType).toBe('MERCHANDISE');
    expect((await asKit(product)).status).toBe(201);
    expect(await received(variantOf(product))).toBe(201);
  });

  test('the change of goods to a kit, they are goods that move and have no parts', async () => {
    const product = await found(cuts.becomingKit);
    expect(product.isComposite).toBe(false);
    expect(await partsInStream(product.id)).toBe(0);
    expect(await received(variantOf(product))).toBe(201);
  });

  test('the change of the unit, they move in the one that the product says', async () => {
    const [before, after] = [await found(cuts.otherUnit), await found(cuts.otherUnitDone)];
    expect([before.saleUnit, after.saleUnit]).toEqual(['UN', 'KG']);
    for (const one of [before, after]) expect(await received(variantOf(one))).toBe(201);
  });

  test('the deletion of a kit, its parts are forgotten', async () => {
    const { product } = cuts.kitDeletion;
    expect((await store.call('GET', `/products/${product.id}`)).status).toBe(404);
    expect(await partsInStream(product.id)).toBe(0);
  });

  test('the change of the parts of a kit, it has other parts and another entity tag', async () => {
    const { product, etag } = cuts.otherParts;
    const answer = await store.call('GET', `/products/${product.id}`);
    expect(answer.body).toMatchObject({ components: [{ componentVariantId: variantOf(cuts.otherPart), quantity: 7 }] });
    expect(answer.headers.get('etag')).not.toBe(etag);
  });

  test('the creation of a kit, it has its parts', async () => {
    const { components } = await foundBySku(cuts.newKit);
    expect(components).toMatchObject([{ componentVariantId: variantOf(cuts.part), quantity: 1 }]);
  });

  test('the creation of a product or a variant with goods, they are there', async () => {
    expect(await foundBySku(cuts.newGoods)).toMatchObject({ stockQty: 5, averageCost: 2 });
    expect((await found(cuts.newVariant)).variants.map(({ stockQty }) => stockQty)).toEqual([0, 3]);
  });

  test('the creation of a product with goods that somebody has counted since, what was counted is there', async () => {
    expect(await foundBySku(cuts.countedGoods)).toMatchObject({ stockQty: 4 });
  });
});

describe('when the same is asked for once more with its key after all,', () => {
  test('a deletion is one', async () => {
    const { product, again } = cuts.repeatedDeletion;
    expect((await again(store)).status).toBe(204);
    expect((await store.call('GET', `/products/${product.id}`)).status).toBe(404);
    const { retired } = later.service.features.stock;
    const ids = [variantOf(product)];
    expect(
      await retired.call(later.service.features.stock, later.service.features.contextOf(store.storeId), ids),
    ).toEqual(ids);
  });

  test('a service is one, which has no goods and is in no kit', async () => {
    const { again } = cuts.repeatedService;
    const answer = await again(store);
    expect(answer.body).toMatchObject(SERVICE);
    const product = answer.body as ProductAnswer;
    expect(refusal(await asKit(product))[0]).toBeGreaterThanOrEqual(400);
    // It is said already, so that nobody who read the product before can move its goods.
    const { unkept } = await later.service.features.contextOf(store.storeId).current(inventory);
    expect(unkept.has(variantOf(product))).toBe(true);
  });

  test('a product or a variant has the goods once that it was to have', async () => {
    expect((await cuts.newGoods.again(store)).status).toBe(201);
    expect(await foundBySku(cuts.newGoods)).toMatchObject({ stockQty: 5, averageCost: 2 });
    expect((await cuts.newVariant.again(store)).status).toBe(201);
    expect((await found(cuts.newVariant)).variants.map(({ stockQty }) => stockQty)).toEqual([0, 3]);
  });

  test('a kit is one, with its parts', async () => {
    const { again } = cuts.repeatedKit;
    expect((await again(store)).body).toMatchObject({
      isComposite: true,
      components: [{ componentVariantId: variantOf(cuts.part), quantity: 1 }],
    });
  });
});
