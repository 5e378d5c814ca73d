import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import { isSealed } from '../../../src/kernel/events/chain.js';
import type { EventOf } from '../../../src/kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../src/kernel/events/event.js';
import { newId } from '../../../src/kernel/values/ids.js';
import type { CommandEnvelope } from '../../../src/kernel/lanes/decision.js';
import { Lane, MAX_GROUP_COMMANDS } from '../../../src/kernel/lanes/lane.js';
import { COMMAND_TOO_LARGE, Rejection, UNAVAILABLE, rejection } from '../../../src/kernel/events/rejection.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import type { EventStore } from '../../../src/ports/event-store.js';
import { RowConflict, StoreUnavailable } from '../../../src/ports/event-store.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';

const taken = defineEvent('UnitTaken', 1, z.object({ note: z.string() }));
const SOLD_OUT = rejection(409, 'SOLD_OUT', 'Nothing is left');
type Event = EventOf<typeof taken>;
type Take = { readonly note: string };

const LEFT = 60;

/** A shelf of 60 units. */
const shelf: StreamType<number, Take, Event> = {
  category: 'shelf',
  events: eventCodec(taken),
  decider: {
    initial: LEFT,
    evolve: (left) => left - 1,
    decide(left, { note }) {
      if (note === 'nothing') return [];
      if (left === 0) throw new Rejection(SOLD_OUT);
      return [{ type: 'UnitTaken', data: { note } }];
    },
  },
};

const envelope = (more: Partial<CommandEnvelope> = {}): CommandEnvelope => ({
  commandId: newId(Date.parse('2026-11-21T12:00:00Z')),
  storeId: 'store-1',
  actor: SYSTEM,
  requestId: 'request-1',
  at: '2026-11-21T12:00:00.000Z',
  ...more,
});

const laneOn = (store: EventStore) => new Lane('shelf-1', shelf, { store });
const settled = async (promises: readonly Promise<unknown>[]) => {
  const results = await Promise.allSettled(promises);
  return {
    accepted: results.filter(({ status }) => status === 'fulfilled').length,
    refusals: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Rejection] : [])),
  };
};
const take = (lane: ReturnType<typeof laneOn>, count: number, note = 'x') =>
  Array.from({ length: count }, () => lane.execute({ note }, envelope()));

/** Delegates to a memory store, with calls that a test may watch or bend. */
function watched(store: MemoryEventStore, bend: Partial<EventStore> = {}): EventStore {
  return Object.assign(Object.create(store) as EventStore, bend);
}

