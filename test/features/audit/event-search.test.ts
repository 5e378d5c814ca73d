import { expect, test } from '@jest/globals';
import { MOST_EXAMINED, searchEvents } from '../../../src/features/audit/events/event-search.js';
import { ToldEvents } from '../../../src/features/audit/events/told-events.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';

const LIMIT = 50;

test('a search in which the filters leave nothing ends after a while, and can go on', async () => {
  let examined = 0;
  const reads = {
    count: () => Promise.resolve(1_000_000),
    findRows() {
      examined += LIMIT;
      const items = Array.from({ length: LIMIT }, (_, index) => ({ position: String(examined + index) }));
      return Promise.resolve({ items, nextCursor: `after ${String(examined)}` });
    },
  };
  const context = { reads, client: {} } as unknown as RequestContext;
  const eventStore = {
    readAt: (positions: readonly string[]) =>
      Promise.resolve(
        positions.map((position) => {
          return { id: position, type: 'SaleCompleted', data: '{}', meta: '{}', stream: 's', revision: 0, position };
        }),
      ),
  };
  const wanted = { type: 'OrderReversed', actorId: 'somebody', order: 'asc', limit: LIMIT } as const;
  const page = await searchEvents({ eventStore, toldEvents: new ToldEvents(), kinds: [] }, context, wanted, 'UTC');
  expect(page).toEqual({ items: [], nextCursor: `after ${String(MOST_EXAMINED)}` });
});
