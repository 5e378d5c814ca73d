import { setImmediate as othersTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Applier } from '../../../src/kernel/projections/applier.js';
import { START, StoreUnavailable } from '../../../src/ports/event-store.js';
import type { MemoryEventStore } from '../../support/memory-event-store.js';
import { RunningProjections } from '../../support/running-projections.js';
import {
  countThings,
  countsProjector,
  nameThing,
  namesProjector,
  projectors,
  thingsProjector,
} from '../../support/shelf-projectors.js';
import { until } from '../../support/until.js';

const open: RunningProjections[] = [];

function projecting(...args: ConstructorParameters<typeof RunningProjections>): RunningProjections {
  const running = new RunningProjections(...args);
  open.push(running);
  return running;
}

afterEach(async () => {
  for (const running of open.splice(0)) await running.stop();
});

/** Nothing is applied while it is closed. */
class Gate {
  open: () => void = () => undefined;
  heldUp = 0;
  private closed: Promise<void> | undefined;

  close(): void {
    this.closed = new Promise((resolve) => (this.open = resolve));
  }

  /** Holds up all collections, or one of them and what is applied together with it. */
  before(applier: Applier, collection?: string): Applier {
    return {
      ...applier,
      apply: async (batch) => {
        if (collection === undefined || batch.collections.includes(collection)) {
          this.heldUp += 1;
          await this.closed;
        }
        return applier.apply(batch);
      },
    };
  }
}

describe('waiting for a position', () => {
  test('ends when every named collection has passed it', async () => {
    const running = await projecting().start();
    const position = await running.append(nameThing('a', 'Apple'), countThings(1, 'a'));
    expect(await running.projections.waitFor(['things', 'counts'], position, 60_000)).toBe(true);
    expect(running.document('things', 'a')).toMatchObject({ name: 'Apple', count: 1 });
    expect(await running.projections.waitFor(['things'], START, 0)).toBe(true);
  });

  test('ends in vain when it takes too long', async () => {
    const running = await projecting().start();
    expect(await running.projections.waitFor(['things'], '999999999999', 20)).toBe(false);
    expect(await running.projections.waitFor(['things'], '999999999999', 0)).toBe(false);
  });

  test('ends in vain when the projections are closed', async () => {
    const running = await projecting().start();
    const waited = running.projections.waitFor(['things'], '999999999999', 60_000);
    await running.stop();
    const stopped = performance.now();
    expect(await waited).toBe(false);
    expect(performance.now() - stopped).toBeLessThan(30_000);
  });

  test('for an unknown collection is a mistake', async () => {
    const running = await projecting().start();
    await expect(running.projections.waitFor(['nothing'], START, 0)).rejects.toThrow('no collection nothing');
  });

  test('serves thousands at once', async () => {
    const running = await projecting().start();
    const waits: Promise<boolean>[] = [];
    for (let index = 0; index < 2_000; index++) {
      waits.push(
        running.projections.waitFor(['things'], await running.append(countThings(1, `t${index % 50}`)), 60_000),
      );
    }
    expect((await Promise.all(waits)).every(Boolean)).toBe(true);
    expect(running.document('things', 't7')).toMatchObject({ count: 40, applied: 40 });
  });
});

