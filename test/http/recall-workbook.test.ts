import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { granted, newProduct, newRecipe } from '../support/bakery.js';
import { SetClock } from '../support/people.js';
import { download, make } from '../support/traced-bakery.js';
import { sheetsOf } from '../support/unzipped.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** The whole of a recall's files: flour of two deliveries, bread that was made of it, sales of both, and what came back, was lost and is blocked. */

const MINUTE = 60_000;
const clock = new SetClock();
let world: World;
let store: StoreClient;
let products: Readonly<Record<'flour' | 'bread', string>>;
let sales: readonly string[];

const post = async (path: string, body: object): Promise<string> =>
  ((await granted(store.call('POST', path, body))).body as { readonly id: string }).id;

/** A minute after what was before it. */
async function sell(variantId: string, quantity: number, lotCode: string, customer: object): Promise<string> {
  clock.wait(MINUTE);
  const items = [{ variantId, quantity, unitPrice: 2, lotCode }];
  return post('/sales', { items, payments: [{ method: 'PIX', amount: quantity * 2 }], ...customer });
}

beforeAll(async () => {
  world = await openWorld({ clock });
  store = await world.newStore();
  // An hour behind where most stores are.
  await granted(store.call('PATCH', '/store', { timeZone: 'America/Manaus' }));
  const flour = await newProduct(store, 'Farinha', { saleUnit: 'KG', ncm: '19059090', gtin: '7896004000855' });
  const bread = await newProduct(store, 'Pão', { ncm: '19059020', gtin: '7891000315507' });
  products = { flour: flour.id, bread: bread.id };
  const items = [{ componentVariantId: flour.variantId, quantity: 5 }];
  const recipe = await newRecipe(store, { name: 'Pão', finishedVariantId: bread.variantId, yieldQty: 20, items });
  const deliver = (supplier: string, document: string, quantity: number, expiresAt: string) =>
    post('/stock/receipts', {
      supplier,
      document,
      items: [{ variantId: flour.variantId, quantity, unitCost: 2, lotCode: 'F-1', expiresAt }],
    });
  await deliver('Moinho Sul', 'NF 55', 30, '2026-05-06');
  clock.wait(MINUTE);
  await deliver('Moinho Norte', 'NF 7', 10, '2026-06-07');
  clock.wait(MINUTE);
  await make(store, recipe.id, 'P-1');
  const ana = {
    customerId: await post('/customers', { name: 'Ana', phone: '+5511987650001', email: 'ana@casa.example' }),
  };
  const bia = { customerId: await post('/customers', { name: 'Bia', document: '12345678909' }) };
  const first = await sell(bread.variantId, 3, 'P-1', ana);
  sales = [
    first,
    await sell(flour.variantId, 2, 'F-1', ana),
    await sell(bread.variantId, 4, 'P-1', ana),
    await sell(bread.variantId, 1, 'P-1', bia),
    await sell(bread.variantId, 2, 'P-1', {}),
  ];
  await post(`/sales/${first}/returns`, { items: [{ variantId: bread.variantId, quantity: 1 }] });
  await post('/stock/adjustments', { reason: 'Umidade', items: [{ variantId: flour.variantId, quantity: -1 }] });
  await granted(store.call('POST', '/stock/lots/block', { lotCode: 'P-1', reason: 'Suspeita' }));
});
afterAll(() => world.close());

/** As a spreadsheet counts the days: so many minutes after eight o'clock in Manaus on 2 March 2026. */
const at = (minutes: number): unknown => expect.closeTo(46_083 + (8 + minutes / 60) / 24, 6);
const FIRST_EXPIRY = 46_148;
const SECOND_EXPIRY = 46_180;
const ANA = ['Ana', null, '+5511987650001', 'ana@casa.example'];
const BIA = ['Bia', '12345678909', null, null];
const NOBODY = [null, null, null, null];
const NO_NOTE = [null, null, null, null, null];

