// What answers hold is looked at member by member.
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call */
import { afterAll, expect, test } from '@jest/globals';
import { systemClock } from '../../src/kernel/values/clock.js';
import { plainProduct } from '../support/route-examples.js';
import { until } from '../support/until.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await store.call(method, path, body);
  expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 'below 300', answer.text]);
  return answer.body;
}

const past = (kind: string, id: string) => `/audit/entities/${kind}/${id}`;
const stateNow = async (kind: string, id: string) =>
  (await call('GET', `${past(kind, id)}/state?at=${new Date().toISOString()}`)).state;

const newProduct = (description: string, extra: object = {}) =>
  call('POST', '/products', { description, priceCash: 10, priceCredit: 11, ...extra });

const without = (record: object, ...derived: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([member]) => !derived.includes(member)));

test('the past state of what moves stock is what the interface gives of it', async () => {
  const [variantId] = (await newProduct('Fubá')).variants.map(({ id }: { id: string }) => id);
  const other = await call('POST', '/locations', { name: 'Depósito' });
  const items = [{ variantId, quantity: 8, unitCost: 1.5 }];
  const receipt = await call('POST', '/stock/receipts', { supplier: 'Moinho', items });
  const adjustment = await call('POST', '/stock/adjustments', {
    reason: 'Contagem',
    items: [{ variantId, quantity: -1 }],
  });
  const transfer = await call('POST', '/stock/transfers', {
    fromLocationId: receipt.locationId,
    toLocationId: other.id,
    items: [{ variantId, quantity: 2 }],
  });
  for (const [kind, path, { id }] of [
    ['receipt', '/stock/receipts', receipt],
    ['adjustment', '/stock/adjustments', adjustment],
    ['transfer', '/stock/transfers', transfer],
  ] as const) {
    expect(await stateNow(kind, id)).toEqual(await call('GET', `${path}/${id}`));
  }
});

test('the past of a lot says what was left of it, and who blocked it why', async () => {
  const [variantId] = (await newProduct('Canjica')).variants.map(({ id }: { id: string }) => id);
  const expiresAt = new Date(Date.now() + 40 * 86_400_000).toISOString();
  const receipt = await call('POST', '/stock/receipts', {
    items: [{ variantId, quantity: 8.5, unitCost: 2, lotCode: 'C-1', expiresAt }],
  });
  const [lot] = (await call('GET', `/stock/lots?variantId=${variantId}`)).items;
  const other = await call('POST', '/locations', { name: 'Sala fria' });
  await call('POST', '/stock/transfers', {
    fromLocationId: receipt.locationId,
    toLocationId: other.id,
    items: [{ variantId, quantity: 1 }],
  });
  await call('POST', '/sales', {
    items: [{ variantId, quantity: 2.3, unitPrice: 9 }],
    payments: [{ method: 'CASH', amount: 20.7 }],
  });
  await call('POST', `/stock/lots/${lot.lotId}/block`, { reason: 'Umidade' });
  const now = await stateNow('lot', lot.lotId);
  expect(now).toEqual(await call('GET', `/stock/lots/${lot.lotId}`));
  expect(now).toMatchObject({ quantity: 6.2, expired: false, marks: [{ reason: 'Umidade', status: 'BLOCKED' }] });
  const { state } = await call('GET', `${past('lot', lot.lotId)}/state?at=${lot.receivedAt}`);
  expect(state).toEqual({ ...now, quantity: 8.5, status: 'AVAILABLE', marks: [] });
});

test('the past of an order is what the interface gives of it, with the last day of what it made', async () => {
  const [flour, bread] = [await newProduct('Farinha de milho'), await newProduct('Broa')];
  const [input, finishedVariantId] = [flour.variants[0].id, bread.variants[0].id];
  await call('POST', '/stock/receipts', { items: [{ variantId: input, quantity: 5, unitCost: 2 }] });
  const items = [{ componentVariantId: input, quantity: 1 }];
  const recipe = await call('POST', '/bakery-production/recipes', { name: 'Broa', finishedVariantId, items });
  const expiresAt = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const body = { recipeId: recipe.id, batches: 2, outputExpiresAt: expiresAt };
  const { id } = await call('POST', '/bakery-production/orders', body);
  const order = await call('GET', `/bakery-production/orders/${id}`);
  expect(order.outputExpiresOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await stateNow('order', id)).toEqual(order);
});