describe('after a restart', () => {
  test('it goes on where it was, applying nothing twice', async () => {
    const running = await projecting().start();
    await running.append(countThings(1, 'a'));
    await running.projections.caughtUp();
    await running.stop();
    await running.append(countThings(1, 'a'), countThings(1, 'a'));
    await running.start();
    await running.projections.caughtUp();
    expect(running.document('things', 'a')).toMatchObject({ count: 3, applied: 3 });
  });

  test('it is catching up until it has taken what stood in the log, which holds no command up', async () => {
    const gate = new Gate();
    const running = projecting();
    await running.append(countThings(1, 'a'));
    gate.close();
    let now = performance.now();
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now);
    await running.start(projectors, (applier) => gate.before(applier));
    const reached = running.projections.waitFor(['things'], '000000000001', 600_000);
    await until('it takes events', () => gate.heldUp > 0);
    now += 10_000;
    const states = running.projections.health().map(({ state }) => state);
    const pace = running.projections.pace();
    time.mockRestore();
    gate.open();
    expect(states).toEqual(['catching-up', 'catching-up', 'catching-up']);
    expect(pace).toBeUndefined();
    expect(await reached).toBe(true);
    await until('all are live', () => running.projections.health().every(({ state }) => state === 'live'));
  });

  test('a new collection catches up while the others stay live', async () => {
    const running = await projecting().start([thingsProjector]);
    for (let index = 0; index < 30; index++)
      await running.append(...Array.from({ length: 100 }, () => countThings(1, 'a')));
    await running.projections.caughtUp();
    await running.stop();
    await running.start(projectors);
    expect(running.healthOf('things')?.state).toBe('live');
    expect(running.healthOf('counts')?.state).toBe('catching-up');
    const position = await running.append(countThings(5, 'a'), nameThing('a', 'new'));
    expect(await running.projections.waitFor(['things'], position, 60_000)).toBe(true);
    await running.projections.caughtUp();
    expect(Object.keys(running.store.contents()['live:counts'] ?? {})).toHaveLength(3_001);
    expect(running.document('names', 'a')).toEqual({ id: 'a', names: ['new'] });
    await until('all are live', () => running.projections.health().every(({ state }) => state === 'live'));
  });

  test('a collection that catches up says for how long and how much comes meanwhile, and is not late any more once it is live', async () => {
    const gate = new Gate();
    const running = await projecting().start([thingsProjector]);
    await running.append(countThings(1, 'a'));
    await running.projections.caughtUp();
    await running.stop();
    gate.close();
    await running.start([thingsProjector, countsProjector], (applier) => gate.before(applier, 'counts'));
    running.now += 700;
    const position = await running.append(countThings(1, 'a'), countThings(1, 'a'));
    expect(await running.projections.waitFor(['things'], position, 60_000)).toBe(true);
    const [things, counts] = running.projections.health();
    gate.open();
    expect(counts).toMatchObject({ state: 'catching-up', lagEvents: 2, lagMilliseconds: 700 });
    expect(things).toMatchObject({ lagEvents: 0, lagMilliseconds: 0 });
    await until('it is live', () => running.healthOf('counts')?.state === 'live');
    expect(running.healthOf('counts')).toMatchObject({ lagEvents: 0, lagMilliseconds: 0 });
  });

  test('where all collections begin anew each is late since the start, however lately what comes next was read', async () => {
    const gate = new Gate();
    const running = projecting();
    for (let count = 0; count < 5; count++) {
      await running.append(...Array.from({ length: 1_000 }, () => countThings(1, 'a')));
    }
    const slow = (applier: Applier): Applier => ({
      ...applier,
      apply: async (batch) => {
        const outcome = await applier.apply(batch);
        running.now += 30_000;
        if (gate.heldUp === 3) gate.close();
        return outcome;
      },
    });
    const startedAt = running.now;
    await running.start(projectors, (applier) => gate.before(slow(applier)));
    await until('the fourth batch is held up', () => gate.heldUp === 4);
    const [sinceStart, late] = [running.now - startedAt, running.healthOf('things')];
    gate.open();
    expect(late).toMatchObject({ state: 'catching-up', lagMilliseconds: sinceStart });
    await running.projections.caughtUp();
    expect(running.healthOf('things')).toMatchObject({ state: 'live', lagEvents: 0, lagMilliseconds: 0 });
  });

  test.each([
    ['another log', (log: MemoryEventStore) => ({ logId: log.logId === 'x' ? 'y' : 'x', position: '000000000001' })],
    ['a position beyond the head', (log: MemoryEventStore) => ({ logId: log.logId, position: '000000000999' })],
    ['no position at all', (log: MemoryEventStore) => ({ logId: log.logId, position: 'nonsense' })],
  ])('what %s left behind is thrown away and built again', async (_, left) => {
    const running = projecting();
    await running.append(nameThing('a', 'true'));
    const document = { id: 'ghost', name: 'ghost', count: 0, applied: 0 };
    const position = '000000000999';
    await running.store.commit(
      [
        {
          collection: thingsProjector.collection,
          generation: 'live',
          records: [{ store: 's1', id: 'ghost', document, position }],
          rows: [],
        },
      ],
      [{ collection: 'things', version: 1, generation: 'live', ...left(running.log) }],
    );
    await running.start();
    await running.projections.caughtUp();
    expect(running.document('things', 'ghost')).toBeUndefined();
    expect(running.document('things', 'a')).toMatchObject({ name: 'true', applied: 1 });
  });
});

