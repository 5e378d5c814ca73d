import type { Benchmark, Sample } from './benchmark.js';
import { measure } from './benchmark.js';
import type { LoadGenerator } from './load.js';
import { startLoadGenerator } from './load.js';
import { newVariant, post, produce, PRODUCTION } from './orders.js';
import type { Service } from './servers.js';
import { logEngine, startService } from './servers.js';

/** Recalls of different inputs that became the same goods: many lots in one mixture, of which thousands of breads were made and sold. */

const INPUTS = 1_000;
const IN_A_RECEIPT = 50;
const ORDERS = Number(process.env['FIRST_RECALLS_ORDERS'] ?? 5_000);
const BREADS_OF_AN_ORDER = 10;
const SALES_OF_AN_ORDER = 3;
const LINES = 3;
const PRICE = 10;

interface Kitchen {
  readonly codes: readonly string[];
  readonly recipeId: string;
}

async function mixed(service: Service, load: LoadGenerator): Promise<Kitchen> {
  const [input, mixture, bread] = [
    await newVariant(service, 'Bench input'),
    await newVariant(service, 'Bench mixture'),
    await newVariant(service, 'Bench bread'),
  ];
  const codes = Array.from({ length: INPUTS }, (_, index) => `X-${String(index + 1)}`);
  for (let first = 0; first < INPUTS; first += IN_A_RECEIPT) {
    const some = codes.slice(first, first + IN_A_RECEIPT);
    const items = some.map((lotCode) => ({ variantId: input, quantity: 1, unitCost: 2, lotCode }));
    await post(service, '/stock/receipts', { items });
  }
  const recipe = async (finishedVariantId: string, yieldQty: number, componentVariantId: string, quantity: number) => {
    const items = [{ componentVariantId, quantity }];
    return (
      await post<{ id: string }>(service, `${PRODUCTION}/recipes`, {
        name: 'Bench',
        finishedVariantId,
        yieldQty,
        items,
      })
    ).id;
  };
  const mixing = await recipe(mixture, ORDERS * 10, input, INPUTS);
  await post(service, `${PRODUCTION}/orders`, { recipeId: mixing, batches: 1 });
  const recipeId = await recipe(bread, BREADS_OF_AN_ORDER, mixture, 1);
  await produce(load, service, recipeId, ORDERS);
  await sell(service, load, bread);
  return { codes, recipeId };
}

async function sell({ port, headers }: Service, load: LoadGenerator, variantId: string): Promise<void> {
  const items = Array.from({ length: LINES }, () => ({ variantId, quantity: 1, unitPrice: PRICE }));
  const body = JSON.stringify({ items, payments: [{ method: 'PIX', amount: LINES * PRICE }] });
  const sale = { method: 'POST', path: '/sales', body, status: 201, port, headers, clients: 32 } as const;
  for (let sold = 0; sold < ORDERS * SALES_OF_AN_ORDER;) sold += (await load.run({ ...sale, milliseconds: 1_000 })).n;
}

async function recalled({ port, headers }: Service, lotCode: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${String(port)}${PRODUCTION}/recall?lotCode=${lotCode}`, { headers });
  if (!answer.ok) throw new Error(`the recall of ${lotCode} was answered ${String(answer.status)}`);
  await answer.arrayBuffer();
}

export const firstRecalls: Benchmark = {
  name: 'first-recalls',
  unit: `recalls of ${String(INPUTS)} inputs that reach ${String(ORDERS)} orders each, one client`,
  async prepare() {
    const service = await startService();
    const load = startLoadGenerator();
    const { codes, recipeId } = await mixed(service, load);
    let asked = 0;
    const next = (): string => codes[asked++ % codes.length] ?? '';
    const watched =
      (before: () => Promise<unknown>) =>
      async (milliseconds: number): Promise<Sample> => {
        const recallOne = async (): Promise<number> => {
          await before();
          await recalled(service, next());
          return 1;
        };
        const { measured, strain } = await service.strainOf(() => measure(milliseconds, 1, recallOne));
        return { ...measured, strain };
      };
    let brands = 0;
    const brand = () => post(service, '/brands', { name: `Bench ${String(++brands)}` });
    const order = () => post(service, `${PRODUCTION}/orders`, { recipeId, batches: 1 });
    // What the first of a process has to read is no part of it.
    await recalled(service, next());
    return {
      engine: logEngine,
      cases: [
        { name: 'each after a write elsewhere', measure: watched(brand) },
        { name: 'each after an order that takes of what they became', measure: watched(order) },
      ],
      async tearDown() {
        load.stop();
        await service.stop();
      },
    };
  },
};
