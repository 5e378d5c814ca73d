import { setImmediate as othersTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Applier } from '../../../src/kernel/projections/applier.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import { RunningProjections } from '../../support/running-projections.js';
import { countThings, nameThing, POISON, projectors, thingsProjector } from '../../support/shelf-projectors.js';
import { until } from '../../support/until.js';

let running: RunningProjections;

const projecting = (change?: (applier: Applier) => Applier): Promise<RunningProjections> => {
  running = new RunningProjections();
  return running.start(projectors, change);
};

afterEach(() => running.stop());

const stopped = (collection: string) =>
  until(`${collection} stops`, () => running.healthOf(collection)?.state === 'stopped');

/** A log with a poison event, which the projections have left behind. */
async function goingOnAfterPoison(): Promise<void> {
  await projecting();
  await running.append(nameThing('a', 'good'));
  const poison = await running.append(nameThing('b', POISON));
  await stopped('things');
  await running.projections.skip('things', poison);
  await running.projections.caughtUp();
}

describe('a rebuild', () => {
  test('makes the documents again while live events keep flowing', async () => {
    await projecting();
    for (let index = 0; index < 25; index++)
      await running.append(...Array.from({ length: 100 }, () => countThings(1, 'a')));
    await running.projections.caughtUp();
    const rebuilding = new AbortController();
    const rebuild = running.projections.rebuild('things').finally(() => {
      rebuilding.abort();
    });
    expect(running.healthOf('things')?.state).toBe('rebuilding');
    let live = 0;
    while (!rebuilding.signal.aborted || live < 5) {
      live += 1;
      const position = await running.append(countThings(1, 'a'), nameThing('a', `live ${live}`));
      expect(await running.projections.waitFor(['things'], position, 60_000)).toBe(true);
      expect(running.document('things', 'a')).toMatchObject({ name: `live ${live}`, count: 2_500 + live });
    }
    await rebuild;
    const position = await running.append(countThings(1, 'a'));
    expect(await running.projections.waitFor(['things'], position, 60_000)).toBe(true);
    expect(running.document('things', 'a')).toMatchObject({ count: 2_501 + live, applied: 2_501 + 2 * live });
    expect(running.healthOf('things')).toMatchObject({ state: 'live', position });
    expect(running.store.contents()).not.toHaveProperty('next:things');
  });

  test.each([
    ['of all collections', projectors],
    ['of the only one', [thingsProjector]],
  ])('%s misses nothing that comes while it takes the place of the live documents', async (_, list) => {
    let comes = 0;
    running = new RunningProjections();
    await running.start(list, (applier) => ({
      ...applier,
      async switchRebuild(name) {
        const meanwhile = running.append(countThings(1, 'a'));
        await othersTurn();
        await meanwhile;
        comes += 1;
        await applier.switchRebuild(name);
      },
    }));
    await running.append(countThings(1, 'a'));
    await running.projections.caughtUp();
    await running.projections.rebuild(...list.map(({ collection }) => collection.name));
    await running.projections.caughtUp();
    expect(comes).toBe(list.length);
    expect(running.document('things', 'a')).toMatchObject({ count: 1 + comes, applied: 1 + comes });
  });

  test.each([
    ['little at once where live events wait for it', { oneByOne: true }, 8],
    ['much at once where they do not', {}, 64],
  ] as const)('applies %s', async (_, kind, least) => {
    const sizes: number[] = [];
    // A time of its own: how long a portion takes on a busy machine decides nothing here.
    let now = performance.now();
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now);
    await projecting((applier) => ({
      ...applier,
      ...kind,
      apply: async (batch) => {
        if (batch.generation === 'live') return applier.apply(batch);
        sizes.push(batch.events.length);
        now += 20;
        return applier.apply(batch);
      },
    }));
    await running.append(...Array.from({ length: 400 }, () => countThings(1, 'a')));
    await running.projections.caughtUp();
    await running.projections.rebuild('things');
    time.mockRestore();
    expect(sizes.reduce((all, size) => all + size, 0)).toBe(400);
    expect(Math.min(...sizes.slice(0, -1))).toBe(least);
  });

  test('on a slow store keeps what is live waiting for little, though more comes than it takes in', async () => {
    const AT_ONCE = 16;
    const MOST = 1_500;
    let [now, come, waited] = [performance.now(), 0, 0];
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now);
    await projecting((applier) => ({
      ...applier,
      async apply(batch) {
        if (batch.generation === 'next' && come < MOST) {
          now += 1_000;
          come += AT_ONCE;
          await running.append(...Array.from({ length: AT_ONCE }, () => countThings(1, 'a')));
          await othersTurn();
          waited = Math.max(waited, running.healthOf('counts')?.lagEvents ?? 0);
        }
        return applier.apply(batch);
      },
    }));
    await running.append(...Array.from({ length: 40 }, () => countThings(1, 'a')));
    await running.projections.caughtUp();
    await running.projections.rebuild('things');
    time.mockRestore();
    await running.projections.caughtUp();
    expect(running.document('things', 'a')).toMatchObject({ count: 40 + come });
    expect(waited).toBeLessThan(200);
  });

  test('asked for twice at once happens once', async () => {
    let begun = 0;
    await projecting((applier) => ({
      ...applier,
      beginRebuild: (name) => {
        begun += 1;
        return applier.beginRebuild(name);
      },
    }));
    await running.append(countThings(1, 'a'));
    await Promise.all([running.projections.rebuild('things'), running.projections.rebuild('things')]);
    expect(begun).toBe(1);
    await running.projections.rebuild('things');
    expect(begun).toBe(2);
  });

  test('of several collections reads the log once for all of them', async () => {
    const batches: (readonly string[])[] = [];
    await projecting((applier) => ({
      ...applier,
      apply: (batch) => {
        if (batch.generation === 'next') batches.push(batch.collections);
        return applier.apply(batch);
      },
    }));
    await running.append(countThings(1, 'a'), nameThing('a', 'bread'));
    await running.projections.caughtUp();
    const before = running.store.contents();
    const rebuild = running.projections.rebuild('things', 'names', 'counts', 'things');
    const states = running.projections.health().map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['rebuilding']));
    await rebuild;
    expect(batches).toEqual([['things', 'names', 'counts']]);
    expect(running.store.contents()).toEqual(before);
    const position = await running.append(countThings(1, 'a'));
    expect(await running.projections.waitFor(['things', 'names', 'counts'], position, 60_000)).toBe(true);
    expect(running.document('things', 'a')).toMatchObject({ name: 'bread', count: 2, applied: 3 });
  });

  test('of several collections goes on without one that meets a poison event', async () => {
    await goingOnAfterPoison();
    const switched = jest.spyOn(running.store, 'switchRebuild');
    await expect(running.projections.rebuild('things', 'names', 'counts')).rejects.toThrow('a poisonous name');
    await until('the others are rebuilt', () => running.projections.health().every(({ state }) => state === 'live'));
    expect(switched.mock.calls.map(([{ name }]) => name)).toEqual(['names', 'counts']);
    const after = await running.append(nameThing('c', 'good'));
    expect(await running.projections.waitFor(['things', 'names', 'counts'], after, 60_000)).toBe(true);
    expect(running.document('things', 'c')).toMatchObject({ name: 'good' });
  });

  test('of an empty log ends at once', async () => {
    await projecting();
    await running.projections.rebuild('things');
    expect(running.healthOf('things')?.state).toBe('live');
  });

  test('is given up when the projections are closed', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await projecting((applier) => ({
      ...applier,
      async apply(batch) {
        if (batch.generation === 'next') await held;
        return applier.apply(batch);
      },
    }));
    await running.append(countThings(1, 'a'));
    await running.projections.caughtUp();
    const rebuild = running.projections.rebuild('things');
    const closed = running.stop();
    release();
    await expect(rebuild).rejects.toThrow();
    await closed;
  });

  test('that writes while the projections are closed is waited for: the store is closed next', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const order: string[] = [];
    await projecting((applier) => ({
      ...applier,
      async apply(batch) {
        if (batch.generation === 'live') return applier.apply(batch);
        order.push('begins');
        await held;
        const outcome = await applier.apply(batch);
        order.push('has written');
        return outcome;
      },
    }));
    await running.append(countThings(1, 'a'));
    await running.projections.caughtUp();
    const rebuild = running.projections.rebuild('things');
    await until('it writes', () => order.length > 0);
    const closed = running.stop().then(() => order.push('closed'));
    for (let turn = 0; turn < 50; turn++) await othersTurn();
    release();
    await Promise.allSettled([rebuild, closed]);
    expect(order).toEqual(['begins', 'has written', 'closed']);
  });
});