describe('a store that is away', () => {
  test('holds the events up until it is back', async () => {
    const running = await projecting().start();
    running.store.between = () => {
      throw new StoreUnavailable('away', true);
    };
    const position = await running.append(countThings(1, 'a'));
    expect(await running.projections.waitFor(['things'], position, 30)).toBe(false);
    expect(running.healthOf('things')).toMatchObject({ state: 'live', lagEvents: 1 });
    await until('the failure is told', () => running.errors.length > 0);
    running.now += 5_000;
    expect(running.healthOf('things')?.lagMilliseconds).toBe(5_000);
    running.store.between = () => undefined;
    expect(await running.projections.waitFor(['things'], position, 60_000)).toBe(true);
    expect(running.healthOf('things')).toMatchObject({ lagEvents: 0, lagMilliseconds: 0 });
    expect(running.document('things', 'a')).toMatchObject({ count: 1, applied: 1 });
  });

  test('is given less at once, so that one that is slow gets on', async () => {
    const running = projecting();
    const slow = (applier: Applier): Applier => ({
      ...applier,
      apply: (batch) => {
        if (batch.events.length > 20) return Promise.reject(new StoreUnavailable('too slow', true));
        return applier.apply(batch);
      },
    });
    await running.start([thingsProjector], slow);
    await running.append(...Array.from({ length: 100 }, () => countThings(1, 'a')));
    await running.projections.caughtUp();
    expect(running.document('things', 'a')).toMatchObject({ count: 100, applied: 100 });
    await running.stop();
    await running.start([thingsProjector, countsProjector], slow);
    await running.projections.caughtUp();
    expect(Object.keys(running.store.contents()['live:counts'] ?? {})).toHaveLength(100);
  });

  test('holds a collection up that catches up', async () => {
    const running = await projecting().start([thingsProjector]);
    await running.append(nameThing('a', 'Apple'));
    await running.projections.caughtUp();
    await running.stop();
    let away = true;
    running.store.between = () => {
      if (away) throw new StoreUnavailable('away', true);
    };
    await running.start([thingsProjector, namesProjector]);
    await until('the failure is told', () => running.errors.length > 0);
    away = false;
    await running.projections.caughtUp();
    expect(running.document('names', 'a')).toEqual({ id: 'a', names: ['Apple'] });
  });
});

test('without any projector the log is followed all the same', async () => {
  const running = await projecting().start([]);
  await running.append(countThings(1, 'a'));
  await running.projections.caughtUp();
  expect(running.projections.health()).toEqual([]);
});

test('an empty log is caught up at once', async () => {
  const running = await projecting().start([countsProjector]);
  await running.projections.caughtUp();
  expect(running.healthOf('counts')).toEqual({
    name: 'counts',
    version: 1,
    state: 'live',
    position: START,
    lagEvents: 0,
    lagMilliseconds: 0,
  });
});

describe('events one by one', () => {
  const ONE_BY_ONE = 400;

  test('are applied together while nobody waits for them, and all of them when somebody does', async () => {
    const batches: number[] = [];
    const noting = (applier: Applier): Applier => ({
      ...applier,
      apply: (batch) => {
        batches.push(batch.events.length);
        return applier.apply(batch);
      },
    });
    const running = await projecting().start(projectors, noting);
    let position = START;
    for (let number = 0; number < ONE_BY_ONE; number++) {
      position = await running.append(countThings(1, 'a'));
      await othersTurn();
    }
    expect(await running.projections.waitFor(['counts'], position, 60_000)).toBe(true);
    expect(batches.reduce((sum, count) => sum + count, 0)).toBe(ONE_BY_ONE);
    expect(batches.length).toBeLessThan(ONE_BY_ONE / 4);
  });
});

