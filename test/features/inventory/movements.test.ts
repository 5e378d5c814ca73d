import { expect, test } from '@jest/globals';
import { ledgerRows } from '../../../src/features/inventory/stock/ledger.js';
import { FACTS_AT_ONCE, MOVEMENTS_AT_ONCE, movements } from '../../../src/features/inventory/stock/movements.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { recorded } from '../../support/given-projection.js';
import { InventoryHistory, receive, sell } from '../../support/inventory-history.js';

const SALES = 2_500;

/** A store that sold some goods many times, and how its facts are read. */
function soldOften(goods = ['bread', 'milk', 'cheese'], sales = SALES) {
  const history = new InventoryHistory();
  for (const variantId of goods) history.run(receive(variantId, `lot of ${variantId}`, sales, 1));
  for (let sale = 0; sale < sales; sale++) {
    history.run(
      sell(
        String(sale),
        goods.map((variantId) => ({ variantId, quantity: 1 })),
      ),
    );
  }
  const read = { facts: 0, most: 0 };
  const reads = {
    findRows(
      _: unknown,
      { limit, cursor = '0', sort }: { limit: number; cursor?: string; sort: { readonly direction: string } },
    ) {
      const all = history.events.map((__, index) => ({ moved: index }));
      const first = Number(cursor);
      const end = first + limit;
      const items = (sort.direction === 'asc' ? all : all.reverse()).slice(first, end);
      return Promise.resolve({ items, nextCursor: end < all.length ? String(end) : null });
    },
  };
  const eventsAt = (_: unknown, revisions: readonly number[]) => {
    read.facts += revisions.length;
    read.most = Math.max(read.most, revisions.length);
    return Promise.resolve(
      revisions.flatMap((revision) => {
        const event = history.events[revision];
        return event ? [recorded(event, revision)] : [];
      }),
    );
  };
  return { facts: history.events.length, read, context: { reads, eventsAt } as unknown as RequestContext };
}

const ROWS = 3 * SALES + 3;

test('who adds up many movements reads and decodes some facts at a time, so that others have their turn', async () => {
  const { facts, read, context } = soldOften();
  let rows = 0;
  for await (const some of movements(context, {}, 'asc', 5_000)) rows += some.length;
  expect(rows).toBe(ROWS);
  expect(read).toEqual({ facts, most: FACTS_AT_ONCE });
});

test('the file of the ledger reads each fact once, however many rows it has', async () => {
  const { facts, read, context } = soldOften();
  const rows: string[] = [];
  for await (const some of ledgerRows(context, {})) rows.push(...some.map(({ row }) => row.id));
  expect(rows).toHaveLength(ROWS);
  expect(rows.slice(0, 3)).toEqual(['2502-2', '2502-1', '2502-0']);
  expect(read).toEqual({ facts, most: FACTS_AT_ONCE });
});

test('facts that hold many movements each are read and decoded fewer at a time', async () => {
  const goods = Array.from({ length: 200 }, (_, index) => `good ${String(index)}`);
  const { facts, read, context } = soldOften(goods, 60);
  const lengths: number[] = [];
  for await (const some of movements(context, {}, 'desc', 1_000)) lengths.push(some.length);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(200 * 61);
  expect(read.facts).toBe(facts);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(MOVEMENTS_AT_ONCE);
});
