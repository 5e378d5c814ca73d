import { expect, test } from '@jest/globals';
import { MOST_EXAMINED, searchEvents } from '../../../src/features/audit/events/event-search.js';
import { Frequencies } from '../../../src/features/audit/events/frequencies.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { shortKey } from '../../../src/kernel/values/short-key.js';
import type { EventTeller } from '../../../src/ports/event-teller.js';

const LIMIT = 50;
const TYPE = 'OrderReversed';
const SOMEBODY = 'somebody';

/** A history whose index has a row for each number, and what a search of it looks at. */
function historyWith(rowAt: (number: number) => { readonly actor: number; readonly type: number }) {
  const looked = { rows: 0, counts: 0, bodies: 0 };
  const reads = {
    count() {
      looked.counts += 1;
      return Promise.resolve(1_000_000);
    },
    findRows(_: unknown, { limit, cursor = '0' }: { readonly limit: number; readonly cursor?: string }) {
      const first = Number(cursor);
      looked.rows += limit;
      const items = Array.from({ length: limit }, (__, index) => {
        return { position: String(first + index), ...rowAt(first + index) };
      });
      return Promise.resolve({ items, nextCursor: String(first + limit) });
    },
  };
  const teller: EventTeller = {
    tell(positions) {
      looked.bodies += positions.length;
      const bytes = Buffer.from(positions.join(','));
      return Promise.resolve({ count: positions.length, bytes, names: [], places: [] });
    },
  };
  const sources = { teller, frequencies: new Frequencies(), kinds: [] };
  const context = { reads, client: {}, storeId: 'store', may: () => true } as unknown as RequestContext;
  const search = async (cursor?: string) => {
    const wanted = { type: TYPE, actorId: SOMEBODY, order: 'asc', limit: LIMIT } as const;
    const asked = cursor === undefined ? wanted : { ...wanted, cursor };
    const { page, nextCursor } = await searchEvents(sources, context, asked, { timeZone: 'UTC', whole: true });
    const positions = page.count === 0 ? [] : Buffer.from(page.bytes).toString().split(',').map(Number);
    return { positions, nextCursor };
  };
  return { looked, search };
}

const matching = { actor: shortKey(SOMEBODY), type: shortKey(TYPE) };

test('a search in which the filters leave nothing ends after a while, reads no event, and can go on', async () => {
  const { looked, search } = historyWith(() => ({ actor: 1, type: 2 }));
  const { positions, nextCursor } = await search();
  expect([positions, looked.bodies]).toEqual([[], 0]);
  expect(Number(nextCursor)).toBe(looked.rows);
  expect(looked.rows).toBeGreaterThanOrEqual(MOST_EXAMINED);
  expect(looked.rows).toBeLessThan(2 * MOST_EXAMINED);
});

test('pages of what two filters let through hold all of it, and read nothing else', async () => {
  const { looked, search } = historyWith((number) =>
    number % 3 === 1 ? matching : { ...matching, actor: 1, type: 2 },
  );
  const found: number[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages++) {
    const page = await search(cursor);
    found.push(...page.positions);
    cursor = page.nextCursor ?? undefined;
  }
  expect(found).toEqual(Array.from({ length: 10 * LIMIT }, (_, index) => index * 3 + 1));
  expect(looked).toMatchObject({ bodies: found.length, counts: 2 });
});
