import { afterAll, describe, expect, test } from '@jest/globals';
import { expectOk, refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import { sheetsOf } from '../support/unzipped.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const [bread, cake] = [await plainProduct(store, 'Pão'), await plainProduct(store, 'Bolo')];
await expectOk(store.call('PATCH', `/products/${cake.id}`, { saleUnit: 'KG' }));

const line = ({ variantId }: { readonly variantId: string }, quantity: number, unitPrice: number, discount = 0) => ({
  variantId,
  quantity,
  unitPrice,
  discount,
});
const paid = (...payments: readonly (readonly [method: string, amount: number])[]) =>
  payments.map(([method, amount]) => ({ method, amount }));

async function sell(occurredAt: string, items: readonly object[], payments: readonly object[]): Promise<string> {
  const body = { occurredAt, items, payments, allowNegativeStock: true };
  return ((await expectOk(store.call('POST', '/sales', body))) as { readonly id: string }).id;
}
const summary = async (query: string): Promise<unknown> =>
  ((await expectOk(store.call('GET', `/sales/summary?${query}`))) as { readonly items: unknown }).items;

const PERIOD = 'from=2026-03-01&to=2026-03-31';

describe('a summary of sales', () => {
  test('of a store without any is empty', async () => {
    const empty = await world.newStore();
    for (const by of ['day', 'product', 'payment']) {
      expect((await empty.call('GET', `/sales/summary?by=${by}`)).body).toEqual({ items: [] });
    }
  });

  test('is by day, by product and by payment; what came back counts on the day of its sale', async () => {
    // Two o'clock in the morning of UTC is the evening before in the store.
    const first = await sell(
      '2026-03-02T02:00:00Z',
      [line(bread, 2, 10), line(bread, 1, 10, 2.5), line(cake, 0.5, 30)],
      paid(['CASH', 10], ['PIX', 32.5]),
    );
    await sell('2026-03-05T12:00:00Z', [line(cake, 1, 30)], paid(['PIX', 30]));
    const wrong = await sell('2026-03-05T12:00:00Z', [line(bread, 9, 10)], paid(['OTHER', 90]));
    await sell('2026-04-01T12:00:00Z', [line(bread, 1, 10)], paid(['DEBIT', 10]));
    const back = [{ variantId: cake.variantId, quantity: 0.5 }];
    await expectOk(store.call('POST', `/sales/${first}/returns`, { items: back }));
    await expectOk(
      store.call('POST', `/sales/${wrong}/returns`, { items: [{ variantId: bread.variantId, quantity: 1 }] }),
    );
    await expectOk(store.call('POST', `/sales/${wrong}/cancel`, { reason: 'engano' }));

    const days = [
      { key: '2026-03-01', label: '2026-03-01', sales: 1, gross: 42.5, returned: 15, net: 27.5 },
      { key: '2026-03-05', label: '2026-03-05', sales: 1, gross: 30, returned: 0, net: 30 },
    ];
    expect(await summary(PERIOD)).toEqual(days);
    expect(await summary(`by=day&${PERIOD}`)).toEqual(days);
    expect(await summary(`by=product&${PERIOD}`)).toEqual([
      { key: cake.id, label: 'Bolo', sales: 2, quantity: 1, unit: 'KG', gross: 45, returned: 15, net: 30 },
      { key: bread.id, label: 'Pão', sales: 1, quantity: 3, unit: 'UN', gross: 27.5, returned: 0, net: 27.5 },
    ]);
    expect(await summary(`by=payment&${PERIOD}`)).toEqual([
      { key: 'PIX', label: 'Pix', sales: 2, gross: 62.5, returned: 15, net: 47.5 },
      { key: 'CASH', label: 'Dinheiro', sales: 1, gross: 10, returned: 0, net: 10 },
    ]);
  });

  test('comes as a file for a spreadsheet, by whatever it is summed', async () => {
    const headers = { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug };
    const fileOf = async (query: string) => {
      const answer = await fetch(`${world.url}/sales/summary?${query}&${PERIOD}`, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { name: answer.headers.get('content-disposition'), bytes, lines: bytes.toString().split('\r\n') };
    };
    const days = await fileOf('format=csv');
    expect(days.name).toBe('attachment; filename="sales-by-day-2026-03-01-2026-03-31.csv"');
    expect(days.lines).toEqual([
      '\uFEFFkey;sales;gross;returned;net',
      '2026-03-01;1;42,5;15;27,5',
      '2026-03-05;1;30;0;30',
      '',
    ]);
    expect((await fileOf('format=csv&by=product')).lines.slice(0, 2)).toEqual([
      '\uFEFFlabel;sales;quantity;unit;gross;returned;net;key',
      `Bolo;2;1;KG;45;15;30;${cake.id}`,
    ]);
    expect((await fileOf('format=csv&by=payment')).lines[1]).toBe('PIX;2;62,5;15;47,5');
    const sheetOf = async (by: string) => sheetsOf((await fileOf(`format=xlsx&by=${by}`)).bytes)['Vendas'];
    expect(await sheetOf('payment')).toEqual([
      ['Forma de pagamento', 'Vendas', 'Bruto', 'Devolvido', 'Líquido'],
      ['Pix', 2, 62.5, 15, 47.5],
      ['Dinheiro', 1, 10, 0, 10],
    ]);
    expect((await sheetOf('product'))?.[2]).toEqual(['Pão', 1, 3, 'UN', 27.5, 0, 27.5, bread.id]);
    expect(await sheetOf('day')).toHaveLength(3);
  });

  test('ends with a day of the store, and is of the last thirty days unless others are asked for', async () => {
    expect(await summary('from=2026-03-05&to=2026-03-05')).toMatchObject([{ key: '2026-03-05' }]);
    expect(await summary('from=2026-03-02&to=2026-03-04')).toEqual([]);
    expect(await summary('to=2026-03-30')).toMatchObject([{ key: '2026-03-01' }, { key: '2026-03-05' }]);
    expect(await summary('to=2026-03-31')).toMatchObject([{ key: '2026-03-05' }]);
    expect(await summary('from=2026-03-05&to=2026-03-01')).toEqual([]);
    await sell(new Date().toISOString(), [line(bread, 1, 10)], paid(['CASH', 10]));
    expect(await summary('by=payment')).toMatchObject([{ key: 'CASH', sales: 1, gross: 10 }]);
  });

  test('leaves sales on their days when the store moves to another time zone; the list goes by the new one', async () => {
    const moving = await world.newStore();
    const { variantId } = await plainProduct(moving, 'Pão');
    const body = {
      occurredAt: '2026-03-02T02:00:00Z',
      items: [{ variantId, quantity: 1, unitPrice: 10 }],
      payments: paid(['CASH', 10]),
      allowNegativeStock: true,
    };
    await expectOk(moving.call('POST', '/sales', body));
    await expectOk(moving.call('PATCH', '/store', { timeZone: 'America/Noronha' }));
    await expectOk(moving.call('POST', '/sales', body));
    const found = async (path: string) => ((await moving.call('GET', path)).body as { items: unknown[] }).items;
    expect(await found('/sales/summary?from=2026-03-01&to=2026-03-02')).toMatchObject([
      { key: '2026-03-01', sales: 1 },
      { key: '2026-03-02', sales: 1 },
    ]);
    expect(await found('/sales?from=2026-03-02&to=2026-03-02')).toHaveLength(2);
  });

  test('may be asked for all that there is, by a period far wider than that', async () => {
    expect(await summary('from=2000-01-01&to=2026-03-31')).toMatchObject([
      { key: '2026-03-01' },
      { key: '2026-03-05' },
    ]);
    expect(await summary('from=2000-01-01&to=2010-12-31')).toEqual([]);
  });

  test('is refused for a period with more than four hundred days of trade, and for none', async () => {
    const asked = (query: string) => store.call('GET', `/sales/summary?${query}`);
    await sell('2025-01-02T12:00:00Z', [line(bread, 1, 10)], paid(['CASH', 10]));
    const tooLong = await asked('from=2025-01-01&to=2026-03-31');
    expect(refusal(tooLong)).toEqual([400, 'PERIOD_TOO_LONG']);
    expect(tooLong.body).toMatchObject({ errors: [{ path: 'from' }] });
    expect(refusal(await asked('from=ontem'))).toEqual([400, 'INVALID_INPUT']);
    expect(refusal(await asked('by=week'))).toEqual([400, 'INVALID_INPUT']);
    expect((await asked('from=2025-03-01&to=2026-03-31')).status).toBe(200);
  });
});
