import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { productionOrdersContract } from '../contract/production-orders.js';
import type { OrderDocument } from '../../projections/production/orders.js';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

const ORDERS = '/bakery-production/orders';
const COSTS = /"(?:materialCost|laborCost|totalCost|unitCost|cost|before|after)"/;

describe('in one process', () => {
  productionOrdersContract(() => ({}), 1);
});

let world: World;
let store: StoreClient;
let recipeId: string;
let toastId: string;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  const variant = async (name: string, fields: object = {}) => (await newProduct(store, name, fields)).variantId;
  const flour = await variant('Farinha', { stockQty: 1_000, managerialCost: 4 });
  const [bread, crumbs, toast] = [await variant('Pão'), await variant('Migalhas'), await variant('Torrada')];
  const byproducts = [{ variantId: crumbs, quantityPerBatch: 1, costSharePercent: 10 }];
  const items = [{ componentVariantId: flour, quantity: 2 }];
  recipeId = (await newRecipe(store, { name: 'Pão', finishedVariantId: bread, yieldQty: 10, items, byproducts })).id;
  const slices = [{ componentVariantId: bread, quantity: 1 }];
  toastId = (await newRecipe(store, { name: 'Torrada', finishedVariantId: toast, yieldQty: 10, items: slices })).id;
});
afterAll(() => world.close());

const order = async (body: object = {}): Promise<OrderDocument> =>
  (await granted(store.call('POST', ORDERS, { recipeId, batches: 1, ...body }))).body as OrderDocument;

test('costs are shown with their permission alone, in every answer', async () => {
  const blind = await world.newKey(store.slug, 'production.view,production.manage,production.reverse');
  const sent = async (method: string, path: string, body?: unknown, client = blind) =>
    (await granted(client.call(method, path, body))).text;
  const path = `${ORDERS}/${(JSON.parse(await sent('POST', ORDERS, { recipeId, batches: 1 })) as { id: string }).id}`;
  const seeing = [
    await sent('GET', path, undefined, store),
    await sent('GET', `${path}/reversal-preview`, undefined, store),
  ];
  for (const text of seeing) expect(text).toMatch(COSTS);
  const plan = await sent('POST', `${ORDERS}/plan`, { recipeId, batches: 1, expectedAt: '2026-12-01' });
  const planned = `${ORDERS}/${(JSON.parse(plan) as { id: string }).id}`;
  const texts = [
    plan,
    await sent('GET', path),
    await sent('GET', ORDERS),
    await sent('POST', `${planned}/start`),
    await sent('POST', `${planned}/refresh-recipe`).catch(() => ''),
    await sent('POST', `${planned}/complete`, {}),
    await sent('GET', `${path}/reversal-preview`),
    await sent('POST', `${path}/reverse`, { reason: 'engano' }),
    await sent('POST', ORDERS, { recipeId, batches: 1 }),
  ];
  for (const text of texts) expect(text).not.toMatch(COSTS);
});

test('work on an order may ask that nobody was faster', async () => {
  const plan = { recipeId, batches: 1, expectedAt: '2026-12-01' };
  const made = await granted(store.call('POST', `${ORDERS}/plan`, plan));
  const path = `${ORDERS}/${(made.body as { id: string }).id}`;
  const seen = { 'if-match': made.headers.get('etag') ?? '' };
  const started = await granted(store.call('POST', `${path}/start`, undefined, seen));
  const now = { 'if-match': started.headers.get('etag') ?? '' };
  for (const step of ['complete', 'cancel', 'refresh-recipe']) {
    const body = step === 'complete' ? { allowNegativeStock: true } : undefined;
    expect((await store.call('POST', `${path}/${step}`, body, seen)).status).toBe(412);
  }
  await granted(store.call('POST', `${path}/complete`, { allowNegativeStock: true }, now));
  expect((await store.call('POST', `${path}/reverse`, { reason: 'engano' }, now)).status).toBe(412);
  const { headers } = await granted(store.call('GET', path));
  await granted(store.call('POST', `${path}/reverse`, { reason: 'engano' }, { 'if-match': headers.get('etag') ?? '' }));
  const unknown = `${ORDERS}/01a1feee-383e-7d30-97a9-dd8716268400/start`;
  expect((await store.call('POST', unknown, undefined, now)).status).toBe(404);
});

test('completing needs no body, since nothing has to be said', async () => {
  const plan = { recipeId, batches: 1, expectedAt: '2026-12-01' };
  const { body } = await granted(store.call('POST', `${ORDERS}/plan`, plan));
  const { id } = body as { id: string };
  const completed = await granted(store.call('POST', `${ORDERS}/${id}/complete`));
  expect(completed.body).toMatchObject({ status: 'COMPLETED' });
  expect((await store.call('POST', `${ORDERS}/${id}/complete`)).status).toBe(409);
});