describe('a poison event', () => {
  test('stops its projector with the reason in its health, and the others go on', async () => {
    await projecting();
    await running.append(nameThing('a', 'good'));
    const poison = await running.append(nameThing('b', POISON));
    const after = await running.append(nameThing('c', 'good'));
    expect(await running.projections.waitFor(['names', 'counts'], after, 60_000)).toBe(true);
    await stopped('things');
    expect(running.healthOf('things')).toMatchObject({
      position: '000000000001',
      poison: { position: poison, stream: 'shelf', type: 'ThingNamed', reason: 'a poisonous name' },
    });
    expect(await running.projections.waitFor(['things'], after, 60_000)).toBe(false);
    expect(running.errors).toHaveLength(1);
    await running.projections.caughtUp();
    await running.append(nameThing('d', 'good'));
    await running.projections.caughtUp();
    running.now += 700;
    expect(running.healthOf('things')).toMatchObject({ lagMilliseconds: 700 });
    expect(running.healthOf('things')?.lagEvents).toBeGreaterThan(0);
  });

  test('is passed when an operator says so', async () => {
    await projecting();
    const poison = await running.append(nameThing('b', POISON));
    await running.append(nameThing('c', 'good'));
    await stopped('things');
    await expect(running.projections.skip('things', '000000000009')).rejects.toThrow('has not stopped at');
    await expect(running.projections.skip('names', poison)).rejects.toThrow('has not stopped at');
    await running.projections.skip('things', poison);
    await running.projections.caughtUp();
    await until('things is live', () => running.healthOf('things')?.state === 'live');
    expect(running.healthOf('things')).not.toHaveProperty('poison');
    expect(running.document('things', 'b')).toBeUndefined();
    expect(running.document('things', 'c')).toMatchObject({ name: 'good', applied: 1 });
    const after = await running.append(countThings(3, 'c'));
    expect(await running.projections.waitFor(['things'], after, 60_000)).toBe(true);
    expect(running.document('things', 'c')).toMatchObject({ count: 3, applied: 2 });
  });

  test('is passed once, though two ask for it', async () => {
    await projecting();
    const poison = await running.append(nameThing('b', POISON));
    await running.append(nameThing('c', 'good'));
    await stopped('things');
    const skip = () => running.projections.skip('things', poison);
    const outcomes = await Promise.allSettled([skip(), skip()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await running.projections.caughtUp();
    expect(running.document('things', 'c')).toMatchObject({ name: 'good', applied: 1 });
  });

  test('stands as long as the store cannot write that it is passed', async () => {
    await projecting();
    const poison = await running.append(nameThing('b', POISON));
    await stopped('things');
    running.store.between = () => {
      throw new StoreUnavailable('away', true);
    };
    await expect(running.projections.skip('things', poison)).rejects.toThrow('away');
    expect(running.healthOf('things')).toMatchObject({ state: 'stopped', poison: { position: poison } });
    running.store.between = () => undefined;
    await running.projections.skip('things', poison);
    await until('things is live', () => running.healthOf('things')?.state === 'live');
  });

  test('that was passed stays passed after a restart', async () => {
    await projecting();
    const poison = await running.append(nameThing('b', POISON));
    await stopped('things');
    await running.projections.skip('things', poison);
    await running.projections.caughtUp();
    await running.stop();
    await running.start();
    await running.projections.caughtUp();
    expect(running.healthOf('things')?.state).toBe('live');
  });

  test('stops one of several that catch up together after a restart', async () => {
    const batches: (readonly string[])[] = [];
    await projecting();
    await running.append(nameThing('a', 'good'), nameThing('b', POISON));
    await running.append(nameThing('c', 'good'));
    await stopped('things');
    await running.stop();
    const again = projectors.map((projector) =>
      projector.collection.name === 'counts'
        ? projector
        : { ...projector, collection: { ...projector.collection, version: projector.collection.version + 1 } },
    );
    await running.start(again, (applier) => ({
      ...applier,
      apply: (batch) => {
        batches.push(batch.collections);
        return applier.apply(batch);
      },
    }));
    await stopped('things');
    await running.projections.caughtUp();
    await until('the others are live', () =>
      running.projections.health().every(({ name, state }) => name === 'things' || state === 'live'),
    );
    expect(batches[0]).toEqual(['things', 'names']);
    expect(running.store.contents()['live:names']).toBeDefined();
  });

  test('is met again after a restart, until the projector can take it', async () => {
    await projecting();
    await running.append(nameThing('b', POISON), nameThing('c', 'good'));
    await stopped('things');
    await running.stop();
    await running.start();
    const began = performance.now();
    expect(await running.projections.waitFor(['things'], await running.log.head(), 120_000)).toBe(false);
    expect(performance.now() - began).toBeLessThan(100_000);
    await stopped('things');
    await running.stop();
    const cured = { ...thingsProjector, records: new Map(thingsProjector.records) };
    cured.records.set('ThingNamed', {
      ids: () => ['cured'],
      evolve: (document) => document ?? { id: 'cured', name: 'cured', count: 0, applied: 0 },
    });
    await running.start([cured]);
    await running.projections.caughtUp();
    expect(running.document('things', 'cured')).toBeDefined();
  });

  test('is no matter any more after a rebuild by a projector that can take it', async () => {
    let isCured = false;
    const cured = { id: 'b', name: 'cured', count: 0, applied: 1 };
    const { records } = thingsProjector;
    const named = records.get('ThingNamed');
    const curable = {
      ...thingsProjector,
      records: new Map(records).set('ThingNamed', {
        ids: (event) => named?.ids(event) ?? [],
        evolve: (document, event, id) => (isCured ? cured : named?.evolve(document, event, id)),
      }),
    };
    running = new RunningProjections();
    await running.start([curable]);
    const poison = await running.append(nameThing('b', POISON));
    await stopped('things');
    isCured = true;
    await running.projections.rebuild('things');
    expect(running.healthOf('things')).toEqual({
      name: 'things',
      version: 1,
      state: 'live',
      position: poison,
      lagEvents: 0,
      lagMilliseconds: 0,
    });
    expect(running.document('things', 'b')).toEqual(cured);
  });

  test('ends a rebuild, and the live build stays as it was', async () => {
    await goingOnAfterPoison();
    await expect(running.projections.rebuild('things')).rejects.toThrow('a poisonous name');
    const after = await running.append(nameThing('c', 'good'));
    expect(await running.projections.waitFor(['things'], after, 60_000)).toBe(true);
    expect(running.document('things', 'a')).toMatchObject({ name: 'good' });
  });
});
