import { expect, test } from '@jest/globals';
import { PageCursors } from '../../../src/kernel/routes/page-cursors.js';
import type { Page } from '../../../src/ports/read-models.js';
import { InvalidCursor } from '../../../src/ports/read-models.js';

const cursors = new PageCursors(Buffer.alloc(32, 7));
const LIST = { name: 'numbers' };
/** Three pages of a number each. */
const pageAt = ({ cursor = '0' }: { readonly cursor?: string }): Promise<Page<number>> =>
  Promise.resolve({ items: [Number(cursor)], nextCursor: cursor === '2' ? null : String(Number(cursor) + 1) });

test('pages follow each other by cursors that tell nothing', async () => {
  const seen: number[] = [];
  const given: string[] = [];
  for (let query: { readonly cursor?: string } | undefined = {}; query;) {
    const { items, nextCursor }: Page<number> = await cursors.paged(LIST, query, pageAt);
    seen.push(...items);
    if (nextCursor !== null) given.push(nextCursor);
    query = nextCursor === null ? undefined : { cursor: nextCursor };
  }
  expect(seen).toEqual([0, 1, 2]);
  expect(given).toEqual([expect.stringMatching(/^[\w-]{20,}$/), expect.stringMatching(/^[\w-]{20,}$/)]);
});

test('a cursor that was not given is refused', async () => {
  for (const cursor of ['', '1', 'x'.repeat(100)]) {
    await expect(cursors.paged(LIST, { cursor }, pageAt)).rejects.toThrow(InvalidCursor);
  }
});

test('a cursor of another list is refused, also where its pages have the same order', async () => {
  const { nextCursor } = await cursors.paged({ name: 'number' }, {}, pageAt);
  await expect(cursors.paged(LIST, { cursor: nextCursor ?? '' }, pageAt)).rejects.toThrow(InvalidCursor);
});
