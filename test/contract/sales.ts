import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { granted, insist, newProduct, readPast } from '../support/bakery.js';
import type { Processes } from '../support/processes.js';
import { openProcesses } from '../support/processes.js';
import type { Answer, StoreClient } from '../support/world.js';

type Settings = Readonly<Record<string, string>>;

/** What must hold when many sell the same lots at once, on every engine, in one process or several; `settings` choose the engine. */
export function salesContract(settings: () => Settings, count: number): void {
  let processes: Processes;
  let store: StoreClient;

  beforeAll(async () => {
    processes = await openProcesses(settings(), count);
    ({ store } = processes);
  });
  afterAll(() => processes.close());

  /** Many requests at once, to each process in turn. */
  const race = (times: number, path: string, body: unknown): Promise<readonly Answer[]> =>
    Promise.all(Array.from({ length: times }, (_, index) => insist(processes.client(index), 'POST', path, body)));
  const outcomes = (answers: readonly Answer[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const outcome = status < 300 ? 'ok' : (body as { code: string }).code;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };
  const stockedWith = async (stockQty: number): Promise<string> =>
    (await newProduct(store, `Pão ${String(stockQty)}`, { stockQty })).variantId;
  const saleOf = (variantId: string, quantity: number) => ({
    items: [{ variantId, quantity, unitPrice: 2 }],
    payments: [{ method: 'PIX', amount: 2 * quantity }],
  });
  const stockAfter = async (answers: readonly Answer[], variantId: string): Promise<readonly number[]> => {
    const { body } = await readPast(answers, store, `/stock/balances?variantId=${variantId}`);
    return (body as { items: { quantity: number }[] }).items.map(({ quantity }) => quantity);
  };

  test('of 100 sales at once of the last 60 units 60 are made', async () => {
    const variantId = await stockedWith(60);
    const answers = await race(100, '/sales', saleOf(variantId, 1));
    expect(outcomes(answers)).toEqual({ ok: 60, INSUFFICIENT_STOCK: 40 });
    const numbers = answers.flatMap(({ status, body }) => (status === 201 ? [body.number as number] : []));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(await stockAfter(answers, variantId)).toEqual([0]);
  });

  test('of 50 cancellations of a sale one wins, and the goods come back once', async () => {
    const variantId = await stockedWith(5);
    const sale = await granted(insist(store, 'POST', '/sales', saleOf(variantId, 5)));
    const answers = await race(50, `/sales/${sale.body.id as string}/cancel`, { reason: 'engano' });
    expect(outcomes(answers)).toEqual({ ok: 1, SALE_CANCELLED: 49 });
    expect(await stockAfter(answers, variantId)).toEqual([5]);
  });

  test('of 20 returns at once of one unit each no more are made than were sold', async () => {
    const variantId = await stockedWith(4);
    const sale = await granted(insist(store, 'POST', '/sales', saleOf(variantId, 4)));
    const body = { items: [{ variantId, quantity: 1 }] };
    const answers = await race(20, `/sales/${sale.body.id as string}/returns`, body);
    expect(outcomes(answers)).toEqual({ ok: 4, RETURN_EXCEEDS_SOLD: 16 });
    expect(await stockAfter(answers, variantId)).toEqual([4]);
  });
}
