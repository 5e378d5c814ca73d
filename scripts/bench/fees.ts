import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark, Case, Sample } from './benchmark.js';
import { measure } from './benchmark.js';
import { appendCardSales } from './card-sales.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { shown, startService } from './servers.js';

/** How many card payments the month has. */
const PAYMENTS = Number(process.env['BENCH_PAYMENTS'] ?? 200_000);
const MONTH = '2025-03';
/** Beyond those of the demo store. */
const FIRST_NUMBER = 1_000_000;
const CLIENTS = 64;
const PRICE = 7.25;
const ALONE = 'sales alone';

const job = z.object({ id: z.string(), status: z.string(), progress: z.object({ updated: z.int() }) });
const jobs = z.object({ items: z.array(job) });
const preview = z.object({ totalMatched: z.int() });
const configuration = z.object({ accounts: z.array(z.object({ id: z.string(), active: z.boolean() })) });
const products = z.object({ items: z.array(z.object({ variants: z.array(z.object({ id: z.string() })) })) });

async function ask({ port, headers }: Service, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Recalculates the month with another rate than before, so that every fee changes. */
class Month {
  private turn = 0;

  constructor(
    private readonly service: Service,
    private readonly accountId: string,
  ) {}

  async preview(): Promise<number> {
    const answer = await ask(this.service, 'POST', '/card-fees/recalc-month/preview', { month: MONTH });
    return preview.parse(answer).totalMatched;
  }

  async recalculate(): Promise<number> {
    const debitFeePercent = 2 + (this.turn++ % 2);
    await ask(this.service, 'PATCH', `/card-fees/accounts/${this.accountId}`, { debitFeePercent });
    const { id } = job.parse(await ask(this.service, 'POST', '/card-fees/calc-jobs', { month: MONTH }));
    for (;;) {
      const { items } = jobs.parse(await ask(this.service, 'GET', '/card-fees/calc-jobs?limit=1'));
      const [known] = items;
      if (known?.id === id && known.status === 'DONE') return known.progress.updated;
      await pause(20);
    }
  }
}

export const fees: Benchmark = {
  name: 'fees',
  unit: `card payments of a month that has ${PAYMENTS}; sales of the same store with ${CLIENTS} clients`,
  async prepare() {
    const service = await startService(async (eventStore, storeId) => {
      await appendCardSales(eventStore, { storeId, count: PAYMENTS, month: MONTH, firstNumber: FIRST_NUMBER });
    });
    await shown(service, '/sales');
    const { accounts } = configuration.parse(await ask(service, 'GET', '/card-fees'));
    const month = new Month(service, accounts.find(({ active }) => active)?.id ?? '');
    const { items } = products.parse(await ask(service, 'GET', '/products?take=1&q=PAO-005'));
    const variantId = items[0]?.variants[0]?.id;
    const sale = {
      items: [{ variantId, quantity: 1, unitPrice: PRICE }],
      payments: [{ method: 'DEBIT', amount: PRICE }],
      allowNegativeStock: true,
    };
    const { port, headers } = service;
    const load = startLoadGenerator();
    const question = {
      port,
      headers,
      method: 'POST',
      path: '/sales',
      body: JSON.stringify(sale),
      status: 201,
    } as const;
    const sell = (milliseconds: number) => load.run({ ...question, clients: CLIENTS, milliseconds });
    const watched = (name: string, run: (milliseconds: number) => Promise<Sample>): Case => ({
      name,
      async measure(milliseconds) {
        const { measured, strain } = await service.strainOf(() => run(milliseconds));
        return { ...measured, strain };
      },
    });
    return {
      engine: 'embedded',
      cases: [
        watched('preview', (milliseconds) => measure(milliseconds, 1, () => month.preview())),
        watched('recalculation', (milliseconds) => measure(milliseconds, 1, () => month.recalculate())),
        { name: ALONE, measure: sell },
        {
          name: 'sales beside recalculations',
          comparedWith: ALONE,
          async measure(milliseconds) {
            const state = { selling: true };
            const sold = sell(milliseconds).finally(() => (state.selling = false));
            while (state.selling) await month.recalculate();
            return sold;
          },
        },
      ],
      async tearDown() {
        load.stop();
        await service.stop();
      },
    };
  },
};
