import { describe, expect, test } from '@jest/globals';
import { storeApplier } from '../../../src/kernel/projections/applier.js';
import type { BatchOutcome } from '../../../src/kernel/projections/engine.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';
import { START, StoreUnavailable } from '../../../src/ports/event-store.js';
import { RebuildReplaced } from '../../../src/ports/read-models.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryProjectionStore } from '../../support/memory-projection-store.js';
import type { ShelfEvent } from '../../support/shelf-projectors.js';
import {
  countThings,
  nameThing,
  POISON,
  projectors,
  shelfEvent,
  throwThing,
  UNWRITABLE,
} from '../../support/shelf-projectors.js';

const ALL = ['things', 'names', 'counts'];

type AnyEvent = ShelfEvent | { readonly type: string; readonly data: unknown };

async function storedEvents(...events: readonly AnyEvent[]): Promise<readonly StoredEvent[]> {
  const log = new MemoryEventStore();
  for (const [index, event] of events.entries()) await log.append('shelf', index - 1, [shelfEvent(event)]);
  return log.readAll(START, 10_000);
}

async function applied(store: MemoryProjectionStore, events: readonly StoredEvent[]): Promise<BatchOutcome> {
  const applier = await storeApplier(store, projectors, 'log');
  return applier.apply({ generation: 'live', collections: ALL, after: START, events });
}

const positionsOf = (outcome: BatchOutcome) =>
  Object.fromEntries([...outcome].map(([name, { position }]) => [name, Number(position)]));

describe('a batch', () => {
  test('becomes documents, rows and checkpoints', async () => {
    const store = new MemoryProjectionStore();
    const events = await storedEvents(
      nameThing('a', 'Apple'),
      countThings(2, 'a', 'b'),
      nameThing('b', 'Bean'),
      throwThing('b'),
    );
    expect(positionsOf(await applied(store, events))).toEqual({ things: 4, names: 4, counts: 4 });
    expect(store.contents()).toEqual({
      'live:things': { 's1/a': { id: 'a', name: 'Apple', count: 2, applied: 2 } },
      'live:things-totals': {
        's1/all': { things: 1, tenths: 0.2, exact: { things: '1', tenths: '0.2' } },
        's1/called Apple': { things: 1, applied: 2, exact: { things: '1', applied: '2' } },
      },
      'live:names': { 's1/a': { id: 'a', names: ['Apple'] }, 's1/b': { id: 'b', names: ['Bean'] } },
      'live:counts': {
        's1/000000000002:a': { thing: 'a', by: 2 },
        's1/000000000002:b': { thing: 'b', by: 2 },
      },
    });
    expect((await store.checkpoints()).map(({ collection, logId, position }) => [collection, logId, position])).toEqual(
      ALL.map((name) => [name, 'log', '000000000004']),
    );
  });

  test('may concern nobody and still moves the checkpoints', async () => {
    const store = new MemoryProjectionStore();
    const outcome = await applied(store, await storedEvents({ type: 'Unheard', data: null }));
    expect(positionsOf(outcome)).toEqual({ things: 1, names: 1, counts: 1 });
    expect(await store.checkpoints()).toHaveLength(3);
  });

  test('gives who has come further only what stands beyond, also where another projector stops', async () => {
    const events = await storedEvents(
      countThings(1, 'a'),
      nameThing('a', POISON),
      countThings(2, 'a'),
      nameThing('a', 'Apple'),
    );
    const store = new MemoryProjectionStore();
    const applier = await storeApplier(store, projectors, 'log');
    const [one, two, three] = events.map(({ position }) => position) as [string, string, string, string];
    const upTo = (collection: string, count: number) =>
      applier.apply({ generation: 'live', collections: [collection], after: START, events: events.slice(0, count) });
    await upTo('names', 2);
    await upTo('counts', 3);
    const further = new Map([
      ['names', two],
      ['counts', three],
    ]);
    const outcome = await applier.apply({ generation: 'live', collections: ALL, further, after: START, events });
    expect(positionsOf(outcome)).toEqual({ things: Number(one), names: 4, counts: 4 });
    expect(store.contents()['live:names']).toEqual({ 's1/a': { id: 'a', names: [POISON, 'Apple'] } });
    expect(Object.values(store.contents()['live:counts'] ?? {})).toEqual([
      { thing: 'a', by: 1 },
      { thing: 'a', by: 2 },
    ]);
  });

  test('keeps the stores of its events apart', async () => {
    const log = new MemoryEventStore();
    await log.append('one', -1, [shelfEvent(nameThing('a', 'ours'), 's1')]);
    await log.append('two', -1, [shelfEvent(nameThing('a', 'theirs'), 's2')]);
    const store = new MemoryProjectionStore();
    await applied(store, await log.readAll(START, 10));
    expect(Object.keys(store.contents()['live:things'] ?? {})).toEqual(['s1/a', 's2/a']);
  });
});

