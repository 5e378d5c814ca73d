import { expect, test } from '@jest/globals';
import { CatchingUp, PoisonMet } from '../../../src/kernel/projections/catching-up.js';
import type { EventStore, Position, StoredEvent } from '../../../src/ports/event-store.js';
import { START } from '../../../src/ports/event-store.js';
import { RebuildReplaced } from '../../../src/ports/read-models.js';

const positionOf = (number: number): Position => String(number).padStart(8, '0');

/** A log of so many events, as many of which the pump has taken; what comes while a turn is waited for is taken too. */
function logOf(size: number, { pumped = size, meanwhile = 0, failures = [] as Error[] } = {}) {
  let stored = size;
  let end = pumped;
  const applied: Position[] = [];
  const told: unknown[] = [];
  const eventStore = {
    readAll(after: Position, limit: number) {
      const numbers = Array.from({ length: stored }, (_, index) => positionOf(index + 1));
      const page = numbers.filter((position) => position > after).slice(0, limit);
      return Promise.resolve(page.map((position) => ({ position }) as StoredEvent));
    },
  };
  const catchingUp = new CatchingUp({
    eventStore: eventStore as unknown as EventStore,
    pumped: () => positionOf(end),
    patience: () => 1_000,
    async inTurn(work) {
      stored += meanwhile;
      end += meanwhile;
      return work();
    },
    signal: new AbortController().signal,
    onError: (error) => told.push(error),
  });
  const apply = (after: Position, events: readonly StoredEvent[]): Promise<Position> => {
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    applied.push(...events.map(({ position }) => position));
    return Promise.resolve(events.at(-1)?.position ?? after);
  };
  const joined: Position[] = [];
  const follow = () => catchingUp.follow(START, apply, (position) => joined.push(position) > 0);
  return { follow, applied, joined, told };
}

const firstOnes = (count: number) => Array.from({ length: count }, (_, index) => positionOf(index + 1));

test('what comes while the turn is waited for is taken before joining, and nothing twice', async () => {
  const { follow, applied, joined } = logOf(30, { meanwhile: 5 });
  await follow();
  expect(applied).toEqual(firstOnes(35));
  expect(joined).toEqual([positionOf(35)]);
});

test('what the pump has not taken yet is left to it', async () => {
  const { follow, applied, joined } = logOf(30, { pumped: 20 });
  await follow();
  expect(applied).toEqual(firstOnes(20));
  expect(joined).toEqual([positionOf(20)]);
});

test('a failure of the stores is told and outlived', async () => {
  const failure = new Error('away');
  const { follow, applied, told } = logOf(30, { failures: [failure] });
  await follow();
  expect([applied, told]).toEqual([firstOnes(30), [failure]]);
});

test.each<readonly [what: string, failure: Error]>([
  [
    'an event that cannot be taken',
    new PoisonMet('things', START, { position: '1', type: 'Odd', reason: 'odd' } as never),
  ],
  ['a rebuild by another process', new RebuildReplaced('things')],
])('%s ends it', async (_what, failure) => {
  const { follow, joined, told } = logOf(30, { failures: [failure] });
  await expect(follow()).rejects.toBe(failure);
  expect([joined, told]).toEqual([[], []]);
});