test('a last day is the one that the store had then, also where it has moved to another time zone since', async () => {
  const { call: ask } = await world.newStore();
  const body = async (method: string, path: string, sent?: unknown): Promise<any> =>
    (await ask(method, path, sent)).body;
  const product = await body('POST', '/products', { description: 'Queijo', priceCash: 10, priceCredit: 11 });
  const items = [{ variantId: product.variants[0].id, quantity: 5, unitCost: 2, expiresAt: '2035-10-26' }];
  const receipt = await body('POST', '/stock/receipts', { items });
  const [{ lotId }] = receipt.items;
  const lot = await body('GET', `/stock/lots/${lotId}`);
  const then = new Date().toISOString();
  await until('the next millisecond', () => new Date().toISOString() > then);
  await body('PATCH', '/store', { timeZone: 'America/Noronha' });
  const states = async (at: string) =>
    Promise.all(
      [past('lot', lotId), past('receipt', receipt.id)].map(
        async (record) => (await body('GET', `${record}/state?at=${at}`)).state,
      ),
    );
  expect(lot.expiresOn).toBe('2035-10-26');
  expect(await states(then)).toEqual([lot, receipt]);
  const moved = await body('GET', `/stock/lots/${lotId}`);
  expect(moved.expiresOn).toBe('2035-10-27');
  expect(await states(new Date().toISOString())).toEqual([moved, await body('GET', `/stock/receipts/${receipt.id}`)]);
});

test('the past of a sale says what it cost and left, to those who may see costs', async () => {
  const [variantId] = (await newProduct('Pamonha')).variants.map(({ id }: { id: string }) => id);
  await call('POST', '/stock/receipts', { items: [{ variantId, quantity: 5, unitCost: 4 }] });
  const { id } = await call('POST', '/sales', {
    items: [{ variantId, quantity: 2, unitPrice: 10 }],
    payments: [{ method: 'CASH', amount: 20 }],
  });
  const sale = await call('GET', `/sales/${id}`);
  expect(sale).toMatchObject({ cost: 8, margin: 12 });
  expect(await stateNow('sale', id)).toEqual(without(sale, 'customerName'));
  const accountant = await world.newKey(store.slug, 'audit.view,sales.view');
  const { body } = await accountant.call('GET', `${past('sale', id)}/state?at=${new Date().toISOString()}`);
  expect(body.state).toMatchObject({ id, total: 20 });
  expect(JSON.stringify(body.state)).not.toMatch(/"(cost|margin)"/);
});

test('the past state of settings is what the interface gives of them', async () => {
  const destination = await call('POST', '/outbound-webhooks', { url: 'https://example.com/hook' });
  const key = await call('POST', '/api-keys', { name: 'Balança', permissions: ['stock.view', 'products.view'] });
  const user = await call('POST', '/users', {
    username: 'past.baker',
    email: 'past.baker@example.com',
    name: 'Bia',
    password: 'uma frase bem longa',
    role: 'BAKER',
  });
  const rule = (await call('GET', '/fiscal/tax-rules')).items[0];
  await call('PATCH', `/fiscal/tax-rules/${rule.id}`, { name: 'Outra' });
  const shown = await call('GET', `/outbound-webhooks/${destination.id}`);
  expect(await stateNow('destination', destination.id)).toEqual(without(shown, 'lastDelivery', 'health'));
  expect(await stateNow('apiKey', key.id)).toEqual(without(key, 'key', 'lastUsedAt'));
  const account = ['username', 'email', 'lastSeenAt', 'online', 'updatedAt'];
  expect(without(await stateNow('user', user.id), 'updatedAt')).toEqual(without(user, ...account));
  expect(await stateNow('taxRule', rule.id)).toEqual(await call('GET', `/fiscal/tax-rules/${rule.id}`));
  const { fiscal, ...settings } = await call('GET', '/store');
  await call('PATCH', '/store', { tradeName: 'Outro nome' });
  expect(without(await stateNow('store', settings.id), 'fiscal')).toEqual({ ...settings, tradeName: 'Outro nome' });
  expect(fiscal).toBeDefined();
});