describe('the list', () => {
  let client: StoreClient;
  let listed: readonly { readonly id: string; readonly number: number }[];
  const list = async (query: string) => {
    const { body, headers } = await granted(store.call('GET', `${ORDERS}?${query}`));
    return { numbers: (body as { number: number }[]).map(({ number }) => number), next: headers.get('x-next-cursor') };
  };

  beforeAll(async () => {
    client = store;
    for (let count = 0; count < 4; count++) await order();
    await granted(client.call('POST', `${ORDERS}/plan`, { recipeId: toastId, batches: 1, expectedAt: '2026-12-01' }));
    listed = (await granted(client.call('GET', `${ORDERS}?limit=5`))).body as typeof listed;
  });

  test('begins with the newest, and goes on where the header says', async () => {
    const numbers = listed.map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    const first = await list('limit=2');
    expect(first.numbers).toEqual(numbers.slice(0, 2));
    const second = await list(`limit=3&cursor=${encodeURIComponent(first.next ?? '')}`);
    expect(second.numbers).toEqual(numbers.slice(2));
  });

  test('is narrowed by status, recipe and period', async () => {
    const [newest = 0, ...older] = listed.map(({ number }) => number);
    expect((await list(`recipeId=${toastId}`)).numbers).toEqual([newest]);
    expect((await list(`recipeId=${toastId}&status=COMPLETED`)).numbers).toEqual([]);
    expect((await list(`recipeId=${recipeId}&status=COMPLETED&limit=4`)).numbers).toEqual(older);
    // In Brazil it may still be yesterday.
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect((await list(`from=${yesterday}&limit=5`)).numbers).toEqual([newest, ...older]);
    expect((await list('to=2020-01-01')).numbers).toEqual([]);
    expect((await list('from=9999-12-31')).numbers).toEqual([]);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'status=DONE',
    'cursor=none',
    'other=1',
    'from=yesterday',
    'recipeId=1',
  ])('refuses %s', async (query) => {
    expect((await store.call('GET', `${ORDERS}?${query}`)).status).toBe(400);
  });
});