describe('a poison event', () => {
  test.each([
    ['that a projector refuses', nameThing('b', POISON), 'a poisonous name'],
    ['that makes a document nobody can write', nameThing('b', UNWRITABLE), 'BigInt'],
  ])('%s stops that projector before it, and the others go on', async (_, poison, reason) => {
    const store = new MemoryProjectionStore();
    const calm = Array.from({ length: 20 }, (__, index) => nameThing(`c${index}`, 'calm'));
    const outcome = await applied(store, await storedEvents(...calm, poison, countThings(1, 'a'), ...calm));
    expect(positionsOf(outcome)).toEqual({ things: 20, names: 42, counts: 42 });
    expect(outcome.get('things')?.poison).toMatchObject({
      position: '000000000021',
      stream: 'shelf',
      type: 'ThingNamed',
    });
    expect(outcome.get('things')?.poison?.reason).toContain(reason);
    expect(outcome.get('names')?.poison).toBeUndefined();
    expect(Object.keys(store.contents()['live:things'] ?? {})).toHaveLength(20);
    const checkpoints = await store.checkpoints();
    expect(checkpoints.find(({ collection }) => collection === 'things')?.position).toBe('000000000020');
  });

  test('that cannot be read stops everybody who needs it', async () => {
    const store = new MemoryProjectionStore();
    const outcome = await applied(
      store,
      await storedEvents(nameThing('a', 'x'), { type: 'ThingNamed', data: { id: 7 } }),
    );
    expect(positionsOf(outcome)).toEqual({ things: 1, names: 1, counts: 2 });
  });

  test('as the first of all leaves the position where it was', async () => {
    const outcome = await applied(new MemoryProjectionStore(), await storedEvents(nameThing('a', POISON)));
    expect(outcome.get('things')).toMatchObject({ position: START, poison: { position: '000000000001' } });
  });

  test('is tried three times', async () => {
    const store = new MemoryProjectionStore();
    let writes = 0;
    store.between = () => {
      writes += 1;
      if (writes < 4) throw new Error('not yet');
    };
    const outcome = await applied(store, await storedEvents(nameThing('a', 'x')));
    expect([...outcome.values()].every(({ poison }) => !poison)).toBe(true);
  });
});

test('a store that is away is no poison', async () => {
  const store = new MemoryProjectionStore();
  store.between = () => {
    throw new StoreUnavailable('away', true);
  };
  const events = await storedEvents(nameThing('a', 'x'));
  await expect(applied(store, events)).rejects.toThrow(StoreUnavailable);
  store.between = () => undefined;
  expect(positionsOf(await applied(store, events))).toEqual({ things: 1, names: 1, counts: 1 });
});

test('a build that another process has begun anew is no poison either', async () => {
  const store = new MemoryProjectionStore();
  store.between = () => {
    throw new RebuildReplaced('things');
  };
  await expect(applied(store, await storedEvents(nameThing('a', 'x')))).rejects.toThrow(RebuildReplaced);
});

test('two projectors may not write one collection', async () => {
  const twice = [...projectors, ...projectors];
  await expect(storeApplier(new MemoryProjectionStore(), twice, 'log')).rejects.toThrow('the same collection');
});
