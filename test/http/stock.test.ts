import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../support/people.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

let world: World;
let store: StoreClient;
let shop: string;
let cellar: string;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  const { body } = await store.call('GET', '/locations');
  shop = (body as { items: { id: string }[] }).items[0]?.id ?? '';
  cellar = ((await store.call('POST', '/locations', { name: 'Depósito' })).body as { id: string }).id;
});
afterAll(() => world.close());

interface Row {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly locationId: string;
  readonly quantity: number;
  readonly status: string;
  readonly balance: number;
  readonly kind: string;
  readonly at: string;
  readonly id: string;
}
interface Page {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

let products = 0;
async function newVariant(fields: object = {}): Promise<string> {
  const description = `Produto ${String(++products)}`;
  const made = await store.call('POST', '/products', { description, priceCash: 10, priceCredit: 11, ...fields });
  expect(made.status).toBe(201);
  return (made.body as { variants: { id: string }[] }).variants[0]?.id ?? '';
}

const receive = (items: readonly object[], more: object = {}): Promise<Answer> =>
  store.call('POST', '/stock/receipts', { items, ...more });

async function received(item: object, more: object = {}): Promise<string> {
  const answer = await receive([item], more);
  expect(answer.status).toBe(201);
  return (answer.body as { items: { lotId: string }[] }).items[0]?.lotId ?? '';
}

const list = async (path: string): Promise<Page> => {
  const { status, body } = await store.call('GET', path);
  expect(status).toBe(200);
  return body as Page;
};

async function allOf(path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(`${path}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

const transfer = (items: readonly object[], from = shop, to = cellar): Promise<Answer> =>
  store.call('POST', '/stock/transfers', { fromLocationId: from, toLocationId: to, items });
const adjust = (item: object, more: object = {}): Promise<Answer> =>
  store.call('POST', '/stock/adjustments', { reason: 'contagem', items: [item], ...more });

describe('goods', () => {
  test('enter as lots, at their cost, and say what there is then', async () => {
    const variantId = await newVariant();
    const first = await receive(
      [
        { variantId, quantity: 10, unitCost: 2, lotCode: 'F-1', expiresAt: '2030-01-31' },
        { variantId, quantity: 2.5, unitCost: 4.0000000001 },
      ],
      { supplier: ' Moinho ', document: 'NF 7' },
    );
    expect(first.status).toBe(201);
    expect(first.headers.get('etag')).toMatch(/^"\d+"$/);
    expect(first.body).toMatchObject({
      locationId: shop,
      supplier: 'Moinho',
      document: 'NF 7',
      items: [
        {
          variantId,
          lotCode: 'F-1',
          expiresAt: '2030-02-01T03:00:00.000Z',
          expiresOn: '2030-01-31',
          quantity: 10,
          unitCost: 2,
          averageCost: 2,
          balance: 10,
        },
        { lotCode: null, expiresOn: null, quantity: 2.5, unitCost: 4.0000000001, averageCost: 2.4, balance: 12.5 },
      ],
    });
    expect((await list(`/stock/balances?variantId=${variantId}`)).items).toEqual([
      { variantId, locationId: shop, quantity: 12.5, averageCost: 2.4 },
    ]);
    const { items } = await list(`/stock/lots?variantId=${variantId}`);
    expect(items).toMatchObject([
      { lotCode: 'F-1', locationId: shop, quantity: 10, unitCost: 2, status: 'AVAILABLE', origin: 'RECEIPT' },
      { lotCode: null, quantity: 2.5, unitCost: 4.0000000001, originId: (first.body as { id: string }).id },
    ]);
  });

  test('of a new product open its stock', async () => {
    const variantId = await newVariant({ stockQty: 7, managerialCost: 3 });
    expect((await list(`/stock/lots?variantId=${variantId}`)).items).toMatchObject([
      { quantity: 7, origin: 'OPENING', unitCost: 3 },
    ]);
    expect((await list(`/stock/movements?variantId=${variantId}`)).items).toMatchObject([
      { kind: 'OPENING', quantity: 7, balance: 7 },
    ]);
  });

  test('move between locations within their lots', async () => {
    const variantId = await newVariant();
    const lotId = await received({ variantId, quantity: 10, unitCost: 2, lotCode: 'T-1' });
    const moved = await transfer([{ variantId, quantity: 4, lotCode: 'T-1' }]);
    expect([moved.status, moved.body]).toMatchObject([201, { items: [{ lotId, lotCode: 'T-1', quantity: 4 }] }]);
    expect(
      (await list(`/stock/lots?lotId=${lotId}`)).items.map(({ locationId, quantity }) => [locationId, quantity]),
    ).toEqual(
      expect.arrayContaining([
        [shop, 6],
        [cellar, 4],
      ]),
    );
    await transfer([{ variantId, quantity: 6 }]);
    expect(await list(`/stock/lots?lotId=${lotId}`)).toMatchObject({ items: [{ locationId: cellar, quantity: 10 }] });
    expect((await list(`/stock/lots?lotCode=T-1&includeEmpty=true`)).items).toHaveLength(2);
    expect((await list(`/stock/balances?variantId=${variantId}&locationId=${shop}`)).items).toMatchObject([
      { quantity: 0, averageCost: 2 },
    ]);
  });

  test('are corrected by what was lost or found', async () => {
    const variantId = await newVariant();
    const old = await received({ variantId, quantity: 3, unitCost: 1 });
    const lotId = await received({ variantId, quantity: 3, unitCost: 4 });
    expect((await adjust({ variantId, quantity: -1 })).body).toMatchObject({
      items: [{ lotId: old, quantity: -1, unitCost: 1 }],
    });
    expect((await adjust({ variantId, lotId, quantity: -3 })).body).toMatchObject({ items: [{ lotId, quantity: -3 }] });
    expect((await adjust({ variantId, lotId, quantity: 1, unitCost: 4 })).body).toMatchObject({
      reason: 'contagem',
      items: [{ lotId, quantity: 1, unitCost: 4 }],
    });
    const found = await adjust({ variantId, quantity: 5 });
    const made = (found.body as { items: { lotId: string }[] }).items[0]?.lotId ?? '';
    expect((await list(`/stock/lots?lotId=${made}`)).items).toMatchObject([{ origin: 'ADJUSTMENT', quantity: 5 }]);
    expect((await list(`/stock/balances?variantId=${variantId}`)).items).toMatchObject([{ quantity: 8 }]);
  });

  test('that are not there are not moved, and nothing is written', async () => {
    const variantId = await newVariant();
    await received({ variantId, quantity: 3, unitCost: 1 });
    const short = await transfer([
      { variantId, quantity: 2 },
      { variantId, quantity: 2 },
    ]);
    expect(refusal(short)).toEqual([409, 'INSUFFICIENT_STOCK']);
    expect(short.body).toMatchObject({ shortages: [{ variantId, required: 4, available: 3 }] });
    expect(refusal(await adjust({ variantId, quantity: -3.000001 }))).toEqual([409, 'INSUFFICIENT_STOCK']);
    expect((await list(`/stock/movements?variantId=${variantId}`)).items).toHaveLength(1);
  });
});

describe('a blocked lot', () => {
  test('says so, is left alone, and moves where it is named', async () => {
    const variantId = await newVariant();
    const lotId = await received({ variantId, quantity: 5, unitCost: 1, lotCode: 'B-1' });
    const blocked = await store.call('POST', `/stock/lots/${lotId}/block`, { reason: 'laudo' });
    expect([blocked.status, blocked.body]).toMatchObject([200, { lotId, status: 'BLOCKED', lotCode: 'B-1' }]);
    const again = await store.call('POST', `/stock/lots/${lotId}/block`, { reason: 'laudo' });
    expect(again.status).toBe(200);
    expect(blocked.headers.get('etag')).toMatch(/^"\d+"$/);
    expect(again.headers.get('etag')).toBe(blocked.headers.get('etag'));
    expect(refusal(await adjust({ variantId, quantity: -1 }))).toEqual([409, 'INSUFFICIENT_STOCK']);
    expect(refusal(await transfer([{ variantId, quantity: 1 }]))).toEqual([409, 'INSUFFICIENT_STOCK']);
    expect((await transfer([{ variantId, quantity: 2, lotCode: 'B-1' }])).status).toBe(201);
    expect((await adjust({ variantId, lotId, quantity: -1 })).status).toBe(201);
    expect((await list(`/stock/lots?lotId=${lotId}`)).items.map(({ status }) => status)).toEqual([
      'BLOCKED',
      'BLOCKED',
    ]);
    const released = await store.call('POST', `/stock/lots/${lotId}/release`, { reason: 'ok' });
    expect(released.body).toMatchObject({ status: 'AVAILABLE' });
    expect((await adjust({ variantId, quantity: -1 })).status).toBe(201);
  });

  test('that nobody knows is not found', async () => {
    for (const lotId of [shop, 'x']) {
      expect(refusal(await store.call('POST', `/stock/lots/${lotId}/block`, { reason: 'x' }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
  });
});

test('the ledger runs the balance of each location, newest first', async () => {
  const variantId = await newVariant();
  const lotId = await received({ variantId, quantity: 10, unitCost: 2 });
  await received({ variantId, quantity: 5, unitCost: 2 });
  await transfer([{ variantId, quantity: 12 }]);
  const rows = await allOf(`/stock/movements?variantId=${variantId}&limit=2`);
  expect(rows.map(({ kind, locationId, quantity, balance }) => [kind, locationId, quantity, balance])).toEqual([
    ['TRANSFER', cellar, 2, 12],
    ['TRANSFER', cellar, 10, 10],
    ['TRANSFER', shop, -2, 3],
    ['TRANSFER', shop, -10, 5],
    ['RECEIPT', shop, 5, 15],
    ['RECEIPT', shop, 10, 10],
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(6);
  expect(await allOf(`/stock/movements?lotId=${lotId}`)).toMatchObject(rows.filter((row) => row.lotId === lotId));
  expect(await allOf(`/stock/movements?variantId=${variantId}&locationId=${cellar}`)).toEqual(rows.slice(0, 2));
  expect(await allOf(`/stock/movements?lotId=${lotId}&variantId=${shop}`)).toEqual([]);
  expect(await allOf(`/stock/movements?variantId=${variantId}&to=2020-01-01`)).toEqual([]);
  expect(await allOf(`/stock/movements?variantId=${variantId}&from=2020-01-01&to=9999-12-31`)).toHaveLength(6);
});

test('balances answer as of any moment', async () => {
  const variantId = await newVariant();
  const path = `/stock/balances?variantId=${variantId}`;
  await received({ variantId, quantity: 10, unitCost: 2 });
  await transfer([{ variantId, quantity: 4 }]);
  await received({ variantId, quantity: 10, unitCost: 4 });
  const moments = (await allOf(`/stock/movements?variantId=${variantId}`)).map(({ at }) => at);
  const at = async (moment: string) => {
    const { items } = await list(`${path}&at=${moment}`);
    return items.map((row) => [row.locationId, row.quantity, (row as unknown as { averageCost: number }).averageCost]);
  };
  const before = new Date(Date.parse(moments.at(-1) ?? '') - 1).toISOString();
  expect(await at(before)).toEqual([]);
  expect(await at(moments.at(-1) ?? '')).toContainEqual([shop, 10, 2]);
  expect(await at(moments[0] ?? '')).toEqual(
    expect.arrayContaining([
      [shop, 16, 3],
      [cellar, 4, 3],
    ]),
  );
  expect(await at('2099-12-31')).toHaveLength(2);
  expect(await at('2020-01-01')).toEqual([]);
});

test('lists come in pages', async () => {
  const fresh = await world.newStore();
  const { items: places } = (await fresh.call('GET', '/locations')).body as { items: { id: string }[] };
  const from = places[0]?.id ?? '';
  const to = ((await fresh.call('POST', '/locations', { name: 'Depósito' })).body as { id: string }).id;
  for (let index = 0; index < 3; index++) {
    const product = { description: `P ${String(index)}`, priceCash: 1, priceCredit: 1, stockQty: 5 };
    const { variants } = (await fresh.call('POST', '/products', product)).body as { variants: { id: string }[] };
    const body = { fromLocationId: from, toLocationId: to, items: [{ variantId: variants[0]?.id, quantity: 1 }] };
    expect((await fresh.call('POST', '/stock/transfers', body)).status).toBe(201);
  }
  for (const path of ['/stock/balances', '/stock/lots', '/stock/movements']) {
    const pages: unknown[] = [];
    const whole = (await fresh.call('GET', path)).body as Page;
    let cursor: string | null = null;
    do {
      const next: Page = (await fresh.call('GET', `${path}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`))
        .body as Page;
      expect(next.items.length).toBeLessThanOrEqual(2);
      pages.push(...next.items);
      cursor = next.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual(whole.items);
    const here = (await fresh.call('GET', `${path}?locationId=${to}`)).body as Page;
    expect(here.items).toEqual(whole.items.filter(({ locationId }) => locationId === to));
    for (const wrong of ['limit=0', 'limit=201', 'cursor=x', 'variantId=x', 'other=x']) {
      expect((await fresh.call('GET', `${path}?${wrong}`)).status).toBe(400);
    }
  }
  expect(((await fresh.call('GET', '/stock/lots?to=2020-01-01')).body as Page).items).toEqual([]);
  expect(((await fresh.call('GET', '/stock/lots?from=2020-01-01&to=2099-01-01')).body as Page).items).toHaveLength(6);
});

test('what is owed is found among all balances, at every location or at one', async () => {
  const variantId = await newVariant();
  await received({ variantId, quantity: 1, unitCost: 1 }, { locationId: cellar });
  const owed = async (query = '') => (await list(`/stock/balances?belowZero=true&limit=1${query}`)).items;
  expect(await owed()).toEqual([]);
  const sale = {
    items: [{ variantId, quantity: 3, unitPrice: 1 }],
    payments: [{ method: 'CASH', amount: 3 }],
    allowNegativeStock: true,
  };
  expect((await store.call('POST', '/sales', sale)).status).toBe(201);
  expect(await owed()).toMatchObject([{ variantId, locationId: shop, quantity: -3 }]);
  expect(await owed(`&locationId=${shop}`)).toHaveLength(1);
  expect(await owed(`&locationId=${cellar}`)).toEqual([]);
  expect((await store.call('GET', '/stock/balances?belowZero=true&at=2026-01-01')).status).toBe(400);
  await received({ variantId, quantity: 5, unitCost: 1 });
  expect(await owed()).toEqual([]);
});

describe('bad input', () => {
  const good = { variantId: '01a1fe3e-9906-738c-84d5-8a2d82a0e196', quantity: 1, unitCost: 1 };
  test.each<[string, object]>([
    ['no items', {}],
    ['an empty list', { items: [] }],
    ['201 items', { items: Array.from({ length: 201 }, () => good) }],
    ['nothing of an item', { items: [{ ...good, quantity: 0 }] }],
    ['seven decimals', { items: [{ ...good, quantity: 0.0000001 }] }],
    ['too much of an item', { items: [{ ...good, quantity: 1_000_000_000 }] }],
    ['a quantity in words', { items: [{ ...good, quantity: '1' }] }],
    ['a negative cost', { items: [{ ...good, unitCost: -1 }] }],
    ['no cost', { items: [{ ...good, unitCost: undefined }] }],
    ['an empty lot code', { items: [{ ...good, lotCode: '' }] }],
    ['a lot code of 61 characters', { items: [{ ...good, lotCode: 'x'.repeat(61) }] }],
    ['a day that is none', { items: [{ ...good, expiresAt: '2026-02-30' }] }],
    ['an unknown field', { items: [{ ...good, colour: 'red' }] }],
    ['a location that is no id', { items: [good], locationId: 'x' }],
    ['a supplier of 201 characters', { items: [good], supplier: 'x'.repeat(201) }],
  ])('a receipt with %s is refused', async (_, body) => {
    expect(refusal(await store.call('POST', '/stock/receipts', body))).toEqual([400, 'INVALID_INPUT']);
  });

  test('limits themselves are allowed', async () => {
    const variantId = await newVariant();
    const most = { variantId, quantity: 999_999_999, unitCost: 0, lotCode: 'x'.repeat(60) };
    expect((await receive([most])).status).toBe(201);
    const many = Array.from({ length: 200 }, () => ({ variantId, quantity: 0.000001, unitCost: 0.0000000001 }));
    expect((await receive(many)).status).toBe(201);
  });

  test('unknown ids are named by their paths', async () => {
    const variantId = await newVariant();
    const unknown = good.variantId;
    const errors = ({ status, body }: Answer) => [
      status,
      (body as { errors?: { path: string }[] }).errors?.map(({ path }) => path),
    ];
    const item = { variantId, quantity: 1, unitCost: 1 };
    expect(errors(await receive([item, good]))).toEqual([404, ['items[1].variantId']]);
    expect(errors(await receive([item], { locationId: unknown }))).toEqual([404, ['locationId']]);
    expect(errors(await transfer([{ variantId, quantity: 1 }], shop, unknown))).toEqual([404, ['toLocationId']]);
    expect(errors(await adjust({ variantId, quantity: 1, lotId: unknown }))).toEqual([404, ['items[0].lotId']]);
    const lotId = await received({ variantId: await newVariant(), quantity: 1, unitCost: 1 });
    expect(errors(await adjust({ variantId, quantity: 1, lotId }))).toEqual([404, ['items[0].lotId']]);
    const code = await transfer([{ variantId, quantity: 1, lotCode: 'none' }]);
    expect([refusal(code), errors(code)]).toEqual([
      [404, 'LOT_NOT_FOUND'],
      [404, ['items[0].lotCode']],
    ]);
  });

  test('services and kits have no stock', async () => {
    const service = await newVariant({ productType: 'SERVICE' });
    const part = await newVariant();
    const kit = await newVariant({ isComposite: true, components: [{ componentVariantId: part, quantity: 2 }] });
    const answer = await receive([service, part, kit].map((variantId) => ({ variantId, quantity: 1, unitCost: 1 })));
    expect(refusal(answer)).toEqual([409, 'NOT_KEPT_IN_STOCK']);
    expect(answer.body).toMatchObject({ errors: [{ path: 'items[0].variantId' }, { path: 'items[2].variantId' }] });
  });

  test.each([
    [{ quantity: 0 }],
    [{ quantity: -1, unitCost: 1 }],
    [{ quantity: 1, unitCost: 1e-11 }],
    [{ quantity: null }],
  ])('an adjustment by %j is refused', async (item) => {
    expect(refusal(await adjust({ variantId: good.variantId, ...item }))).toEqual([400, 'INVALID_INPUT']);
  });

  test('a transfer needs two locations', async () => {
    const same = await transfer([{ variantId: good.variantId, quantity: 1 }], shop, shop);
    expect(refusal(same)).toEqual([400, 'INVALID_INPUT']);
  });
});

test('of 100 parallel transfers of the last 60 units 60 succeed', async () => {
  const variantId = await newVariant();
  await received({ variantId, quantity: 60, unitCost: 1 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => transfer([{ variantId, quantity: 1 }])));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(40);
  expect((await list(`/stock/balances?variantId=${variantId}`)).items.map(({ quantity }) => quantity).sort()).toEqual([
    0, 60,
  ]);
});

test('a location that ever held goods stays', async () => {
  expect(refusal(await store.call('DELETE', `/locations/${cellar}`))).toEqual([409, 'LOCATION_IN_USE']);
});

test('a product issued by expiry gives away what expires first: in sales, orders, previews and adjustments', async () => {
  const variantId = await newVariant({ saleUnit: 'KG' });
  const { body: found } = await store.call('GET', '/products?take=100');
  const product = (found as { items: { id: string; issueBy: string; variants: { id: string }[] }[] }).items.find(
    ({ variants }) => variants[0]?.id === variantId,
  );
  expect(product?.issueBy).toBe('ENTRY');
  const changed = await store.call('PATCH', `/products/${product?.id ?? ''}`, { issueBy: 'EXPIRY' });
  expect([changed.status, (changed.body as { issueBy: string }).issueBy]).toEqual([200, 'EXPIRY']);
  const late = await received({ variantId, quantity: 4, unitCost: 1, expiresAt: '2031-01-01' });
  const soon = await received({ variantId, quantity: 4, unitCost: 3, expiresAt: '2030-01-01' });

  const bread = await newVariant();
  const items = [{ componentVariantId: variantId, quantity: 1 }];
  const recipe = { name: 'Pão por validade', finishedVariantId: bread, items };
  const { id: recipeId } = (await store.call('POST', '/bakery-production/recipes', recipe)).body as { id: string };
  const preview = await store.call('GET', `/bakery-production/recipes/${recipeId}/preview`);
  expect(preview.body).toMatchObject({ items: [{ cost: 3 }] });
  const order = { recipeId, batches: 1 };
  const registered = await store.call('POST', '/bakery-production/orders', order);
  expect(registered.body).toMatchObject({ consumptions: [{ lotId: soon }] });
  const planned = await store.call('POST', '/bakery-production/orders/plan', { ...order, expectedAt: '2030-01-01' });
  const { id } = planned.body as { id: string };
  const completed = await store.call('POST', `/bakery-production/orders/${id}/complete`, {});
  expect(completed.body).toMatchObject({ consumptions: [{ lotId: soon }] });

  const line = { variantId, quantity: 1, unitPrice: 5 };
  const sale = await store.call('POST', '/sales', { items: [line], payments: [{ method: 'CASH', amount: 5 }] });
  expect(sale.body).toMatchObject({ items: [{ lots: [{ lotId: soon }] }] });
  expect((await adjust({ variantId, quantity: -2 })).body).toMatchObject({
    items: [
      { lotId: soon, quantity: -1 },
      { lotId: late, quantity: -1 },
    ],
  });
});

test('goods enter however much is owed, also by customers: a receipt settles the 1,000 oldest debts, and the next one of those that are left', async () => {
  const variantId = await newVariant();
  const { id: customerId } = (await store.call('POST', '/customers', { name: 'Ana' })).body as { id: string };
  const items = Array.from({ length: 200 }, () => ({ variantId, quantity: 1, unitPrice: 1 }));
  const payments = [{ method: 'CASH', amount: 200 }];
  for (let sale = 0; sale < 13; sale++) {
    const sold = await store.call('POST', '/sales', { items, payments, customerId, allowNegativeStock: true });
    expect(sold.status).toBe(201);
  }
  const first = await received({ variantId, quantity: 5_000, unitCost: 1 });
  const second = await received({ variantId, quantity: 1_200, unitCost: 1 });
  const { items: lots } = (await store.call('GET', `/stock/lots?variantId=${variantId}`)).body as Page;
  expect(new Map(lots.map(({ lotId, quantity }) => [lotId, quantity]))).toEqual(
    new Map([
      [first, 4_000],
      [second, 200],
    ]),
  );
  const { items: balances } = (await store.call('GET', `/stock/balances?variantId=${variantId}`)).body as Page;
  expect(balances).toMatchObject([{ quantity: 3_600 }]);
});