describe('a request', () => {
  test.each([
    ['no batches', { batches: 0 }],
    ['seven decimals', { batches: 0.0000001 }],
    ['a negative output', { actualOutputQty: -1 }],
    ['a code that is too long', { outputLotCode: 'x'.repeat(61) }],
    ['an empty code', { outputLotCode: ' ' }],
    ['an expiry that is none', { outputExpiresAt: 'soon' }],
    ['notes that are too long', { notes: 'x'.repeat(2_001) }],
    ['an unknown member', { quantity: 1 }],
  ])('with %s is refused', async (_, body) => {
    expect((await store.call('POST', ORDERS, { recipeId, batches: 1, ...body })).status).toBe(400);
  });

  test('at the limits is granted', async () => {
    const body = { outputLotCode: 'x'.repeat(60), notes: 'x'.repeat(2_000), batches: 0.000001 };
    expect(await order(body)).toMatchObject({ ...body, nominalQty: 0.00001 });
    const forever = await order({ outputExpiresAt: '9999-12-31' });
    expect(forever.outputExpiresAt).toBe('9999-12-31T23:59:59.999Z');
  });

  test('for a reversal needs a reason of 5 to 500 characters', async () => {
    const path = `${ORDERS}/${(await order()).id}/reverse`;
    for (const reason of ['erro', 'x'.repeat(501)]) {
      expect((await store.call('POST', path, { reason })).status).toBe(400);
    }
    await granted(store.call('POST', path, { reason: 'x'.repeat(500) }));
  });

  test('with a taken lot code, or for more than there is, writes nothing', async () => {
    const { outputLotCode } = await order();
    const taken = await store.call('POST', ORDERS, { recipeId, batches: 1, outputLotCode });
    expect([taken.status, taken.body.code]).toEqual([409, 'LOT_CODE_TAKEN']);
    const short = await store.call('POST', ORDERS, { recipeId, batches: 100_000 });
    expect([short.status, short.body.code]).toEqual([409, 'INSUFFICIENT_STOCK']);
    expect(short.body.shortages).toMatchObject([{ required: 200_000 }]);
  });

  test('with the same idempotency key is decided once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { recipeId, batches: 1 };
    const first = await granted(store.call('POST', ORDERS, body, headers));
    const again = await granted(store.call('POST', ORDERS, body, headers));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

test('what was sold or used blocks the whole reversal; a part of it goes', async () => {
  const bread = await order({ actualOutputQty: 4 });
  // Everything that lay before it is older: the toast takes all of it and one of these four.
  const { body: preview } = await granted(store.call('GET', `/bakery-production/recipes/${toastId}/preview?batches=1`));
  const available = (preview as { items: { available: number }[] }).items[0]?.available ?? 0;
  const toast = await order({ recipeId: toastId, batches: available - 3 });
  expect(toast.consumptions.at(-1)).toMatchObject({ lotId: bread.outputLotId, quantity: 1 });
  const path = `${ORDERS}/${bread.id}`;
  const blocked = await store.call('POST', `${path}/reverse`, { reason: 'engano' });
  expect([blocked.status, blocked.body.code, blocked.body.partialPossible]).toEqual([409, 'REVERSAL_BLOCKED', true]);
  const { body: foreseen } = await granted(store.call('GET', `${path}/reversal-preview`));
  expect(foreseen).toMatchObject({ remainingQty: 3, soldOrConsumedQty: 1, reversibleFraction: 0.75, full: false });
  const { body } = await granted(store.call('POST', `${path}/reverse`, { reason: 'engano', partial: true }));
  expect([foreseen.inputs, foreseen.forgiven]).toEqual([body.reversals[0].inputs, []]);
  expect(foreseen.byproducts).toMatchObject([{ obtainedQty: 1, quantity: 0.75 }]);
  expect(foreseen.byproducts).toMatchObject(body.reversals[0].byproducts as object[]);
  expect(foreseen.costReversal).toEqual(body.costReversal);
  expect(body).toMatchObject({
    status: 'PARTIALLY_REVERSED',
    reversals: [{ quantity: 3, inputs: [{ quantity: 1.5 }] }],
  });
  // Once the toast is unmade the bread is back, in a lot that is blocked.
  await granted(store.call('POST', `${ORDERS}/${toast.id}/reverse`, { reason: 'engano' }));
  const { body: second } = await granted(store.call('GET', `${path}/reversal-preview`));
  expect(second).toMatchObject({ remainingQty: 1, availableQty: 0, soldOrConsumedQty: 0 });
  const rest = await granted(store.call('POST', `${path}/reverse`, { reason: 'engano', partial: true }));
  expect(rest.body.status).toBe('REVERSED');
});

test('a reversal says what is owed no more, as its preview did', async () => {
  const { variantId } = await newProduct(store, 'Fermento', { stockQty: 1 });
  const { variantId: made } = await newProduct(store, 'Broa');
  const items = [{ componentVariantId: variantId, quantity: 3 }];
  const { id } = await newRecipe(store, { name: 'Broa', finishedVariantId: made, yieldQty: 1, items });
  const path = `${ORDERS}/${(await order({ recipeId: id, allowNegativeStock: true })).id}`;
  const { body: foreseen } = await granted(store.call('GET', `${path}/reversal-preview`));
  const { body } = await granted(store.call('POST', `${path}/reverse`, { reason: 'engano' }));
  expect(body.forgiven).toEqual([{ variantId, quantity: 2 }]);
  expect(foreseen.forgiven).toEqual(body.forgiven);
});

test('the day on which what was made expires stands beside the moment, wherever an order is shown', async () => {
  const day = '2031-03-14';
  const made = await order({ outputExpiresAt: day });
  const shown = { outputExpiresAt: '2031-03-15T03:00:00.000Z', outputExpiresOn: day };
  expect(made).toMatchObject(shown);
  const plan = { recipeId, batches: 1, expectedAt: '2026-12-01' };
  const { body: planned } = await granted(store.call('POST', `${ORDERS}/plan`, plan));
  expect(planned).toMatchObject({ outputExpiresAt: null, outputExpiresOn: null });
  const complete = `${ORDERS}/${(planned as OrderDocument).id}/complete`;
  expect((await granted(store.call('POST', complete, { outputExpiresAt: day }))).body).toMatchObject(shown);
  const blind = await world.newKey(store.slug, 'production.view');
  for (const client of [store, blind]) {
    expect((await granted(client.call('GET', `${ORDERS}/${made.id}`))).body).toMatchObject(shown);
    const { body: listed } = await granted(client.call('GET', `${ORDERS}?limit=2`));
    expect(listed).toMatchObject([shown, shown]);
  }
});

test('a location that an open order names stays', async () => {
  const { body: location } = await granted(store.call('POST', '/locations', { name: 'Câmara' }));
  const { id } = location as { id: string };
  const plan = { recipeId, batches: 1, expectedAt: '2026-12-01', outputLocationId: id };
  const { body: planned } = await granted(store.call('POST', `${ORDERS}/plan`, plan));
  const refused = await store.call('DELETE', `/locations/${id}`);
  expect([refused.status, refused.body.code]).toEqual([409, 'LOCATION_IN_USE']);
  await granted(store.call('POST', `${ORDERS}/${(planned as OrderDocument).id}/cancel`));
  expect((await store.call('DELETE', `/locations/${id}`)).status).toBe(204);
});

test('an order says what was planned beside what was really used', async () => {
  const plan = { recipeId, batches: 1, expectedAt: '2026-12-01' };
  const { body: planned } = await granted(store.call('POST', `${ORDERS}/plan`, plan));
  expect((planned as OrderDocument).inputs).toEqual([]);
  const path = `${ORDERS}/${(planned as OrderDocument).id}`;
  const componentVariantId = (await order()).consumptions[0]?.componentVariantId ?? '';
  const other = (planned as OrderDocument).finishedVariantId;
  const unknown = await store.call('POST', `${path}/complete`, {
    actualInputs: [{ componentVariantId: other, quantity: 1 }],
  });
  expect([unknown.status, unknown.body.errors]).toMatchObject([404, [{ path: 'actualInputs[0].componentVariantId' }]]);
  const lotless = await store.call('POST', `${path}/complete`, {
    actualInputs: [{ componentVariantId, quantity: 1, lotCode: 'nenhum' }],
  });
  expect([lotless.status, lotless.body.code]).toEqual([404, 'LOT_NOT_FOUND']);
  const body = { actualInputs: [{ componentVariantId, quantity: 2.25 }] };
  const { body: completed } = await granted(store.call('POST', `${path}/complete`, body));
  const expected = {
    inputs: [{ componentVariantId, plannedQty: 2, quantity: 2.25 }],
    consumptions: [{ componentVariantId, plannedQty: 2, quantity: 2.25, cost: 9 }],
    materialCost: 9,
  };
  expect(completed).toMatchObject(expected);
  expect((await granted(store.call('GET', path))).body).toEqual(completed);
});

test('open orders are listed as they are due and ended ones as they ended, with how many there are', async () => {
  const own = await world.newStore();
  const { variantId: bread } = await newProduct(own, 'Pão', {});
  const { variantId: flour } = await newProduct(own, 'Farinha', { stockQty: 100, managerialCost: 4 });
  const items = [{ componentVariantId: flour, quantity: 1 }];
  const recipe = await newRecipe(own, { name: 'Pão', finishedVariantId: bread, yieldQty: 10, items });
  const plan = async (expectedAt: string): Promise<string> => {
    const body = { recipeId: recipe.id, batches: 1, expectedAt };
    return ((await granted(own.call('POST', `${ORDERS}/plan`, body))).body as OrderDocument).id;
  };
  const listed = async (query: string) => {
    const { body, headers } = await granted(own.call('GET', `${ORDERS}?${query}`));
    const ids = (body as readonly OrderDocument[]).map(({ id }) => id);
    return { ids, total: headers.get('x-total-count'), next: headers.get('x-next-cursor') };
  };
  const late = await plan('2031-03-01');
  const soon = await plan('2031-01-01');
  const next = await plan('2031-02-01');
  const first = await listed('status=PLANNED&sort=due&limit=2');
  expect(first).toMatchObject({ ids: [soon, next], total: '3' });
  const rest = await listed(`status=PLANNED&sort=due&limit=2&cursor=${encodeURIComponent(first.next ?? '')}`);
  expect(rest).toEqual({ ids: [late], total: '3', next: null });
  expect(await listed('status=PLANNED&sort=due&to=2031-01-31')).toMatchObject({ ids: [soon], total: '1' });

  const before = new Date().toISOString();
  for (const id of [next, late]) await granted(own.call('POST', `${ORDERS}/${id}/complete`, {}));
  expect(await listed(`status=COMPLETED&sort=ended&from=${before}`)).toMatchObject({ ids: [late, next], total: '2' });
  expect(await listed('status=COMPLETED&sort=ended&from=2031-01-01')).toMatchObject({ ids: [], total: '0' });
  expect(await listed('status=PLANNED')).toMatchObject({ ids: [soon], total: null });
  for (const query of ['sort=due', 'status=COMPLETED&sort=due', 'sort=ended', 'status=PLANNED&sort=ended']) {
    expect((await own.call('GET', `${ORDERS}?${query}`)).status).toBe(400);
  }
});
