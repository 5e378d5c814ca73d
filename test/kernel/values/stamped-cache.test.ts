import { expect, test } from '@jest/globals';
import { StampedCache } from '../../../src/kernel/values/stamped-cache.js';

const made = (bytes: number) => () => Promise.resolve(Buffer.alloc(bytes));

test('results count for what they hold once they are there, and make room for each other', async () => {
  const cache = new StampedCache<Buffer>(10_000, ({ length }) => length);
  for (const key of ['first', 'second', 'third']) await cache.getOrMake(key, 1, made(4_000));
  expect([cache.entriesHeld, cache.weight]).toEqual([2, 9_000]);
});

test('a result that takes more than there is room for is not kept', async () => {
  const cache = new StampedCache<Buffer>(10_000, ({ length }) => length);
  await cache.getOrMake('small', 1, made(100));
  expect((await cache.getOrMake('large', 1, made(20_000))).length).toBe(20_000);
  expect([cache.entriesHeld, cache.weight]).toEqual([1, 600]);
});
