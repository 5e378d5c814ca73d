import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted } from '../support/bakery.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { download, recallOf } from '../support/traced-bakery.js';
import { sheetsOf } from '../support/unzipped.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A recalled lot of which one sale has an authorized document, one a cancelled one, and one none. */

const CPF = '12345678909';

let world: World;
let store: StoreClient;
let variantId: string;
let keys: readonly string[];

const post = async <T>(path: string, body: object): Promise<T> =>
  (await granted(store.call('POST', path, body))).body as T;

beforeAll(async () => {
  world = await openWorld();
  store = await fiscalStore(world);
  ({ variantId } = await soldSale(store));
  const lot = { variantId, quantity: 10, unitCost: 1, lotCode: '007', expiresAt: '2031-05-06' };
  await post('/stock/receipts', { supplier: 'Moinho "Sul"', document: 'NF 55', items: [lot] });
  const customer = await post<{ id: string }>('/customers', { name: 'Ana', document: CPF, phone: '+5511987650001' });
  const sell = async (more: object = {}) =>
    (
      await post<{ id: string }>('/sales', {
        items: [{ variantId, quantity: 2, unitPrice: 9.99, lotCode: '007' }],
        payments: [{ method: 'CASH', amount: 19.98 }],
        ...more,
      })
    ).id;
  const [first, second] = [await sell({ customerId: customer.id }), await sell()];
  await sell();
  const issue = (saleId: string) => post<{ id: string; accessKey: string }>('/fiscal/documents', { saleId, model: 65 });
  const [kept, dropped] = [await issue(first), await issue(second)];
  await post(`/fiscal/documents/${dropped.id}/cancel`, { reason: 'Cliente desistiu da compra' });
  keys = [kept.accessKey, dropped.accessKey];
});
afterAll(() => world.close());

test('each sale shows its fiscal documents, and those that stand are counted', async () => {
  const { sales, summary } = await recallOf(store, { lotCode: '007' });
  expect(summary).toMatchObject({ sales: 3, customers: 1, invoices: 1 });
  expect(sales.map(({ fiscalDocuments }) => fiscalDocuments)).toMatchObject([
    [{ model: 65, accessKey: keys[0], status: 'AUTHORIZED' }],
    [{ model: 65, accessKey: keys[1], status: 'CANCELLED' }],
    [],
  ]);
});

test('csv has them, and who delivered the lot', async () => {
  const { text } = await download(world.url, store, { lotCode: '007', format: 'csv' });
  const [head = '', ...lines] = text.slice(1).split('\r\n');
  expect(
    head.endsWith(';model;series;number;accessKey;fiscalStatus;location;supplier;supplierDocument;expiresOn'),
  ).toBe(true);
  expect(lines[0]).toContain(
    `;Ana;${CPF};'+5511987650001;;65;1;1;${keys[0] ?? ''};AUTHORIZED;Principal;"Moinho ""Sul""";NF 55;2031-05-06`,
  );
  expect(lines[2]).toContain(';;;;;;;;;;Principal;');
});

test('a workbook has all of it, with documents, phones and keys whole', async () => {
  const query = String(new URLSearchParams({ lotCode: '007', format: 'xlsx' }));
  const answer = await fetch(`${world.url}/bakery-production/recall?${query}`, {
    headers: { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug },
  });
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="recall-007.xlsx"');
  const sheets = sheetsOf(Buffer.from(await answer.arrayBuffer()));
  expect(Object.keys(sheets)).toEqual(['Resumo', 'Lotes', 'Vendas', 'Clientes', 'O que resta']);
  const summary = new Map(sheets['Resumo']?.map(([name, value]) => [name, value]));
  expect(summary.get('Lote procurado')).toBe('007');
  expect(['Vendas', 'Clientes a avisar', 'Notas fiscais', 'Vendido (UN)'].map((name) => summary.get(name))).toEqual([
    3, 1, 1, 6,
  ]);
  const moments = ['Emitido em', 'Primeira venda', 'Última venda'].map((name) => summary.get(name));
  expect(moments.map((moment) => typeof moment)).toEqual(['number', 'number', 'number']);
  expect(sheets['Resumo']?.[0]).toEqual(['Lote procurado', '007']);
  expect(summary.get('Fornecedor')).toMatch(/^Moinho "Sul" · NF 55 · /);
  expect(sheets['Lotes']?.[1]?.slice(0, 7)).toEqual([
    '007',
    'Pão francês',
    'UN',
    'Lote procurado',
    0,
    'Liberado',
    47974,
  ]);
  const [head = [], first = []] = sheets['Vendas'] ?? [];
  const cells = Object.fromEntries(head.map((title, index) => [title, first[index]]));
  expect(cells).toMatchObject({
    Venda: 2,
    Produto: 'Pão francês',
    Lote: '007',
    Quantidade: 2,
    Líquida: 2,
    Cliente: 'Ana',
    'CPF/CNPJ': CPF,
    Telefone: '+5511987650001',
    'Chave de acesso': keys[0],
    'Situação da nota': 'Autorizado',
    Modelo: 65,
    Local: 'Principal',
  });
  expect(sheets['Vendas']).toHaveLength(4);
  expect(sheets['Clientes']?.slice(1).map((row) => row.slice(0, 5))).toEqual([['Ana', CPF, '+5511987650001', null, 1]]);
  expect(sheets['O que resta']?.[1]?.slice(0, 6)).toEqual(['007', 'Pão francês', 'Principal', 4, 'UN', 47974]);
});
