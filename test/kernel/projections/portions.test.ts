import { expect, test } from '@jest/globals';
import { LARGEST_BATCH, Portions } from '../../../src/kernel/projections/portions.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';

const events = Array.from({ length: 20_000 }, () => ({}) as StoredEvent);

/** Applies all to a store that gives up on more than it can take; gives the sizes that it took and those that it did not. */
async function applied(most: number) {
  const portions = Portions.alone();
  const [taken, refused]: [number[], number[]] = [[], []];
  for (let done = 0; done < events.length;) {
    const apply = ({ length }: readonly StoredEvent[]) => {
      if (length > most) {
        refused.push(length);
        throw new StoreUnavailable('it took too long', true);
      }
      taken.push(length);
      done += length;
      return Promise.resolve();
    };
    await portions.each(events.slice(done), apply).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnavailable);
    });
  }
  return { taken, refused };
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

test.each([40, 300, 900])('a store that takes %i events at once is seldom given more', async (most) => {
  const { taken, refused } = await applied(most);
  expect(sum(taken)).toBe(events.length);
  expect(sum(refused) / sum(taken)).toBeLessThan(0.4);
});

test('a store that takes everything is given the most', async () => {
  const { taken, refused } = await applied(LARGEST_BATCH);
  expect([new Set(taken), refused]).toEqual([new Set([LARGEST_BATCH]), []]);
});

test('beside others, a store that is slow is given less, but never nothing', async () => {
  const sizes: number[] = [];
  const note = ({ length }: readonly StoredEvent[]) => Promise.resolve(void sizes.push(length));
  let patience = -1;
  const portions = Portions.beside(() => patience);
  await portions.each(events.slice(0, 1_000), note);
  expect([sizes[0], sizes.at(-2)]).toEqual([64, 8]);
  patience = Infinity;
  await portions.each(events, note);
  expect(sizes.at(-2)).toBe(LARGEST_BATCH);
});