describe('a collection that somebody waits for', () => {
  test('goes on alone; the others take what they have missed together, at the latest when the projections close', async () => {
    const batches: { readonly collections: readonly string[]; readonly events: number }[] = [];
    const noting = (applier: Applier): Applier => ({
      ...applier,
      apply: (batch) => {
        batches.push({ collections: batch.collections, events: batch.events.length });
        return applier.apply(batch);
      },
    });
    const running = await projecting().start(projectors, noting);
    await running.projections.caughtUp();
    batches.length = 0;
    for (let number = 1; number <= 5; number++) {
      const position = await running.append(countThings(1, 'a'));
      expect(await running.projections.waitFor(['things'], position, 60_000)).toBe(true);
      expect(running.document('things', 'a')).toMatchObject({ count: number });
    }
    await running.stop();
    const others = batches.filter(({ collections }) => !collections.includes('things'));
    expect(batches.filter(({ collections }) => collections.includes('things'))).toHaveLength(5);
    expect(others.every(({ collections }) => collections.join() === 'counts')).toBe(true);
    expect(others.reduce((sum, { events }) => sum + events, 0)).toBe(5);
    expect(others.length).toBeLessThan(5);
    const checkpoints = await running.store.checkpoints();
    expect(new Set(checkpoints.map(({ position }) => position))).toEqual(new Set([await running.log.head()]));
  });

  test('shows at once what does not concern it, and its checkpoint follows', async () => {
    const gate = new Gate();
    const running = await projecting().start(projectors, (applier) => gate.before(applier));
    await running.append(nameThing('a', 'Apple'));
    await running.projections.caughtUp();
    gate.close();
    const early = running.projections.waitFor(['names'], '000000000002', 60_000);
    const counted = await running.append(countThings(1, 'a'));
    expect([await early, counted]).toEqual([true, '000000000002']);
    expect(await running.projections.waitFor(['names'], counted, 60_000)).toBe(true);
    expect(await running.projections.waitFor(['things'], counted, 20)).toBe(false);
    const renamed = await running.append(countThings(1, 'a'), nameThing('a', 'Pear'));
    expect(await running.projections.waitFor(['names'], renamed, 20)).toBe(false);
    gate.open();
    expect(await running.projections.waitFor(['names'], renamed, 60_000)).toBe(true);
    expect(running.document('names', 'a')).toEqual({ id: 'a', names: ['Apple', 'Pear'] });
    const last = await running.append(countThings(1, 'a'));
    await running.stop();
    const checkpoints = await running.store.checkpoints();
    expect(checkpoints.map(({ collection, position }) => [collection, position])).toEqual(
      expect.arrayContaining(projectors.map(({ collection: { name } }) => [name, last])),
    );
  });

  test('does not keep the others back for long, though more comes for it all the time', async () => {
    // A time of its own: each batch takes ten milliseconds of it.
    let now = performance.now();
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now);
    let othersAt: number | undefined;
    const running = projecting();
    await running.start(projectors, (applier) => ({
      ...applier,
      async apply(batch) {
        now += 10;
        if (batch.collections.includes('counts')) othersAt ??= now;
        if (othersAt === undefined) await running.append(countThings(1, 'a'));
        await othersTurn();
        return applier.apply(batch);
      },
    }));
    const began = now;
    const waited = running.projections.waitFor(['things'], '999999999999', 600_000);
    await running.append(countThings(1, 'a'));
    await until('the others have their turn', () => othersAt !== undefined);
    time.mockRestore();
    await running.stop();
    expect(await waited).toBe(false);
    expect(Number(othersAt) - began).toBeLessThan(1_000);
  });
});

describe('commands that come faster than they are projected', () => {
  test('wait, the longer the further behind the projections are, and no longer once they have come closer', async () => {
    const gate = new Gate();
    const running = await projecting().start(projectors, (applier) => gate.before(applier));
    await running.append(countThings(1, 'a'));
    await running.projections.caughtUp();
    expect(running.projections.pace()).toBeUndefined();
    gate.close();
    const position = await running.append(countThings(1, 'a'));
    const waited = running.projections.waitFor(['things'], position, 60_000);
    await until('commands wait', () => running.projections.pace() !== undefined);
    expect(running.healthOf('things')?.lagMilliseconds).toBeGreaterThan(500);
    gate.open();
    expect(await waited).toBe(true);
    await running.projections.caughtUp();
    expect(running.projections.pace()).toBeUndefined();
    expect(running.healthOf('things')?.lagMilliseconds).toBe(0);
  });
});
