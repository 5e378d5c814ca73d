import { z } from 'zod';
import type { Benchmark } from './benchmark.js';
import { startLoadGenerator } from './load.js';
import { startService } from './servers.js';

const CLIENTS = 64;
const PRICE = 7.25;

const product = z.object({ variants: z.tuple([z.object({ id: z.string() })]) });

/** Documents as a shop issues them: one for each sale. */
export const fiscal: Benchmark = {
  name: 'fiscal',
  unit: `sales of one product with ${CLIENTS} clients in one store, alone and each with its document by the simulator`,
  async prepare() {
    const service = await startService();
    const { port, headers } = service;
    const shelf = { description: 'Bench', priceCash: PRICE, priceCredit: PRICE, stockQty: 10_000_000, ncm: '19059090' };
    const answer = await fetch(`http://127.0.0.1:${port}/products`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(shelf),
    });
    const [{ id: variantId }] = product.parse(await answer.json()).variants;
    const items = [{ variantId, quantity: 1, unitPrice: PRICE }];
    const sale = JSON.stringify({ items, payments: [{ method: 'PIX', amount: PRICE }] });
    const load = startLoadGenerator();
    const question = {
      port,
      headers,
      method: 'POST',
      path: '/sales',
      body: sale,
      status: 201,
      clients: CLIENTS,
    } as const;
    const document = JSON.stringify({ saleId: '{answer.id}', model: 65 });
    const issuing = { method: 'POST', path: '/fiscal/documents', body: document, status: 201 } as const;
    return {
      engine: 'embedded',
      cases: [
        { name: 'sales alone', measure: (milliseconds) => load.run({ ...question, milliseconds }) },
        {
          name: 'sales with documents',
          comparedWith: 'sales alone',
          async measure(milliseconds) {
            const run = () => load.run({ ...question, milliseconds, next: [issuing] });
            const { measured, strain } = await service.strainOf(run);
            return { ...measured, strain };
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