test('the parts of a kit are part of its past', async () => {
  const [flour, sugar] = [await newProduct('Farinha'), await newProduct('Açúcar')];
  const parts = (...quantities: readonly number[]) =>
    [flour, sugar].slice(0, quantities.length).map(({ variants }, index) => ({
      componentVariantId: variants[0].id,
      quantity: quantities[index],
    }));
  const kit = await newProduct('Cesta', { isComposite: true, components: parts(1) });
  const before = await stateNow('product', kit.id);
  await call('PATCH', `/products/${kit.id}`, { components: parts(3, 2) });
  expect(before.components).toEqual(kit.components);
  expect((await stateNow('product', kit.id)).components).toMatchObject(parts(3, 2));
  const changes = await call('GET', `${past('product', kit.id)}/changes`);
  expect(changes).toContainEqual(
    expect.objectContaining({ path: expect.stringMatching(/^components/) as unknown, from: 1, to: 3 }),
  );
});

test('what another record takes from one shows in its past', async () => {
  const [first, second] = [
    await call('POST', '/locations', { name: 'Loja', isDefault: true }),
    await call('POST', '/locations', { name: 'Fábrica', isDefault: true }),
  ];
  expect(first.isDefault).toBe(true);
  expect(await stateNow('location', first.id)).toEqual(await call('GET', `/locations/${first.id}`));
  expect(await stateNow('location', second.id)).toEqual(second);
  expect((await call('GET', `${past('location', first.id)}/changes`)).at(-1)).toMatchObject({
    path: 'isDefault',
    from: true,
    to: false,
  });
  const machine = (name: string) => call('POST', '/card-fees/accounts', { name, debitFeePercent: 1.5 });
  const [one, two] = [await machine('Balcão'), await machine('Entrega')];
  await call('POST', `/card-fees/accounts/${two.id}/activate`);
  const { accounts } = await call('GET', '/card-fees');
  for (const { id } of [one, two]) {
    expect(await stateNow('cardAccount', id)).toEqual(accounts.find((each: { id: string }) => each.id === id));
  }
  expect((await store.call('GET', `${past('location', one.id)}/changes`)).status).toBe(404);
});

test('a product loses a deleted category, brand or tag in its past as well', async () => {
  const [category, brand, kept, tag] = await Promise.all([
    call('POST', '/categories', { name: 'Broas' }),
    call('POST', '/brands', { name: 'Moenda' }),
    call('POST', '/product-tags', { name: 'Da semana' }),
    call('POST', '/product-tags', { name: 'De milho' }),
  ]);
  const { id } = await newProduct('Broa de fubá', {
    categoryId: category.id,
    brandId: brand.id,
    tagIds: [kept.id, tag.id],
  });
  const [told] = (await call('GET', `/audit/events?entityKind=product&entityId=${id}`)).items;
  await until('the next millisecond', () => new Date().toISOString() > told.at);
  await call('DELETE', `/product-tags/${tag.id}`);
  await call('PATCH', `/products/${id}`, { priceCash: 12 });
  await call('POST', '/categories/bulk-delete', { ids: [category.id] });
  await call('DELETE', `/brands/${brand.id}`);

  const named = ({ categoryId, brandId, tagIds }: any) => ({ categoryId, brandId, tagIds });
  const alone = { categoryId: null, brandId: null, tagIds: [kept.id] };
  expect(named(await call('GET', `/products/${id}`))).toEqual(alone);
  expect(named(await stateNow('product', id))).toEqual(alone);
  const { state: before } = await call('GET', `${past('product', id)}/state?at=${told.at}`);
  expect(named(before)).toEqual({ categoryId: category.id, brandId: brand.id, tagIds: [kept.id, tag.id] });

  const period = `from=${told.at}&to=${new Date().toISOString()}`;
  const changes = await call('GET', `${past('product', id)}/changes?${period}`);
  const types = new Map<string, string>(
    (await call('GET', '/audit/events?limit=200')).items.map((event: any) => [event.id, event.type]),
  );
  expect(
    changes
      .filter(({ path }: any) => /Id|price/.test(path))
      .map(({ path, from, to, eventId }: any) => [path, from, to, types.get(eventId)]),
  ).toEqual([
    ['tagIds[1]', tag.id, null, 'ProductTagsDeleted'],
    ['priceCash', 10, 12, 'ProductChanged'],
    ['categoryId', category.id, null, 'CategoriesDeleted'],
    ['brandId', brand.id, null, 'BrandsDeleted'],
  ]);
});