describe('a workbook', () => {
  let sheets: ReturnType<typeof sheetsOf>;
  const rowsOf = (sheet: string) => sheets[sheet]?.slice(1);

  beforeAll(async () => {
    const answer = await fetch(`${world.url}/bakery-production/recall?lotCode=F-1&format=xlsx`, {
      headers: { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug },
    });
    sheets = sheetsOf(Buffer.from(await answer.arrayBuffer()));
  });

  test('says what the recall comes to, by unit and by product, and who delivered when', () => {
    expect(rowsOf('Resumo')).toEqual([
      ['Emitido em', at(7)],
      ['Lotes alcançados', 3],
      ['Vendas', 5],
      ['Clientes a avisar', 2],
      ['Vendas sem cliente', 1],
      ['Notas fiscais', 0],
      ['Primeira venda', at(3)],
      ['Última venda', at(7)],
      ['Vendido (KG)', 2],
      ['Devolvido (KG)', 0],
      ['Líquido (KG)', 2],
      ['Vendido (UN)', 10],
      ['Devolvido (UN)', 1],
      ['Líquido (UN)', 9],
      ['Fornecedor', 'Moinho Sul · NF 55 · 02/03/2026 08:00 · F-1'],
      ['Fornecedor', 'Moinho Norte · NF 7 · 02/03/2026 08:01 · F-1'],
      ['Farinha (KG): entrou', 40],
      ['Farinha (KG): vendido', 2],
      ['Farinha (KG): em estoque', 32],
      ['Farinha (KG): usado na produção', 5],
      ['Farinha (KG): perdido', 1],
      ['Farinha (KG): estornado', 0],
      ['Farinha (KG): explicado, em %', 100],
      ['Pão (UN): entrou', 20],
      ['Pão (UN): vendido', 9],
      ['Pão (UN): em estoque', 11],
      ['Pão (UN): usado na produção', 0],
      ['Pão (UN): perdido', 0],
      ['Pão (UN): estornado', 0],
      ['Pão (UN): explicado, em %', 100],
    ]);
  });

  test('has each lot, how it came into the recall and how it stands', () => {
    const bought = ['F-1', 'Farinha', 'KG', 'Lote procurado', 0, 'Liberado'];
    expect(rowsOf('Lotes')).toEqual([
      [...bought, FIRST_EXPIRY, at(0), 'Moinho Sul', 'NF 55'],
      [...bought, SECOND_EXPIRY, at(1), 'Moinho Norte', 'NF 7'],
      ['P-1', 'Pão', 'UN', 'Feito com ele', 1, 'Bloqueado', null, at(2), null, null],
    ]);
  });

  test('has each line that was sold, lot by lot, with what came back', () => {
    const [first, second, third, fourth, fifth] = sales;
    expect(rowsOf('Vendas')).toEqual([
      [2, at(4), 'Farinha', 'F-1', 2, 0, 2, 'KG', ...ANA, ...NO_NOTE, 'Principal', second],
      [1, at(3), 'Pão', 'P-1', 3, 1, 2, 'UN', ...ANA, ...NO_NOTE, 'Principal', first],
      [3, at(5), 'Pão', 'P-1', 4, 0, 4, 'UN', ...ANA, ...NO_NOTE, 'Principal', third],
      [4, at(6), 'Pão', 'P-1', 1, 0, 1, 'UN', ...BIA, ...NO_NOTE, 'Principal', fourth],
      [5, at(7), 'Pão', 'P-1', 2, 0, 2, 'UN', ...NOBODY, ...NO_NOTE, 'Principal', fifth],
    ]);
  });

  test('has whom to call, once each, with how much they bought and when for the last time', () => {
    expect(rowsOf('Clientes')).toEqual([
      [...ANA, 3, at(5), null],
      [...BIA, 1, at(6), null],
    ]);
  });

  test('has what is left to be taken from the shelves', () => {
    const bought = ['F-1', 'Farinha', 'Principal'];
    expect(rowsOf('O que resta')).toEqual([
      [...bought, 22, 'KG', FIRST_EXPIRY, 'Liberado', 'Moinho Sul', 'NF 55'],
      [...bought, 10, 'KG', SECOND_EXPIRY, 'Liberado', 'Moinho Norte', 'NF 7'],
      ['P-1', 'Pão', 'Principal', 11, 'UN', null, 'Bloqueado', null, null],
    ]);
  });
});

test('a table has the same lines, each with what is known of its lot', async () => {
  const { text } = await download(world.url, store, { lotCode: 'F-1', format: 'csv' });
  const bought = `F-1;F-1;0;${products.flour};Farinha;7896004000855;19059090;;2026-05-07T04:00:00.000Z;`;
  const made = `P-1;F-1;1;${products.bread};Pão;7891000315507;19059020;2026-03-02T12:02:00.000Z;;1`;
  const ana = "Ana;;'+5511987650001;ana@casa.example;;;;;;Principal";
  const [first, second, third, fourth, fifth] = sales;
  expect(text.split('\r\n').slice(1)).toEqual([
    `${bought};${String(second)};2026-03-02T12:04:00.000Z;2;0;2;KG;${ana};Moinho Sul;NF 55;2026-05-06`,
    `${made};${String(first)};2026-03-02T12:03:00.000Z;3;1;2;UN;${ana};;;`,
    `${made};${String(third)};2026-03-02T12:05:00.000Z;4;0;4;UN;${ana};;;`,
    `${made};${String(fourth)};2026-03-02T12:06:00.000Z;1;0;1;UN;Bia;12345678909;;;;;;;;Principal;;;`,
    `${made};${String(fifth)};2026-03-02T12:07:00.000Z;2;0;2;UN;;;;;;;;;;Principal;;;`,
    '',
  ]);
});
