import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { sheetsOf } from '../support/unzipped.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

let world: World;
let store: StoreClient;
let shop: string;
let cellar: string;
let dairy: string;
let flour: string;
let milk: string;
let bread: string;

interface Row {
  readonly variantId: string;
  readonly locationId: string;
  readonly lotId?: string;
  readonly quantity: number;
  readonly value?: number;
}
interface Valuation {
  readonly at: string;
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
  readonly partial: boolean;
  readonly totals?: {
    readonly value: number;
    readonly byCategory: readonly object[];
    readonly byProduct: readonly object[];
    readonly byLocation: readonly { readonly locationId: string; readonly value: number }[];
  };
}

const get = async <T>(path: string, client = store): Promise<T> => (await granted(client.call('GET', path))).body as T;
const post = async <T>(path: string, body: object): Promise<T> =>
  (await granted(store.call('POST', path, body))).body as T;
const valuation = (query = '', client = store) => get<Valuation>(`/stock/valuation?${query}`, client);
const sum = (numbers: readonly number[]): string => Decimal.sum(numbers.map((one) => Decimal.from(one))).toString();

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  shop = (await get<{ items: { id: string }[] }>('/locations')).items[0]?.id ?? '';
  cellar = (await post<{ id: string }>('/locations', { name: 'Depósito' })).id;
  dairy = (await post<{ id: string }>('/categories', { name: 'Laticínios' })).id;
  const codes = { sku: '0007', gtin: '7891000100103', ncm: '04011010' };
  flour = (await newProduct(store, 'Farinha', { saleUnit: 'KG', ...codes })).variantId;
  milk = (await newProduct(store, 'Leite', { saleUnit: 'L', categoryId: dairy })).variantId;
  bread = (await newProduct(store, 'Pão')).variantId;
  await post('/stock/receipts', {
    supplier: 'Moinho',
    items: [
      { variantId: flour, quantity: 3, unitCost: 3.3333333333, lotCode: 'F1', expiresAt: '2031-01-31' },
      { variantId: flour, quantity: 7, unitCost: 4 },
      { variantId: milk, quantity: 12.5, unitCost: 5.01 },
    ],
  });
  const items = [{ componentVariantId: flour, quantity: 1 }];
  const { id: recipeId } = await newRecipe(store, { name: 'Pão', finishedVariantId: bread, yieldQty: 3, items });
  await post('/bakery-production/orders', { recipeId, batches: 2 });
  const move = { fromLocationId: shop, toLocationId: cellar };
  await post('/stock/transfers', { ...move, items: [{ variantId: flour, quantity: 4.5 }] });
  const sell = (variantId: string, quantity: number) =>
    post<{ id: string }>('/sales', {
      items: [{ variantId, quantity, unitPrice: 1 }],
      payments: [{ method: 'CASH', amount: quantity }],
      allowNegativeStock: true,
    });
  const sale = await sell(bread, 4);
  await sell(milk, 13);
  await post(`/sales/${sale.id}/returns`, { items: [{ variantId: bread, quantity: 1 }] });
  await post('/stock/adjustments', { reason: 'Azedou', items: [{ variantId: flour, quantity: -0.3 }] });
  await post('/stock/receipts', { items: [{ variantId: milk, quantity: 2, unitCost: 6 }] });
});
afterAll(() => world.close());

test('it says what is there and what that is worth, by variant and location, with totals', async () => {
  const { items, partial, totals, nextCursor } = await valuation();
  expect(items).toMatchObject([
    {
      variantId: flour,
      description: 'Farinha',
      unit: 'KG',
      category: null,
      location: expect.any(String) as unknown as string,
    },
    { variantId: flour },
    { variantId: milk, description: 'Leite', category: 'Laticínios', categoryId: dairy, quantity: 1.5, value: 9 },
    { variantId: bread, description: 'Pão', location: 'Principal', quantity: 3, value: 3.335, unitCost: 1.1116666667 },
  ]);
  expect([partial, nextCursor]).toEqual([false, null]);
  const values = items.map(({ value = 0 }) => value);
  expect(String(totals?.value)).toBe(sum(values));
  expect(totals?.byCategory).toEqual([
    { categoryId: null, category: null, value: Number(sum([values[0] ?? 0, values[1] ?? 0, 3.335])) },
    { categoryId: dairy, category: 'Laticínios', value: 9 },
  ]);
  expect(totals?.byProduct).toMatchObject([{ description: 'Farinha' }, { quantity: 1.5, value: 9 }, { value: 3.335 }]);
  expect(sum(totals?.byLocation.map(({ value }) => value) ?? [])).toBe(sum(values));
});