test('a card machine loses the rates of a brand with the brand, in its past as well', async () => {
  const { id } = await call('POST', '/card-fees/accounts', { name: 'Quiosque', debitFeePercent: 1.5 });
  const { brands } = await call('POST', '/card-fees/brands', { name: 'Vale do Bairro' });
  const cardBrandId = brands.find((brand: { name: string }) => brand.name === 'Vale do Bairro').id;
  const rates = [{ cardType: 'debit', installments: 1, feePercent: 2 }];
  await call('PUT', `/card-fees/accounts/${id}/brand-rates`, { cardBrandId, rates });
  expect((await stateNow('cardAccount', id)).brandRates).toEqual([{ cardBrandId, rates }]);
  await call('DELETE', `/card-fees/brands/${cardBrandId}`);
  expect((await stateNow('cardAccount', id)).brandRates).toEqual([]);
  expect((await call('GET', `${past('cardAccount', id)}/changes`)).at(-1)).toMatchObject({
    path: 'brandRates[0]',
    from: { cardBrandId, rates },
    to: null,
  });
});

test('the changes up to now are all that there are, also where earlier ones bear the time of a clock that was ahead', async () => {
  const ahead = await openWorld({ clock: { now: () => Date.now() + 3_600_000 } });
  const { slug, call: before } = await ahead.newStore();
  const { id } = (await before('POST', '/categories', { name: 'Pães' })).body;
  await ahead.close('keep');
  const later = await openWorld({ dataDir: ahead.dataDir });
  try {
    const client = await later.newKey(slug);
    await client.call('PATCH', `/categories/${id}`, { name: 'Pães e bolos' });
    const { body } = await client.call('GET', `${past('category', id)}/changes`);
    expect(body.at(-1)).toMatchObject({ path: 'name', from: 'Pães', to: 'Pães e bolos' });
  } finally {
    await later.close();
  }
});

test('what is recorded after a start bears no earlier time than what was before, where the clock was set back by seconds', async () => {
  const startedAt = Date.now();
  const ahead = await openWorld({ clock: systemClock(() => startedAt) });
  const { slug, call: before } = await ahead.newStore();
  const { id: first } = (await before('POST', '/categories', { name: 'Pães' })).body;
  await ahead.close('keep');
  const later = await openWorld({ dataDir: ahead.dataDir, clock: systemClock(() => startedAt - 40_000) });
  try {
    const { call } = await later.newKey(slug);
    const { id: second } = (await call('POST', '/customers', { name: 'Ana' })).body;
    const recordedAt = async (kind: string, id: string) => (await call('GET', past(kind, id))).body.items[0].at;
    expect(Date.parse(await recordedAt('customer', second))).toBeGreaterThanOrEqual(
      Date.parse(await recordedAt('category', first)),
    );
  } finally {
    await later.close();
  }
});

