import { z } from 'zod';
import type { Benchmark, Sample } from './benchmark.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { logEngine, startService } from './servers.js';

const CLIENTS = 64;
const PRICE = 7.25;
const DOCUMENTS_BESIDE = 100;

const product = z.object({ variants: z.tuple([z.object({ id: z.string() })]) });
const sale = z.object({ id: z.string() });

async function post({ port, headers }: Service, path: string, body: string): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Sales that have no document yet, made as fast as one waits for the other. */
async function untaxedSales(service: Service, body: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(CLIENTS, count - ids.length) }, () => post(service, '/sales', body));
    for (const made of await Promise.all(some)) ids.push(sale.parse(made).id);
  }
  return ids;
}

/** Documents as a shop issues them: one for each sale. */
export const fiscal: Benchmark = {
  name: 'fiscal',
  unit: `sales of one product with ${CLIENTS} clients in one store: alone, each with its document by the simulator, and while others issue ${DOCUMENTS_BESIDE} documents a second`,
  async prepare() {
    const service = await startService();
    const { port, headers } = service;
    const shelf = { description: 'Bench', priceCash: PRICE, priceCredit: PRICE, stockQty: 10_000_000, ncm: '19059090' };
    const [{ id: variantId }] = product.parse(await post(service, '/products', JSON.stringify(shelf))).variants;
    const items = [{ variantId, quantity: 1, unitPrice: PRICE }];
    const body = JSON.stringify({ items, payments: [{ method: 'PIX', amount: PRICE }] });
    const [load, beside] = [startLoadGenerator(), startLoadGenerator()];
    const selling = { port, headers, method: 'POST', path: '/sales', body, status: 201, clients: CLIENTS } as const;
    const documentOf = (saleId: string) => JSON.stringify({ saleId, model: 65 });
    const issuing = { method: 'POST', path: '/fiscal/documents', status: 201 } as const;
    const watched = async (run: () => Promise<Sample>): Promise<Sample> => {
      const { measured, strain } = await service.strainOf(run);
      return { ...measured, strain };
    };
    return {
      engine: logEngine,
      cases: [
        { name: 'sales alone', measure: (milliseconds) => watched(() => load.run({ ...selling, milliseconds })) },
        {
          name: 'sales with documents',
          comparedWith: 'sales alone',
          measure: (milliseconds) => {
            const next = [{ ...issuing, body: documentOf('{answer.id}') }];
            return watched(() => load.run({ ...selling, milliseconds, next }));
          },
        },
        {
          name: 'sales beside documents',
          comparedWith: 'sales alone',
          async measure(milliseconds) {
            const count = (milliseconds / 1000) * DOCUMENTS_BESIDE + CLIENTS;
            const bodies = (await untaxedSales(service, body, count)).map(documentOf);
            const pace = { port, headers, milliseconds, clients: CLIENTS, perSecond: DOCUMENTS_BESIDE };
            const documents = beside.run({ ...issuing, ...pace, body: bodies });
            const sample = await watched(() => load.run({ ...selling, milliseconds }));
            return { ...sample, more: { documents_per_s: (await documents).n / (milliseconds / 1000) } };
          },
        },
      ],
      async tearDown() {
        load.stop();
        beside.stop();
        await service.stop();
      },
    };
  },
};