describe('a lane', () => {
  test('lets 100 commands at once take 60 units, and refuses the other 40', async () => {
    const store = new MemoryEventStore();
    const { accepted, refusals } = await settled(take(laneOn(store), 100));
    expect(accepted).toBe(60);
    expect(refusals.map(({ kind }) => kind)).toEqual(Array.from({ length: 40 }, () => SOLD_OUT));
    expect(await store.readStream('shelf-1', { limit: 1000 })).toHaveLength(60);
  });

  test('records beside an event from where in a trace its request came', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const lane = laneOn(new MemoryEventStore());
    const { events } = await lane.execute({ note: 'x' }, envelope({ traceparent }));
    expect(events[0]?.meta).toMatchObject({ requestId: 'request-1', traceparent });
    const { events: untraced } = await lane.execute({ note: 'x' }, envelope());
    expect(untraced[0]?.meta).not.toHaveProperty('traceparent');
  });

  test('appends what waited together at once', async () => {
    const store = new MemoryEventStore();
    const sizes: number[] = [];
    const lane = laneOn(
      watched(store, {
        append(stream, revision, events) {
          sizes.push(events.length);
          return store.append(stream, revision, events);
        },
      }),
    );
    await Promise.all(take(lane, 50));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(50);
    expect(sizes.length).toBeLessThanOrEqual(2);
  });

  test('answers no refusal before what it rests on is on disk', async () => {
    const store = new MemoryEventStore();
    let release: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => (release = resolve));
    const lane = laneOn(
      watched(store, { append: (stream, revision, events) => disk.then(() => store.append(stream, revision, events)) }),
    );
    let answered = 0;
    const all = take(lane, 61).map((promise) =>
      promise.then(
        () => answered++,
        () => answered++,
      ),
    );
    await new Promise(setImmediate);
    expect(answered).toBe(0);
    release();
    await Promise.all(all);
    expect(answered).toBe(61);
  });

  test('decides again on what another process has written', async () => {
    const store = new MemoryEventStore();
    const shared = watched(store, { exclusive: false });
    const [one, other] = [laneOn(shared), laneOn(shared)];
    const { accepted } = await settled([...take(one, 50), ...take(other, 50)]);
    expect(accepted).toBe(60);
    expect(await store.readStream('shelf-1', { limit: 1000 })).toHaveLength(60);
  });

  test('with a stale state refuses nothing that the head would allow, and says so of the head', async () => {
    const store = new MemoryEventStore();
    const shared = watched(store, { exclusive: false });
    const [stale, busy] = [laneOn(shared), laneOn(shared)];
    await stale.current();
    await Promise.all(take(busy, 60));
    const nothing = await stale.execute({ note: 'nothing' }, envelope());
    expect(nothing).toMatchObject({ events: [], revision: 59 });
    await expect(stale.execute({ note: 'x' }, envelope())).rejects.toMatchObject({ kind: SOLD_OUT });
  });

  test('chains every event to the one before it, across groups', async () => {
    const store = new MemoryEventStore();
    const lane = laneOn(store);
    for (let round = 0; round < 3; round++) await Promise.all(take(lane, 5));
    let previous = '';
    for (const event of await store.readStream('shelf-1', { limit: 100 })) {
      expect(isSealed(previous, event)).toBe(true);
      expect(isSealed(previous, { ...event, data: event.data.replace('x', 'y') })).toBe(false);
      previous = (JSON.parse(event.meta) as { hash: string }).hash;
    }
  });

  test('never lets recorded time go backwards', async () => {
    const store = new MemoryEventStore();
    const lane = laneOn(store);
    await lane.execute({ note: 'x' }, envelope({ at: '2026-11-21T12:00:05.000Z' }));
    const { events } = await lane.execute({ note: 'x' }, envelope({ at: '2026-11-21T12:00:01.000Z' }));
    expect(events[0]?.meta.at).toBe('2026-11-21T12:00:05.000Z');
  });

  test('finds what a keyed command recorded before, and records it once', async () => {
    const store = new MemoryEventStore();
    const keyed = envelope({ keyed: true });
    const first = await laneOn(store).execute({ note: 'once' }, keyed);
    const lane = laneOn(store);
    const others = take(lane, 3);
    const second = await lane.execute({ note: 'once' }, { ...keyed, repeatSince: keyed.at });
    await Promise.all(others);
    expect(second.events.map(({ id }) => id)).toEqual(first.events.map(({ id }) => id));
    expect(await store.readStream('shelf-1', { limit: 100 })).toHaveLength(4);
  });

  test('refuses a command whose events alone are too large, and the others of its group go on', async () => {
    const lane = laneOn(new MemoryEventStore());
    const large = lane.execute({ note: 'x'.repeat(600_000) }, envelope());
    const small = take(lane, 3);
    await expect(large).rejects.toMatchObject({ kind: COMMAND_TOO_LARGE });
    expect((await settled(small)).accepted).toBe(3);
  });

  test('splits what is too much for one append', async () => {
    const store = new MemoryEventStore();
    const sizes: number[] = [];
    const lane = laneOn(
      watched(store, {
        append(stream, revision, events) {
          sizes.push(events.length);
          return store.append(stream, revision, events);
        },
      }),
    );
    const { accepted } = await settled(take(lane, 10, 'x'.repeat(200_000)));
    expect(accepted).toBe(10);
    expect(MAX_GROUP_COMMANDS).toBeGreaterThan(10);
    expect(Math.max(...sizes)).toBe(2);
  });

  test('after a failed append reads the log again', async () => {
    const store = new MemoryEventStore();
    let broken = true;
    const lane = laneOn(
      watched(store, {
        async append(stream, revision, events) {
          const done = await store.append(stream, revision, events);
          if (broken) throw new StoreUnavailable('the answer was lost', true);
          return done;
        },
      }),
    );
    await expect(lane.execute({ note: 'x' }, envelope())).rejects.toBeInstanceOf(StoreUnavailable);
    broken = false;
    expect((await lane.current()).revision).toBe(0);
    const { revision } = await lane.execute({ note: 'x' }, envelope());
    expect(revision).toBe(1);
  });

  test('appends the rows of the commands that recorded something, and what stands in the way of one is none of the others', async () => {
    const store = new MemoryEventStore();
    const appends: { readonly notes: readonly string[]; readonly rows: readonly string[] | undefined }[] = [];
    const lane = laneOn(
      watched(store, {
        storesRows: true,
        append(stream, revision, events, rows) {
          if (rows?.some(({ id }) => id === 'taken')) return Promise.reject(new RowConflict());
          const notes = events.map(({ data }) => (JSON.parse(data) as Take).note);
          appends.push({ notes, rows: rows?.map(({ id }) => id) });
          return store.append(stream, revision, events);
        },
      }),
    );
    const withRow = (note: string, id: string) =>
      lane.execute({ note }, envelope({ rows: [{ kind: 'test', id, value: {}, expected: 'absent' }] }));
    const first = lane.execute({ note: 'first' }, envelope());
    await Promise.all([first, withRow('a', 'row a'), withRow('nothing', 'row of nothing'), withRow('b', 'row b')]);
    const waiting = lane.execute({ note: 'next' }, envelope());
    const inTheWay = withRow('c', 'taken');
    const beside = withRow('d', 'row d');
    await expect(inTheWay).rejects.toBeInstanceOf(RowConflict);
    await Promise.all([waiting, beside]);
    expect(appends).toEqual([
      { notes: ['first'], rows: undefined },
      { notes: ['a', 'b'], rows: ['row a', 'row b'] },
      { notes: ['next'], rows: undefined },
      { notes: ['d'], rows: ['row d'] },
    ]);
  });

  test('tells what each command recorded before it answers any of their group', async () => {
    const store = new MemoryEventStore();
    const steps: unknown[] = [];
    const lane = new Lane('shelf-1', shelf, {
      store,
      onAppended: (stream, storeId, position, events) =>
        steps.push([stream, storeId, position, events.map(({ revision }) => revision)]),
    });
    const first = lane.execute({ note: 'x' }, envelope());
    await Promise.all([
      first,
      lane.execute({ note: 'x' }, envelope({ storeId: 'store-2' })).then(() => steps.push('answered')),
      lane.execute({ note: 'nothing' }, envelope()).then(() => steps.push('answered')),
    ]);
    const [one, other] = await store.readStream('shelf-1', { limit: 2 });
    expect(steps).toEqual([
      ['shelf-1', 'store-1', one?.position, [0]],
      ['shelf-1', 'store-2', other?.position, [1]],
      ['shelf-1', 'store-1', other?.position, []],
      'answered',
      'answered',
    ]);
  });

  test('goes on with those behind a group that failed by itself', async () => {
    const store = new MemoryEventStore();
    let failures = 0;
    const lane = laneOn(
      watched(store, {
        append: (stream, revision, events) =>
          failures++ === 0 ? Promise.reject(new Error('by itself')) : store.append(stream, revision, events),
      }),
    );
    const [first, ...behind] = take(lane, 3);
    await expect(first).rejects.toThrow('by itself');
    expect((await settled(behind)).accepted).toBe(2);
  });

  test('lets nobody wait for one outage after the other', async () => {
    const store = new MemoryEventStore();
    let appends = 0;
    const lane = laneOn(
      watched(store, {
        append() {
          appends += 1;
          return Promise.reject(new StoreUnavailable('away', true));
        },
      }),
    );
    const first = lane.execute({ note: 'first' }, envelope());
    const behind = lane.execute({ note: 'behind' }, envelope());
    await expect(first).rejects.toMatchObject({ name: 'StoreUnavailable', unknown: true });
    await expect(behind).rejects.toMatchObject({ name: 'StoreUnavailable', unknown: false });
    expect(appends).toBe(1);
  });

  test('gives up with 503 when others never let it through', async () => {
    const store = new MemoryEventStore();
    const lane = laneOn(
      watched(store, {
        exclusive: false,
        async append(stream, revision, events) {
          await laneOn(store).execute({ note: 'other' }, envelope());
          return store.append(stream, revision, events);
        },
      }),
    );
    await expect(lane.execute({ note: 'x' }, envelope())).rejects.toMatchObject({
      kind: expect.objectContaining({ status: 503 }),
    });
    expect(UNAVAILABLE.status).toBe(503);
  });
});