test('a fee that a process with a slower clock worked out anew is in the past of its sale', async () => {
  const clockFrom = (start: string) => {
    let now = Date.parse(start);
    return { now: () => now++ };
  };
  const ahead = await openWorld({ clock: clockFrom('2026-03-20T13:00:00Z') });
  const seller = await ahead.newStore();
  const { variantId } = await plainProduct(seller, 'Pão');
  const machine = (await seller.call('POST', '/card-fees/accounts', { name: 'Balcão' })).body;
  const sale = (
    await seller.call('POST', '/sales', {
      items: [{ variantId, quantity: 1, unitPrice: 100 }],
      payments: [{ method: 'DEBIT', amount: 100 }],
      allowNegativeStock: true,
    })
  ).body;
  await ahead.close('keep');
  const behind = await openWorld({ dataDir: ahead.dataDir, clock: clockFrom('2026-03-20T12:00:00Z') });
  try {
    const client = await behind.newKey(seller.slug);
    await client.call('PATCH', `/card-fees/accounts/${machine.id}`, { debitFeePercent: 2 });
    await client.call('POST', '/card-fees/calc-jobs', { month: '2026-03' });
    const shown = async () => (await client.call('GET', `/sales/${sale.id}`)).body;
    await until('the fee is known', async () => (await shown()).payments[0].fee === 2);
    const { state } = (await client.call('GET', `${past('sale', sale.id)}/state?at=2026-03-20T14:00:00Z`)).body;
    const { payments, margin } = await shown();
    expect(state).toMatchObject({ payments, margin });
  } finally {
    await behind.close();
  }
});

test('what a store has from its beginning has a past too, before anything of it is changed', async () => {
  const fresh = await world.newStore();
  const read = async (path: string) => {
    const { status, text, body } = await fresh.call('GET', path);
    expect([status, text]).toEqual([200, text]);
    return body;
  };
  const [location] = (await read('/locations')).items;
  const [brand] = (await read('/card-fees')).brands;
  const [rule] = (await read('/fiscal/tax-rules')).items;
  const begun = new Date().toISOString();
  for (const [kind, record] of [
    ['location', location],
    ['cardBrand', brand],
    ['taxRule', rule],
  ]) {
    const path = past(kind, record.id);
    expect((await read(path)).items).toEqual([]);
    expect((await read(`${path}/state?at=${begun}`)).state).toEqual(record);
    expect(await read(`${path}/changes`)).toEqual([]);
    expect((await fresh.call('GET', `${path}/state?at=2020-01-01`)).body).toMatchObject({ code: 'NOT_YET' });
    // Another store's.
    expect((await store.call('GET', path)).status).toBe(404);
  }

  await until('the clock has moved on', () => new Date().toISOString() > begun);
  expect((await fresh.call('PATCH', '/store', { fiscal: { taxRegime: 'NORMAL' } })).status).toBe(200);
  const { id } = rule;
  const normal = await read(`/fiscal/tax-rules/${id}`);
  expect(normal).not.toEqual(rule);
  const regimeChanged = new Date().toISOString();
  await until('the clock has moved on', () => new Date().toISOString() > regimeChanged);
  expect((await fresh.call('PATCH', `/fiscal/tax-rules/${id}`, { cfopInState: '5103' })).status).toBe(200);
  const renamed = { name: 'Balcão' };
  expect((await fresh.call('PATCH', `/locations/${location.id}`, renamed)).status).toBe(200);

  expect((await read(`${past('taxRule', id)}/state?at=${begun}`)).state).toEqual(rule);
  expect((await read(`${past('taxRule', id)}/state?at=${regimeChanged}`)).state).toEqual(normal);
  expect((await read(`${past('location', location.id)}/state?at=${begun}`)).state).toEqual(location);
  expect(await read(`${past('taxRule', id)}/changes`)).toMatchObject([{ path: 'cfopInState', to: '5103' }]);
  const changed = (await read(`${past('location', location.id)}/changes`)).filter(
    ({ path }: { path: string }) => path !== 'updatedAt',
  );
  expect(changed).toMatchObject([{ path: 'name', from: location.name, to: 'Balcão' }]);
});
