import { expect, test } from '@jest/globals';
import { stockRecordRoutes } from '../../../src/features/inventory/stock/record-routes.js';
import type { StockServices } from '../../../src/features/inventory/stock/services.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import type { RawJson } from '../../../src/kernel/routes/route.js';

/** A page of large records is megabytes: how it is made beside what others ask for. */

const RECORDS = 20;
const LARGE = 'x'.repeat(100_000);

const services = { stores: { byId: () => Promise.resolve(undefined) } } as unknown as StockServices;
const [list] = stockRecordRoutes(services);

const reading = { now: 0, most: 0 };
const context = {
  storeId: 'a store',
  may: () => true,
  reads: {
    async find() {
      reading.most = Math.max(reading.most, ++reading.now);
      await new Promise(setImmediate);
      const body = JSON.stringify({ reason: LARGE, items: [] });
      const last = {
        get body() {
          reading.now -= 1;
          return body;
        },
      };
      return { items: [...Array.from({ length: RECORDS - 1 }, () => ({ body })), last], nextCursor: null };
    },
  },
} as unknown as RequestContext;

async function ask(): Promise<readonly object[]> {
  const { body } = (await list?.handle({ query: { limit: 200 } } as never, context)) as { body: RawJson };
  return (JSON.parse(body.text) as { readonly items: readonly object[] }).items;
}

test('others come in between its records', async () => {
  let [turns, over] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  const items = await ask();
  over = true;
  expect(items).toEqual(Array.from({ length: RECORDS }, () => ({ reason: LARGE, items: [] })));
  expect(turns).toBeGreaterThanOrEqual(RECORDS);
});

test('pages that one store asks for at once lie in memory one after the other', async () => {
  reading.most = 0;
  await Promise.all([ask(), ask(), ask()]);
  expect(reading.most).toBe(1);
});
