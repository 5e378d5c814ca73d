import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted, insist, newProduct, newRecipe } from '../support/bakery.js';
import type { TracedBakery } from '../support/traced-bakery.js';
import { ORDERS, download, make, newTracedBakery, recallOf, receive, sell, traceOf } from '../support/traced-bakery.js';
import type { Processes } from '../support/processes.js';
import { openProcesses } from '../support/processes.js';
import type { StoreClient } from '../support/world.js';

type Settings = Readonly<Record<string, string>>;

/** What traces and recalls must say on every engine, in one process or several; `settings` choose the engine. */
export function recallContract(settings: () => Settings, count: number): void {
  let processes: Processes;
  let store: StoreClient;
  let bakery: TracedBakery;
  // Servers take longer.
  const rounds = count === 1 ? 10 : 4;

  beforeAll(async () => {
    processes = await openProcesses(settings(), count);
    ({ store } = processes);
    bakery = await newTracedBakery(store);
  });
  afterAll(() => processes.close());

  test('a recall of an input right after the sale shows the sale, again and again, to each client', async () => {
    for (let round = 0; round < rounds; round++) {
      const client = processes.client(round);
      const saleId = await sell(client, bakery.bread, 1);
      for (const reader of processes.clients) {
        const { sales, total } = await recallOf(reader, { lotCode: 'F-1', pageSize: 500 });
        expect(sales.map((sale) => sale.saleId)).toContain(saleId);
        expect(total).toBe(sales.length);
      }
    }
  });

  test('several clients who sell at the same time each find their own sales', async () => {
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const client = processes.client(index);
        for (let count = 0; count < Math.ceil(rounds / 4); count++) {
          const saleId = await sell(client, bakery.bread, 1);
          const { sales } = await recallOf(client, { lotCode: 'P-1', pageSize: 500 });
          expect(sales.map((sale) => sale.saleId)).toContain(saleId);
        }
      }),
    );
  });

  test('a recall counts sales, customers, returns and what is left, and accounts for everything', async () => {
    const own = await processes.first.newStore();
    const made = await newTracedBakery(own);
    const { body: ana } = await granted(insist(own, 'POST', '/customers', { name: 'Ana' }));
    const customerId = (ana as { id: string }).id;
    const times = ['2026-03-01T10:00:00.000Z', '2026-03-05T10:00:00.000Z', '2026-03-03T10:00:00.000Z'];
    const first = await sell(own, made.bread, 10, { customerId, occurredAt: times[0] });
    await sell(own, made.bread, 5, { customerId, occurredAt: times[1] });
    const anonymous = await sell(own, made.bread, 20, { occurredAt: times[2] });
    const cancelled = await sell(own, made.bread, 30);
    await granted(insist(own, 'POST', `/sales/${cancelled}/cancel`, { reason: 'engano' }));
    const back = { items: [{ variantId: made.bread, quantity: 4 }] };
    await granted(insist(own, 'POST', `/sales/${anonymous}/returns`, back));
    await sell(own, made.premix, 3);
    const body = await recallOf(own, { lotCode: 'F-1' });
    expect(body).toMatchObject({
      lotCode: 'F-1',
      lots: [
        { lotCode: 'F-1', kind: 'MATCHED', variantId: made.flour, description: 'Farinha', viaOrderIds: [] },
        { lotCode: 'M-1', kind: 'REACHED', variantId: made.premix },
        { lotCode: 'P-1', kind: 'REACHED', variantId: made.bread },
      ],
      summary: { sales: 4, customers: 1, salesWithoutCustomer: 2, invoices: 0, firstSaleAt: times[0] },
      massBalance: {
        produced: 100,
        soldNet: 0,
        inStock: 60,
        consumed: 40,
        lost: 0,
        reversed: 0,
        accountedPercent: 100,
      },
      page: 1,
      pageSize: 50,
      total: 4,
    });
    expect(body.summary).toMatchObject({ soldQuantity: null, returnedQuantity: null, netQuantity: null });
    expect(body.summary.quantities).toEqual([
      { unit: 'KG', sold: 3, returned: 0, net: 3 },
      { unit: 'UN', sold: 35, returned: 4, net: 31 },
    ]);
    expect(body.massBalances).toMatchObject([
      { kind: 'MATCHED', description: 'Farinha', unit: 'KG', produced: 100, accountedPercent: 100 },
      { kind: 'REACHED', variantId: made.premix, unit: 'KG', produced: 50, consumed: 10, soldNet: 3, inStock: 37 },
      { kind: 'REACHED', variantId: made.bread, unit: 'UN', produced: 100, soldNet: 31, inStock: 69 },
    ]);
    expect([body.lotCount, body.remainingCount]).toEqual([3, 3]);
    expect(body.remainingStock.map((one) => [one.lotCode, one.quantity])).toEqual(
      expect.arrayContaining([
        ['F-1', 60],
        ['M-1', 37],
        ['P-1', 69],
      ]),
    );
    const rowOf = (saleId: string) => body.sales.find((row) => row.saleId === saleId);
    expect(rowOf(first)).toMatchObject({ quantity: 10, customer: { id: customerId, name: 'Ana' } });
    expect(rowOf(anonymous)).toMatchObject({ quantity: 20, returnedQuantity: 4, netQuantity: 16, customer: null });
    expect(rowOf(cancelled)).toBeUndefined();
    const finished = await recallOf(own, { lotCode: 'P-1' });
    expect(finished.summary).toMatchObject({ soldQuantity: 35, returnedQuantity: 4, netQuantity: 31 });
    expect(finished.suppliers).toMatchObject([{ supplier: null, lotCodes: ['F-1'] }]);
    expect(finished.massBalance).toEqual({
      produced: 100,
      soldNet: 31,
      inStock: 69,
      consumed: 0,
      lost: 0,
      reversed: 0,
      accountedPercent: 100,
    });
    const { text } = await download(processes.first.url, own, { lotCode: 'F-1', format: 'csv' });
    expect(text.trimEnd().split('\r\n')).toHaveLength(5);
  });

  test('a sale that takes one lot in two of its lines shows both, on whatever pages they fall', async () => {
    const own = await processes.first.newStore();
    const made = await newTracedBakery(own);
    const selling = async (...quantities: readonly number[]): Promise<string> => {
      const items = quantities.map((quantity) => ({ variantId: made.bread, quantity, unitPrice: 2 }));
      const payments = [{ method: 'PIX', amount: 2 * quantities.reduce((sum, quantity) => sum + quantity, 0) }];
      return ((await granted(insist(own, 'POST', '/sales', { items, payments }))).body as { id: string }).id;
    };
    await selling(1);
    const twice = await selling(2, 3);
    await selling(4);
    const back = await selling(5, 6, 7);
    await granted(insist(own, 'POST', `/sales/${back}/returns`, { items: [{ variantId: made.bread, quantity: 8 }] }));
    const all = await recallOf(own, { lotCode: 'P-1' });
    expect([all.total, all.summary.sales]).toEqual([7, 4]);
    expect(all.sales.map(({ quantity }) => quantity)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all.sales.map(({ returnedQuantity }) => returnedQuantity)).toEqual([0, 0, 0, 0, 0, 1, 7]);
    for (const pageSize of [1, 2, 3]) {
      const paged: unknown[] = [];
      for (let page = 1; page <= Math.ceil(7 / pageSize); page++) {
        paged.push(...(await recallOf(own, { lotCode: 'P-1', page, pageSize })).sales);
      }
      expect(paged).toEqual(all.sales);
    }
    const { text } = await download(processes.first.url, own, { lotCode: 'P-1', format: 'csv' });
    expect(text.trimEnd().split('\r\n')).toHaveLength(8);
    await granted(insist(own, 'POST', `/sales/${twice}/cancel`, { reason: 'engano' }));
    const left = await recallOf(own, { lotCode: 'P-1' });
    expect([left.total, left.summary.sales, left.sales.length]).toEqual([5, 3, 5]);
  });

  test('what an order had owed and got later is traced like anything else, and reversed like it', async () => {
    const { premix, premixRecipe } = bakery;
    await make(store, premixRecipe, 'M-2', { allowNegativeStock: true, batches: 2 });
    await sell(store, premix, 45);
    await receive(store, bakery.flour, 50, 'F-2');
    const { edges, orders } = await traceOf(store, { lotCode: 'M-2' });
    expect(edges.filter(({ settledLater }) => settledLater)).toEqual([expect.objectContaining({ quantity: 20 })]);
    expect(await recallOf(store, { lotCode: 'F-2' })).toMatchObject({
      lots: [{ lotCode: 'F-2' }, { lotCode: 'M-2' }],
      massBalance: { produced: 50, inStock: 30, consumed: 20, accountedPercent: 100 },
    });
    const [order] = orders;
    await granted(insist(store, 'POST', `${ORDERS}/${order?.id ?? ''}/reverse`, { reason: 'engano', partial: true }));
    const after = await recallOf(store, { lotCode: 'F-2' });
    expect(after.massBalance?.accountedPercent).toBe(100);
    expect(after.massBalance?.consumed).toBeLessThan(20);
  });

  test('a trace goes through all levels, both ways', async () => {
    const forward = await traceOf(store, { lotCode: 'F-1', direction: 'forward' });
    expect(forward.nodes.map((node) => node.lotCode)).toEqual(expect.arrayContaining(['F-1', 'M-1', 'P-1']));
    const backward = await traceOf(store, { lotCode: 'P-1', direction: 'backward' });
    expect(backward).toMatchObject({ lots: [{ lotCode: 'P-1', origin: 'PRODUCTION' }], total: 2 });
    expect(backward.orders.map((one) => one.depth)).toEqual([1, 2]);
    const quantities = backward.edges.map((edge) => [edge.quantity, edge.unit]);
    expect(quantities).toEqual(
      expect.arrayContaining([
        [100, 'UN'],
        [10, 'KG'],
        [50, 'KG'],
        [40, 'KG'],
      ]),
    );
  });

  test('a trace shows what an order took in the order in which it took it, however much that is', async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    const inputs: string[] = [];
    for (const number of numbers) inputs.push((await newProduct(store, `Insumo ${String(number)}`)).variantId);
    const received = inputs.map((variantId) => ({ variantId, quantity: 100, unitCost: 1, lotCode: 'I-1' }));
    await granted(insist(store, 'POST', '/stock/receipts', { items: received }));
    const recipe = await newRecipe(store, {
      name: 'Mistura',
      finishedVariantId: (await newProduct(store, 'Mistura')).variantId,
      items: inputs.map((componentVariantId, index) => ({ componentVariantId, quantity: index + 1 })),
    });
    await make(store, recipe.id, 'X-1');
    const { edges } = await traceOf(store, { lotCode: 'X-1', direction: 'backward' });
    expect(edges.map(({ quantity }) => quantity)).toEqual([1, ...numbers]);
  });
}
