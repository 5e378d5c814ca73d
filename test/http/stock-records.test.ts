import { afterAll, expect, test } from '@jest/globals';
import { granted, newProduct } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import { ask, newTracedBakery, recallOf, sell } from '../support/traced-bakery.js';
import { openWorld } from '../support/world.js';

/** What was written about the stock can be read again, and lots are followed back to who delivered them. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const bakery = await newTracedBakery(store);

interface Items {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

const post = async (path: string, body: object) =>
  (await granted(store.call('POST', path, body))).body as { id: string };
const list = async (path: string) => (await granted(store.call('GET', path))).body as unknown as Items;
const delivery = (variantId: string, lotCode: string, more: object = {}) =>
  post('/stock/receipts', {
    supplier: 'Moinho São Jorge',
    document: 'NF 12.345',
    items: [{ variantId, quantity: 3, unitCost: 2, lotCode, expiresAt: '2031-01-31' }],
    ...more,
  });

test('a receipt is read again, found by supplier, document, variant and lot, and shown by its lots', async () => {
  const { variantId } = await newProduct(store, 'Fubá');
  const receipt = (await delivery(variantId, 'FB-1')) as { id: string; items?: { lotId: string }[] };
  const lotId = receipt.items?.[0]?.lotId ?? '';
  expect((await granted(store.call('GET', `/stock/receipts/${receipt.id}`))).body).toEqual(receipt);
  for (const query of [
    'supplier=moinho%20sao%20jorge',
    'document=nf%2012.345',
    `variantId=${variantId}`,
    `lotId=${lotId}`,
  ]) {
    expect((await list(`/stock/receipts?${query}`)).items).toEqual([receipt]);
  }
  expect((await list('/stock/receipts?supplier=Outro')).items).toEqual([]);
  const shown = { supplier: 'Moinho São Jorge', document: 'NF 12.345', receiptId: receipt.id, expiresOn: '2031-01-31' };
  for (const query of ['q=fub', 'q=fb-1', 'supplier=MOINHO%20SÃO%20JORGE', `lotCode=fb-1`]) {
    expect((await list(`/stock/lots?${query}`)).items).toMatchObject([{ lotId, expired: false, ...shown }]);
  }
  expect((await list('/stock/lots?expiresBefore=2031-01-31')).items).toHaveLength(1);
  expect((await list('/stock/lots?expiresBefore=2031-01-30&q=fub')).items).toEqual([]);
  expect((await list('/stock/lots?q=.')).items).toEqual([]);
});

test('adjustments of one count are found by it; transfers are read as well', async () => {
  const { variantId } = await newProduct(store, 'Canela');
  const countId = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
  const items = [{ variantId, quantity: 5, unitCost: 1 }];
  const counted = await post('/stock/adjustments', { reason: 'contagem', countId, items });
  await post('/stock/adjustments', { reason: 'quebra', items: [{ variantId, quantity: -1 }] });
  expect((await list(`/stock/adjustments?countId=${countId}`)).items).toEqual([counted]);
  expect((await list(`/stock/adjustments?variantId=${variantId}`)).items).toMatchObject([
    { reason: 'quebra', items: [{ quantity: -1, unitCost: 1, value: -1 }], createdBy: { name: 'Teste' } },
    { reason: 'contagem', countId },
  ]);
  const { items: places } = await list('/locations');
  const { id: toLocationId } = await post('/locations', { name: 'Câmara fria' });
  const transfer = { fromLocationId: places[0]?.['id'], toLocationId, items: [{ variantId, quantity: 1 }] };
  const moved = await post('/stock/transfers', transfer);
  expect(moved).toMatchObject({ items: [{ quantity: 1, unitCost: 1, value: 1 }] });
  expect((await list(`/stock/transfers?variantId=${variantId}`)).items).toEqual([moved]);
  expect((await store.call('GET', `/stock/receipts/${moved.id}`)).status).toBe(404);
});

test('many lots are blocked at once, by code or by id, and say who did it why', async () => {
  const { variantId } = await newProduct(store, 'Cacau');
  await delivery(variantId, 'CC-1');
  await delivery(variantId, 'cc-1');
  const blocked = (await post('/stock/lots/block', { lotCode: 'Cc-1', reason: 'laudo' })) as unknown as Items;
  expect(blocked.items).toMatchObject(
    [1, 2].map(() => ({ status: 'BLOCKED', quantity: 3, marks: [{ reason: 'laudo' }] })),
  );
  expect((await list('/stock/lots?status=BLOCKED')).items).toHaveLength(2);
  const item = { variantId, quantity: 1, unitPrice: 2 };
  const refused = await store.call('POST', '/sales', { items: [item], payments: [{ method: 'PIX', amount: 2 }] });
  expect(refusal(refused)).toEqual([409, 'INSUFFICIENT_STOCK']);
  const lotIds = blocked.items.map(({ lotId }) => lotId);
  await post('/stock/lots/release', { lotIds, reason: 'laudo bom' });
  await sell(store, variantId, 1);
  const lot = (await granted(store.call('GET', `/stock/lots/${String(lotIds[0])}`))).body;
  expect(lot).toMatchObject({
    status: 'AVAILABLE',
    quantity: 2,
    marks: [{ reason: 'laudo' }, { reason: 'laudo bom' }],
  });
  for (const body of [{ lotIds: [] }, {}, { lotIds, lotCode: 'CC-1' }]) {
    expect((await store.call('POST', '/stock/lots/block', { ...body, reason: 'x' })).status).toBe(400);
  }
  const unknown = await store.call('POST', '/stock/lots/block', { lotCode: 'none', reason: 'x' });
  expect([refusal(unknown), unknown.body]).toMatchObject([[404, 'LOT_NOT_FOUND'], { errors: [{ path: 'lotCode' }] }]);
});

test('a recall reads without another look-up, and lists what it is too long for', async () => {
  await delivery(bakery.flour, 'F-9');
  await sell(store, bakery.flour, 60.5);
  const recalled = await recallOf(store, { lotCode: 'F-9' });
  expect(recalled).toMatchObject({
    lots: [{ description: 'Farinha', unit: 'KG', supplier: 'Moinho São Jorge', expiresOn: '2031-01-31' }],
    suppliers: [{ supplier: 'Moinho São Jorge', document: 'NF 12.345', lotCodes: ['F-9'] }],
  });
  for (const [path, rows] of [
    ['recall/lots', recalled.lots],
    ['recall/remaining', recalled.remainingStock],
  ] as const) {
    expect((await ask(store, path, { lotCode: 'f-9', limit: 1 })).body).toEqual({ items: rows, nextCursor: null });
  }
  const { lots, remainingStock } = await recallOf(store, { lotCode: 'F-1' });
  for (const [path, rows] of [
    ['recall/lots', lots],
    ['recall/remaining', remainingStock],
  ] as const) {
    expect(rows.length).toBeGreaterThan(1);
    const listed: object[] = [];
    let cursor: string | null = null;
    do {
      const query = { lotCode: 'F-1', limit: 1, ...(cursor !== null && { cursor }) };
      const page = (await ask(store, path, query)).body as unknown as Items;
      expect(page.items).toHaveLength(1);
      listed.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(listed).toEqual(rows);
  }
});

test('costs of what was produced need production.costs', async () => {
  const key = (await post('/api-keys', {
    name: 'sem custos',
    permissions: ['stock.view', 'stock.manage'],
  })) as unknown as {
    readonly key: string;
  };
  const headers = { authorization: `Bearer ${key.key}` };
  const see = async (path: string) =>
    (await granted(store.call('GET', path, undefined, headers))).body as unknown as Items;
  const [produced] = (await see('/stock/lots?lotCode=P-1')).items;
  const [bought] = (await see('/stock/lots?lotCode=F-9')).items;
  expect([produced && 'unitCost' in produced, bought && 'unitCost' in bought]).toEqual([false, true]);
  expect((await list('/stock/lots?lotCode=P-1')).items[0]).toHaveProperty('unitCost');
  const [average] = (await see(`/stock/balances?variantId=${bakery.bread}`)).items;
  expect(average).not.toHaveProperty('averageCost');
  expect((await see(`/stock/balances?variantId=${bakery.flour}`)).items[0]).toHaveProperty('averageCost');
});

test('the lots of a period are all that entered in it, also those of one receipt', async () => {
  const { variantId } = await newProduct(store, 'Milho');
  const items = Array.from({ length: 12 }, () => ({ variantId, quantity: 1, unitCost: 1 }));
  const { id } = await post('/stock/receipts', { items });
  const { createdAt } = (await granted(store.call('GET', `/stock/receipts/${id}`))).body as { createdAt: string };
  for (const query of [
    `from=${createdAt}`,
    `to=${createdAt}`,
    `from=${createdAt}&to=${createdAt}`,
    'status=AVAILABLE',
  ]) {
    expect((await list(`/stock/lots?variantId=${variantId}&${query}`)).items).toHaveLength(12);
  }
  const after = new Date(Date.parse(createdAt) + 1).toISOString();
  expect((await list(`/stock/lots?variantId=${variantId}&from=${after}`)).items).toEqual([]);
});

test('what is found of something that was produced shows no cost without production.costs', async () => {
  const clerk = await world.newKey(store.slug, 'stock.view,stock.manage');
  const found = { reason: 'Contagem', items: [{ variantId: bakery.bread, quantity: 1 }] };
  const dry = await granted(clerk.call('POST', '/stock/adjustments', found, { prefer: 'dry-run' }));
  expect(dry.text).not.toMatch(/"(unitCost|value)":\d/);
  const made = await granted(clerk.call('POST', '/stock/adjustments', found));
  const { id, items } = made.body as { readonly id: string; readonly items: readonly { readonly lotId: string }[] };
  const lotId = items[0]?.lotId ?? '';
  const { items: places } = await list('/locations');
  const { id: toLocationId } = await post('/locations', { name: 'Balcão' });
  const transfer = { fromLocationId: places.find(({ isDefault }) => isDefault)?.['id'], toLocationId };
  const moved = await granted(
    clerk.call('POST', '/stock/transfers', { ...transfer, items: [{ variantId: bakery.bread, quantity: 1 }] }),
  );
  const paths = [
    `adjustments/${id}`,
    `movements?lotId=${lotId}`,
    `lots?lotId=${lotId}`,
    `valuation?by=lot&variantId=${bakery.bread}`,
  ].map((path) => `/stock/${path}`);
  paths.push(`/stock/transfers/${moved.body.id as string}`);
  const seen = [made, moved];
  for (const path of [...paths, `/explain/lots/${lotId}`, `/explain/lots/${lotId}/cost`]) {
    seen.push(await granted(clerk.call('GET', path)));
    expect((await granted(store.call('GET', path))).text).toMatch(/"(unitCost|value)":\d/);
  }
  for (const { text } of seen) expect(text).not.toMatch(/"(unitCost|value)":\d|R\$/);
});

test('a page of past balances is never empty with another behind it', async () => {
  const at = new Date().toISOString();
  for (const name of ['Um', 'Dois', 'Três']) await delivery((await newProduct(store, name)).variantId, name);
  let path = `/stock/balances?limit=1&at=${at}`;
  for (;;) {
    const { items, nextCursor } = await list(path);
    if (nextCursor === null) break;
    expect(items.length).toBeGreaterThan(0);
    path = `/stock/balances?limit=1&at=${at}&cursor=${nextCursor}`;
  }
});

test('an input that was left out does not hide what came in before it', async () => {
  const [flour, sugar, cake] = await Promise.all(['Farinha', 'Açúcar', 'Bolo'].map((name) => newProduct(store, name)));
  const receive = (...variants: readonly (string | undefined)[]) =>
    post('/stock/receipts', { items: variants.map((variantId) => ({ variantId, quantity: 3, unitCost: 2 })) });
  await receive(flour?.variantId, sugar?.variantId);
  await receive(flour?.variantId);
  const { id: recipeId } = await post('/bakery-production/recipes', {
    name: 'Bolo',
    finishedVariantId: cake?.variantId,
    items: [{ componentVariantId: flour?.variantId, quantity: 1 }],
  });
  const actualInputs = [{ componentVariantId: flour?.variantId, quantity: 0 }];
  await post('/bakery-production/orders', { recipeId, batches: 1, actualInputs });

  const { items } = await list(`/stock/balances?at=${new Date().toISOString()}&limit=200`);
  expect(items).toContainEqual(expect.objectContaining({ variantId: flour?.variantId, quantity: 6 }));
  expect(items).toEqual((await list('/stock/balances?limit=200')).items);
});
