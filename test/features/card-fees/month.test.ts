import { expect, test } from '@jest/globals';
import type { MonthReads } from '../../../src/features/card-fees/month.js';
import { paymentsOf } from '../../../src/features/card-fees/month.js';

const PAGES = 20;
const NO_SALES = JSON.stringify({ occurredOn: '2026-03-01', kinds: [], terms: [], sales: [] });

/** A month of many pages, each known at once. */
const reads: MonthReads = {
  find: (_collection, { cursor = '0' }) => {
    const page = Number(cursor);
    const item = { id: `2026-03-01/${String(page)}`, body: NO_SALES, hidden: '{}' };
    return Promise.resolve({ items: [item], nextCursor: page + 1 < PAGES ? String(page + 1) : null });
  },
  findRows: () => Promise.resolve({ items: [], nextCursor: null }),
};

test('others have their turn between the pages of a month', async () => {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  let parts = 0;
  for await (const { payments } of paymentsOf(reads, { month: '2026-03', asOf: '1' })) {
    expect(payments).toEqual([]);
    parts += 1;
  }
  clearImmediate(counting);
  expect(parts).toBe(PAGES);
  expect(turns).toBeGreaterThanOrEqual(PAGES - 1);
});
