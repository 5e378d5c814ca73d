import { expect, test } from '@jest/globals';
import { VersionCache } from '../../../src/features/traceability/version-cache.js';

/** Counts how often something is made. */
function counting() {
  const cache = new VersionCache();
  let made = 0;
  const ask = (version: string | undefined, { storeId = 's1', key = 'key', weight = 1 } = {}) =>
    cache.of(
      { storeId, version },
      key,
      () => Promise.resolve(++made),
      () => weight,
    );
  return { cache, ask };
}

test('is made once while nothing is written, also for those who ask at the same time', async () => {
  const { ask } = counting();
  expect(await Promise.all([ask('1'), ask('1')])).toEqual([1, 1]);
  expect(await ask('1')).toBe(1);
});

test('is made anew after a write, in another store and for another key', async () => {
  const { ask } = counting();
  expect([await ask('1'), await ask('2'), await ask('2', { storeId: 's2' }), await ask('2', { key: 'other' })]).toEqual(
    [1, 2, 3, 4],
  );
});

test('is made every time where others may write', async () => {
  const { ask } = counting();
  expect([await ask(undefined), await ask(undefined)]).toEqual([1, 2]);
});

test('a failure is not kept', async () => {
  const { cache } = counting();
  const key = { storeId: 's1', version: '1' };
  const failing = () => Promise.reject(new Error('away'));
  await expect(cache.of(key, 'key', failing, () => 1)).rejects.toThrow('away');
  expect(
    await cache.of(
      key,
      'key',
      () => Promise.resolve('there'),
      () => 1,
    ),
  ).toBe('there');
});

test('what is too large is not kept', async () => {
  const { ask } = counting();
  expect([await ask('1', { weight: 1e6 }), await ask('1', { weight: 1e6 })]).toEqual([1, 2]);
});
