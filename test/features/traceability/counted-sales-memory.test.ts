import { expect, test } from '@jest/globals';
import { CountedSales } from '../../../src/features/traceability/counted-sales.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { heldMemory } from '../../support/memory.js';

/** Gives what is remembered, and the request by which it was asked. */
async function asked() {
  const sums = [{ sales: 1, customers: 1, salesWithoutCustomer: 0, firstSaleAt: null, lastSaleAt: null }];
  const context = { reads: { aggregate: () => Promise.resolve(sums), findRows: () => Promise.resolve({ items: [] }) } };
  const request = context as unknown as RequestContext;
  const remembered = await new CountedSales().of(request, [], Promise.resolve([]));
  await remembered.sales.catch(() => undefined);
  return { remembered, request: new WeakRef(request) };
}

test('what was counted of sales holds nothing of who asked for it', async () => {
  const { remembered, request } = await asked();
  await new Promise(setImmediate);
  heldMemory();
  expect([typeof remembered.standing, request.deref()]).toEqual(['function', undefined]);
});
