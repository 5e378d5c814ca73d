import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import { sheetsOf } from '../support/unzipped.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** One flour and the bread that is made of it, with everything that can happen to them. */

let world: World;
let store: StoreClient;
let shop: string;
let cellar: string;
let flour: string;
let bread: string;
let lotId: string;

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly lotId: string | null;
  readonly locationId: string;
  readonly quantity: number;
  readonly lotBalance: number;
  readonly value?: number;
  readonly unitCost?: number;
}

const get = async <T>(path: string, client = store): Promise<T> => (await granted(client.call('GET', path))).body as T;
const post = async <T>(path: string, body: object): Promise<T> =>
  (await granted(store.call('POST', path, body))).body as T;

async function allRows(query: string, client = store): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { items: Row[]; nextCursor: string | null } = await get(`/stock/movements?${query}${at}`, client);
    rows.push(...page.items);
    cursor = page.nextCursor;
  }
  return rows;
}

/** A file as its bytes. */
async function fileOf(path: string): Promise<{ readonly type: string | null; readonly bytes: Buffer }> {
  const headers = { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug };
  const answer = await fetch(world.url + path, { headers });
  expect(answer.status).toBe(200);
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
}

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  shop = (await get<{ items: { id: string }[] }>('/locations')).items[0]?.id ?? '';
  cellar = (await post<{ id: string }>('/locations', { name: 'Depósito' })).id;
  flour = (await newProduct(store, 'Farinha', { saleUnit: 'KG' })).variantId;
  bread = (await newProduct(store, 'Pão')).variantId;
  const lot = { variantId: flour, quantity: 10, unitCost: 3, lotCode: '0042' };
  const receipt = await post<{ items: { lotId: string }[] }>('/stock/receipts', { supplier: 'Moinho', items: [lot] });
  lotId = receipt.items[0]?.lotId ?? '';
  const items = [{ componentVariantId: flour, quantity: 2 }];
  const { id: recipeId } = await newRecipe(store, { name: 'Pão', finishedVariantId: bread, yieldQty: 4, items });
  await post('/bakery-production/orders', { recipeId, batches: 1 });
  await post('/stock/transfers', {
    fromLocationId: shop,
    toLocationId: cellar,
    items: [{ variantId: flour, quantity: 3 }],
  });
  await post('/stock/adjustments', { reason: 'Molhou', items: [{ variantId: flour, quantity: -0.5, lotId }] });
  const line = { variantId: bread, quantity: 5, unitPrice: 2 };
  const payments = [{ method: 'CASH', amount: 10 }];
  await post('/sales', { items: [line], payments, allowNegativeStock: true });
});
afterAll(() => world.close());

test('a row says what moved, what it was worth, why, by whom and where that is written', async () => {
  const [adjusted] = await allRows(`variantId=${flour}&limit=1`);
  expect(adjusted).toMatchObject({
    kind: 'ADJUSTMENT',
    sourceKind: 'ADJUSTMENT',
    reason: 'Molhou',
    by: { kind: 'apiKey', name: 'Teste' },
    description: 'Farinha',
    unit: 'KG',
    lotId,
    lotCode: '0042',
    locationId: shop,
    location: 'Principal',
    quantity: -0.5,
    value: -1.5,
    unitCost: 3,
    balance: 4.5,
  });
  const sold = await allRows(`variantId=${bread}`);
  expect(sold.map(({ kind, lotId: lot, quantity, value }) => [kind, lot === null, quantity, value])).toEqual([
    ['SALE', true, -1, -1.5],
    ['SALE', false, -4, -6],
    ['OUTPUT', false, 4, 6],
  ]);
});

test('of a lot each row has what was left of it, however the rows are paged and wherever they end', async () => {
  for (const query of [`lotId=${lotId}`, `lotId=${lotId}&locationId=${shop}`, `lotId=${lotId}&locationId=${cellar}`]) {
    const rows = await allRows(query);
    let left = 0;
    for (const row of [...rows].reverse())
      expect([row.kind, row.lotBalance]).toEqual([row.kind, (left += row.quantity)]);
    expect(await allRows(`${query}&limit=1`)).toEqual(rows);
    for (const { at } of rows) {
      expect(await allRows(`${query}&to=${at}&limit=2`)).toEqual(rows.filter((row) => row.at <= at));
    }
  }
  expect((await allRows(`lotId=${lotId}`))[0]?.lotBalance).toBe(7.5);
  const tampered = Buffer.from('viel x').toString('base64url');
  expect((await store.call('GET', `/stock/movements?lotId=${lotId}&cursor=${tampered}`)).status).toBe(400);
});

test('a cursor of another period shows nothing beyond the one that is asked for', async () => {
  const rows = await allRows(`variantId=${flour}`);
  const { at: to = '' } = rows.at(-2) ?? {};
  const { nextCursor } = await get<{ nextCursor: string }>(`/stock/movements?variantId=${flour}&limit=1`);
  const asked = `variantId=${flour}&to=${to}`;
  expect(await allRows(`${asked}&cursor=${nextCursor}`)).toEqual(await allRows(asked));
});

test('the balances of a lot go on from a page of the same rows alone', async () => {
  const { nextCursor } = await get<{ nextCursor: string }>(`/stock/movements?lotId=${lotId}&limit=1`);
  const { at } = (await allRows(`lotId=${lotId}`)).at(-1) ?? {};
  for (const other of [`locationId=${shop}`, `to=${at ?? ''}`]) {
    const answer = await store.call('GET', `/stock/movements?lotId=${lotId}&${other}&cursor=${nextCursor}`);
    expect(refusal(answer)).toEqual([400, 'INVALID_INPUT']);
  }
});

test('what production made has no value without production.costs', async () => {
  const blind = await world.newKey(store.slug, 'stock.view');
  for (const row of await allRows(`variantId=${bread}`, blind)) {
    expect(row).not.toHaveProperty('value');
    expect(row).not.toHaveProperty('unitCost');
  }
  expect((await allRows(`variantId=${flour}`, blind)).every(({ value }) => value !== undefined)).toBe(true);
});

test('it comes as a file for spreadsheets as well, with all rows', async () => {
  const rows = await allRows(`lotId=${lotId}`);
  const csv = await fileOf(`/stock/movements?lotId=${lotId}&format=csv&limit=1`);
  expect(csv.type).toBe('text/csv; charset=utf-8');
  const lines = csv.bytes.toString().split('\r\n');
  expect(lines).toHaveLength(rows.length + 2);
  expect(lines[1]).toContain(';ADJUSTMENT;Farinha;KG;0042;Principal;-0,5;4,5;7,5;3;-1,5;Molhou;Teste;ADJUSTMENT;');
  const xlsx = sheetsOf((await fileOf(`/stock/movements?lotId=${lotId}&format=xlsx`)).bytes);
  const [head, first] = xlsx['Movimentos'] ?? [];
  expect(head?.slice(15, 17)).toEqual(['Código', 'Código de barras']);
  expect(head?.slice(0, 6)).toEqual(['Quando', 'Movimento', 'Produto', 'Unidade', 'Lote', 'Local']);
  // It is opened by people, and says what moved as they do.
  expect(first?.slice(1, 14)).toEqual([
    'Ajuste',
    'Farinha',
    'KG',
    '0042',
    'Principal',
    -0.5,
    4.5,
    7.5,
    3,
    -1.5,
    'Molhou',
    'Teste',
    'Ajuste',
  ]);
  expect(xlsx['Movimentos']).toHaveLength(rows.length + 1);
});
