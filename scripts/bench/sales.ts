import { z } from 'zod';
import type { Benchmark } from './benchmark.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { logEngine, startService, strained } from './servers.js';

const CLIENTS = 64;
const PRODUCTS = 30;
const LOTS = 200;
const IN_A_LOT = 100_000;
const BASKETS = 200;
const LINES = 3;
const PRICE = 7.25;

const product = z.object({ variants: z.tuple([z.object({ id: z.string() })]) });

async function post({ port, headers }: Service, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A product that lies in many lots. */
async function stocked(service: Service, number: number): Promise<string> {
  const shelf = { description: `Produto ${number}`, priceCash: PRICE, priceCredit: PRICE, controlsLots: true };
  const [{ id: variantId }] = product.parse(await post(service, '/products', shelf)).variants;
  const items = Array.from({ length: LOTS }, (_, lot) => ({
    variantId,
    quantity: IN_A_LOT,
    unitCost: 3.3,
    lotCode: `L-${lot}`,
  }));
  await post(service, '/stock/receipts', { items });
  return variantId;
}

/** Gives the variants of products that lie in many lots. */
export async function stockedVariants(service: Service): Promise<readonly string[]> {
  const variantIds: string[] = [];
  for (let number = 0; number < PRODUCTS; number++) variantIds.push(await stocked(service, number));
  return variantIds;
}

/** What customers buy: some products each. */
export function baskets(variantIds: readonly string[]): readonly string[] {
  return Array.from({ length: BASKETS }, (_, basket) => {
    const items = Array.from({ length: LINES }, (_, line) => ({
      variantId: variantIds[(basket * LINES + line * 7) % variantIds.length],
      quantity: 1 + (basket % 3),
      unitPrice: PRICE,
    }));
    const amount = Math.round(items.reduce((sum, { quantity }) => sum + quantity * PRICE, 0) * 100) / 100;
    return JSON.stringify({ items, payments: [{ method: 'PIX', amount }] });
  });
}

export const sales: Benchmark = {
  name: 'sales',
  unit: `sales of ${LINES} products with ${CLIENTS} clients in one store; ${LOTS} lots of each product, FIFO`,
  async prepare() {
    const service = await startService();
    const variantIds = await stockedVariants(service);
    const load = startLoadGenerator();
    const { port, headers } = service;
    const question = { port, headers, method: 'POST', path: '/sales', body: baskets(variantIds), status: 201 } as const;
    const asking = (clients: number) => (milliseconds: number) =>
      strained(service, '/sales', () => load.run({ ...question, clients, milliseconds }));
    return {
      engine: logEngine,
      cases: [
        { name: 'complete a sale', measure: asking(CLIENTS) },
        { name: 'the same, one client alone', measure: asking(1) },
      ],
      async tearDown() {
        load.stop();
        await service.stop();
      },
    };
  },
};