test('at any moment it is what the ledger says up to then, in quantity and in value', async () => {
  const { items: ledger } = await get<{ items: (Row & { at: string })[] }>('/stock/movements?limit=200');
  for (const { at } of ledger) {
    const past = ledger.filter((row) => row.at <= at && row.lotId);
    const expected = new Map<string, [quantity: string, value: string]>();
    for (const { lotId, locationId } of past) {
      const own = past.filter((row) => row.lotId === lotId && row.locationId === locationId);
      const quantity = sum(own.map((row) => row.quantity));
      if (quantity !== '0')
        expected.set(`${String(lotId)} ${locationId}`, [quantity, sum(own.map((row) => row.value ?? 0))]);
    }
    const { items } = await valuation(`by=lot&at=${at}&limit=200`);
    const found = items.map((row) => [
      `${String(row.lotId)} ${row.locationId}`,
      [String(row.quantity), sum([row.value ?? 0])],
    ]);
    expect(new Map(found as never)).toEqual(expected);
    const { totals } = await valuation(`at=${at}`);
    expect(String(totals?.value)).toBe(sum(items.map(({ value = 0 }) => value)));
  }
  expect(await valuation('at=2020-01-01')).toMatchObject({ items: [], totals: { value: 0 } });
});

test('it is read page by page, and of one place alone', async () => {
  for (const by of ['place', 'lot']) {
    const { items, at } = await valuation(`by=${by}`);
    const paged: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Valuation = await valuation(`by=${by}&limit=2&at=${at}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.totals === undefined).toBe(cursor !== '');
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(items);
    const own = await valuation(`by=${by}&variantId=${flour}&locationId=${cellar}`);
    expect(own.items).toEqual(items.filter((row) => row.variantId === flour && row.locationId === cellar));
    expect(String(own.totals?.value)).toBe(sum(own.items.map(({ value = 0 }) => value)));
  }
  const { nextCursor } = await valuation('by=lot&limit=1');
  for (const cursor of ['x', nextCursor ?? '']) {
    expect((await store.call('GET', `/stock/valuation?cursor=${cursor}`)).status).toBe(400);
  }
});

test('without production.costs what production made has no value, and there are no totals', async () => {
  const blind = await world.newKey(store.slug, 'stock.view');
  const all = await valuation('', blind);
  expect([all.partial, all.totals]).toEqual([true, undefined]);
  expect(all.items.map((row) => [row.variantId === bread, 'value' in row, 'unitCost' in row])).toEqual(
    all.items.map(({ variantId }) => [variantId === bread, variantId !== bread, variantId !== bread]),
  );
  const bought = await valuation(`variantId=${milk}`, blind);
  expect([bought.partial, bought.totals?.value]).toEqual([false, 9]);
});

test('it comes as a file with all rows, and as a workbook with its totals', async () => {
  const headers = { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug };
  const file = async (query: string) => {
    const answer = await fetch(`${world.url}/stock/valuation?${query}`, { headers });
    return Buffer.from(await answer.arrayBuffer());
  };
  const lines = (await file('format=csv&by=lot&limit=1')).toString().split('\r\n');
  const { items, totals } = await valuation('by=lot');
  expect(lines).toHaveLength(items.length + 2);
  expect(lines[0]).toContain('description;unit;category;location;quantity;unitCost;value;lotCode;receivedAt;expiresOn');
  expect(lines.some((line) => line.startsWith('Leite;L;Laticínios;Principal;1,5;6;9;'))).toBe(true);
  const sheets = sheetsOf(await file('format=xlsx'));
  const [titles = [], first = []] = sheets['Estoque'] ?? [];
  expect(titles.slice(7, 10)).toEqual(['Código', 'Código de barras', 'NCM']);
  expect(first.slice(7, 10)).toEqual(['0007', '7891000100103', '04011010']);
  expect(Object.keys(sheets)).toEqual(['Estoque', 'Por categoria', 'Por produto', 'Por local']);
  expect(sheets['Por categoria']?.at(-1)).toEqual(['Total', totals?.value]);
});

test('its file has the name of the day in the zone of the store, not of that in Greenwich', async () => {
  const named = async (at: string): Promise<string | null> =>
    (await store.call('GET', `/stock/valuation?format=csv&at=${at}`)).headers.get('content-disposition');
  expect(await named('2026-10-31')).toBe('attachment; filename="valuation-2026-10-31.csv"');
  expect(await named('2026-10-31T23:30:00-03:00')).toBe('attachment; filename="valuation-2026-10-31.csv"');
});

test('of now it shows what was just received, also where what was received before bears the time of a clock that was ahead', async () => {
  const receive = async (client: StoreClient, variantId: string) => {
    await granted(client.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 1, unitCost: 2 }] }));
    return get<Valuation>('/stock/valuation', client);
  };
  const ahead = await openWorld({ clock: { now: () => Date.now() + 3_600_000 } });
  const { slug, ...before } = await ahead.newStore();
  const { variantId } = await newProduct({ slug, ...before }, 'Farinha');
  const first = await receive({ slug, ...before }, variantId);
  expect(first.items).toMatchObject([{ quantity: 1 }]);
  await ahead.close('keep');
  const later = await openWorld({ dataDir: ahead.dataDir });
  try {
    const client = await later.newKey(slug);
    const now = await receive(client, variantId);
    expect(now.items).toMatchObject([{ quantity: 2, value: 4 }]);
    // The moment that it names is one at which that was so.
    expect((await get<Valuation>(`/stock/valuation?at=${now.at}`, client)).items).toEqual(now.items);
  } finally {
    await later.close();
  }
});
