import { describe, expect, jest, test } from '@jest/globals';
import { category } from '../../../src/features/categories/decider.js';
import { systemClock, toIso } from '../../../src/kernel/values/clock.js';
import { newId } from '../../../src/kernel/values/ids.js';
import type { CommandEnvelope } from '../../../src/kernel/lanes/decision.js';
import { LaneSnapshots } from '../../../src/kernel/lanes/snapshots.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import type { EventStore } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import type { Snapshot, Snapshots } from '../../../src/ports/snapshots.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import { heldReads } from '../../support/held-reads.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';

let now = Date.parse('2026-11-21T12:00:00Z');
const clock = systemClock(() => now);

const envelope = (more: Partial<CommandEnvelope> = {}): CommandEnvelope => ({
  commandId: newId(now),
  storeId: 'store',
  actor: SYSTEM,
  requestId: 'request',
  at: toIso(now),
  ...more,
});
const create = (name: string) => ({
  type: 'create' as const,
  items: [{ id: newId(now), name, fields: { defaultNcm: null } }],
});

class KeptSnapshots implements Snapshots {
  readonly kept = new Map<string, Snapshot>();
  save(stream: string, snapshot: Snapshot): Promise<void> {
    this.kept.set(stream, snapshot);
    return Promise.resolve();
  }
  load(stream: string): Promise<Snapshot | undefined> {
    return Promise.resolve(this.kept.get(stream));
  }
}

function lanesOn(store: EventStore, port?: Snapshots, maximumWeight?: number) {
  const errors: unknown[] = [];
  const snapshots = port && new LaneSnapshots(port, store.logId, clock, (error) => errors.push(error));
  const lanes = new Lanes(
    { store, vault: new MemoryVault(clock.now), ...(snapshots ? { snapshots } : {}) },
    maximumWeight,
  );
  return { lanes, errors };
}

/** Counts how many events a store has given. */
function counting(store: MemoryEventStore): { readonly store: EventStore; given(): number } {
  let given = 0;
  const bent = Object.assign(Object.create(store) as EventStore, {
    async readStream(...options: Parameters<EventStore['readStream']>) {
      const events = await store.readStream(...options);
      given += events.length;
      return events;
    },
  });
  return { store: bent, given: () => given };
}

async function fill(lanes: Lanes, count: number, stream = 'categories-store'): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `Categoria ${String(index)}`);
  await Promise.all(names.map((name) => lanes.execute(category, stream, create(name), envelope())));
}

describe('lanes', () => {
  test('where rows are stored apart from events, those that stand come first and those that go come last', async () => {
    const memory = new MemoryEventStore();
    const vault = new MemoryVault(clock.now);
    const steps: string[] = [];
    const store = Object.assign(Object.create(memory) as EventStore, {
      append: (...given: Parameters<EventStore['append']>) => {
        steps.push('events');
        return memory.append(given[0], given[1], given[2]);
      },
    });
    const told = Object.assign(Object.create(vault) as MemoryVault, {
      write: (rows: Parameters<MemoryVault['write']>[0]) => {
        steps.push(...rows.map(({ id, value }) => (value === undefined ? `no ${id}` : id)));
        return vault.write(rows);
      },
    });
    const lanes = new Lanes({ store, vault: told });
    const row = (id: string, value?: object) => ({ kind: 'test', id, value, expected: 'any' as const });
    const rows = [row('old'), row('new', {})];
    await lanes.execute(category, 'categories-store', create('Bolos'), envelope({ rows }));
    expect(steps).toEqual(['new', 'events', 'no old']);
    steps.length = 0;
    await lanes.execute(category, 'categories-store', { type: 'create', items: [] }, envelope({ rows: [row('old')] }));
    expect(steps).toEqual([]);
  });

  test('where rows are stored apart from events, what is refused leaves no row of its own that there was not before, nor touches one that another has written since', async () => {
    const vault = new MemoryVault(clock.now);
    const row = (id: string, by: string) => ({ kind: 'test', id, value: { by }, expected: 'any' as const });
    await vault.write([row('old', 'another')]);
    let afterRows: () => Promise<unknown> = () => Promise.resolve();
    const lanes = new Lanes({ store: heldReads(new MemoryEventStore(), () => afterRows()), vault });
    await lanes.execute(category, 'categories-store', create('Bolos'), envelope());
    let hasWritten = false;
    afterRows = async () => {
      if (!hasWritten) await vault.write([row('overtaken', 'another')]);
      hasWritten = true;
    };
    const own = ['new', 'old', 'overtaken'].map((id) => ({
      ...row(id, 'the refused'),
      endsWhenRefused: true as const,
    }));
    const rows = [...own, row('shared', 'the refused')];
    const refused = lanes.execute(category, 'categories-store', create('Bolos'), envelope({ rows }));
    await expect(refused).rejects.toThrow(Rejection);
    const left = await vault.getMany('test', [...rows.map(({ id }) => id)]);
    expect(left.map(({ id, value }) => [id, value])).toEqual([
      ['old', { by: 'the refused' }],
      ['overtaken', { by: 'another' }],
      ['shared', { by: 'the refused' }],
    ]);
  });

  test('answer a command once what waits for its events lets it', async () => {
    const steps: string[] = [];
    const lanes = new Lanes({
      store: new MemoryEventStore(),
      vault: new MemoryVault(clock.now),
      async beforeAnswer(events) {
        await new Promise(setImmediate);
        steps.push(...events.map(({ type }) => type));
      },
    });
    await lanes.execute(category, 'categories-store', create('Bolos'), envelope());
    steps.push('answered');
    expect(steps).toEqual(['CategoryCreated', 'answered']);
  });

  test('read all of a stream that is longer than one reading of it', async () => {
    const memory = new MemoryEventStore();
    await fill(lanesOn(memory).lanes, 2_500);
    const { state, revision } = await lanesOn(memory).lanes.current(category, 'categories-store');
    expect([state.items.size, revision]).toEqual([2_500, 2_499]);
  });

  test('give events by their revisions, in that order, with few readings and little that nobody asked for', async () => {
    const memory = new MemoryEventStore();
    await fill(lanesOn(memory).lanes, 1_500);
    const readStream = jest.spyOn(memory, 'readStream');
    const { store, given } = counting(memory);
    const { lanes } = lanesOn(store);
    const far = Array.from({ length: 250 }, (_, index) => 1_499 - 5 * index);
    const revisions = [7, 10, 9, 7, ...far, 2];
    const events = await lanes.eventsAt(category, 'categories-store', revisions);
    expect(events.map(({ revision }) => revision)).toEqual(revisions);
    expect([readStream.mock.calls.length, given()]).toEqual([252, 255]);
    await expect(lanes.eventsAt(category, 'categories-store', [1_499, 1_500])).rejects.toThrow('lacks its event 1500');
  });

  test('give events that were heard of without a reading', async () => {
    const memory = new MemoryEventStore();
    await fill(lanesOn(memory).lanes, 3);
    const { store, given } = counting(memory);
    const { lanes } = lanesOn(store);
    for (const event of await memory.readStream('categories-store', { from: 1, limit: 1 })) lanes.hear(event);
    const events = await lanes.eventsAt(category, 'categories-store', [1, 0, 1]);
    expect(events.map(({ revision }) => revision)).toEqual([1, 0, 1]);
    expect(given()).toBe(1);
  });

  test('start from a snapshot, so that a cold start does not read a long stream', async () => {
    const memory = new MemoryEventStore();
    const port = new KeptSnapshots();
    const first = lanesOn(memory, port);
    await fill(first.lanes, 1_500);
    now += 60_000;
    await first.lanes.snapshotIdle();
    await first.lanes.execute(category, 'categories-store', create('Depois'), envelope());

    const { store, given } = counting(memory);
    const second = lanesOn(store, port);
    const { state, revision } = await second.lanes.current(category, 'categories-store');
    expect([state.items.size, revision, given()]).toEqual([1_501, 1_500, 2]);
    expect(state.items.toJS()).toEqual((await first.lanes.current(category, 'categories-store')).state.items.toJS());
    await second.lanes.execute(category, 'categories-store', create('Mais uma'), envelope());
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  test('keep a state soon after the last time only when told that there will be no other', async () => {
    const port = new KeptSnapshots();
    const { lanes } = lanesOn(new MemoryEventStore(), port);
    const kept = () => port.kept.get('categories-store')?.revision;
    now += 60_000;
    await fill(lanes, 600);
    await lanes.snapshotIdle();
    const names = Array.from({ length: 600 }, (_, index) => `Outra ${String(index)}`);
    await Promise.all(names.map((name) => lanes.execute(category, 'categories-store', create(name), envelope())));
    await lanes.snapshotIdle();
    expect(kept()).toBe(599);
    await lanes.snapshotIdle(0);
    expect(kept()).toBe(1_199);
  });

  test('keep snapshots in pieces of at most 512 KiB', async () => {
    const port = new KeptSnapshots();
    const { lanes } = lanesOn(new MemoryEventStore(), port);
    const names = Array.from({ length: 600 }, (_, index) => `${String(index)} ${'pão '.repeat(800)}`);
    for (const name of names) await lanes.execute(category, 'categories-store', create(name), envelope());
    now += 60_000;
    await lanes.snapshotIdle();
    const pieces = port.kept.get('categories-store')?.pieces ?? [];
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(512 * 1024);
  });

  test('keep every sign of a text where a piece ends', async () => {
    for (const shift of ['', 'x']) {
      const port = new KeptSnapshots();
      const store = new MemoryEventStore();
      const first = lanesOn(store, port);
      const names = Array.from({ length: 700 }, (_, at) => `${String(at).padStart(3, '0')}${'🥖'.repeat(800)}`);
      names.unshift(`${shift}primeira`);
      await Promise.all(
        names.map((name) => first.lanes.execute(category, 'categories-store', create(name), envelope())),
      );
      now += 60_000;
      await first.lanes.snapshotIdle();
      expect(port.kept.get('categories-store')?.pieces.length).toBeGreaterThan(1);
      const { state } = await lanesOn(store, port).lanes.current(category, 'categories-store');
      expect([...state.items.values()].map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    }
  });

  test('read a large snapshot in turns, so that nobody waits for all of it', async () => {
    const port = new KeptSnapshots();
    const store = new MemoryEventStore();
    const first = lanesOn(store, port);
    for (let index = 0; index < 600; index++) {
      const name = `${String(index)} ${'pão '.repeat(800)}`;
      await first.lanes.execute(category, 'categories-store', create(name), envelope());
    }
    now += 60_000;
    await first.lanes.snapshotIdle();
    const read = { all: 0, inTurn: 0, mostInTurn: 0 };
    const { snapshot } = category;
    const watched = {
      ...snapshot,
      load() {
        const parts = snapshot.load();
        return {
          ...parts,
          add(part: unknown) {
            const { length } = JSON.stringify(part);
            read.all += length;
            read.mostInTurn = Math.max(read.mostInTurn, (read.inTurn += length));
            parts.add(part);
          },
        };
      },
    };
    const nextTurn = (): void => {
      read.inTurn = 0;
      turning = setImmediate(nextTurn);
    };
    let turning = setImmediate(nextTurn);
    const { lanes } = lanesOn(store, port);
    const { state } = await lanes.current({ ...category, snapshot: watched }, 'categories-store');
    clearImmediate(turning);
    expect(state.items.size).toBe(600);
    expect(read.all).toBeGreaterThan(1_500_000);
    expect(read.mostInTurn).toBeLessThan(200_000);
  });

  test.each([
    ['of another log', (snapshot: Snapshot): Snapshot => ({ ...snapshot, logId: 'another' })],
    ['of another version', (snapshot: Snapshot): Snapshot => ({ ...snapshot, version: snapshot.version + 1 })],
    ['that the log does not confirm', (snapshot: Snapshot): Snapshot => ({ ...snapshot, revision: 3 })],
  ])('pass over a snapshot %s', async (_, spoil) => {
    const memory = new MemoryEventStore();
    const port = new KeptSnapshots();
    const first = lanesOn(memory, port);
    await fill(first.lanes, 600);
    now += 60_000;
    await first.lanes.snapshotIdle();
    for (const [stream, snapshot] of port.kept) port.kept.set(stream, spoil(snapshot));
    const { store, given } = counting(memory);
    const { state } = await lanesOn(store, port).lanes.current(category, 'categories-store');
    expect(state.items.size).toBe(600);
    expect(given()).toBeGreaterThanOrEqual(600);
  });

  test('remember keyed commands beyond a snapshot', async () => {
    const memory = new MemoryEventStore();
    const port = new KeptSnapshots();
    const first = lanesOn(memory, port);
    const keyed = envelope({ keyed: true });
    const command = create('Com chave');
    await first.lanes.execute(category, 'categories-store', command, keyed);
    await fill(first.lanes, 600);
    now += 60_000;
    await first.lanes.snapshotIdle();
    const { lanes } = lanesOn(memory, port);
    const again = await lanes.execute(category, 'categories-store', command, { ...keyed, repeatSince: keyed.at });
    expect(again.events.map(({ revision }) => revision)).toEqual([0]);
  });

  test('find a keyed command that lies beyond the horizon', async () => {
    const memory = new MemoryEventStore();
    const { lanes } = lanesOn(memory);
    const keyed = envelope({ keyed: true });
    const command = create('Com chave');
    await lanes.execute(category, 'categories-store', command, keyed);
    const others = Array.from({ length: 10_100 }, (_, index) => create(`n${String(index)}`));
    await Promise.all(
      others.map((other) => lanes.execute(category, 'categories-store', other, envelope({ keyed: true }))),
    );
    const again = await lanes.execute(category, 'categories-store', command, { ...keyed, repeatSince: keyed.at });
    expect(again.events.map(({ revision }) => revision)).toEqual([0]);
  });

  test('leave memory when there are too many things in them, and come back from the log', async () => {
    const { lanes } = lanesOn(new MemoryEventStore(), undefined, 100);
    for (let stream = 0; stream < 10; stream++) await fill(lanes, 30, `categories-${String(stream)}`);
    expect(lanes.size).toBeLessThan(5); // of 40 each, in 100
    const { state } = await lanes.current(category, 'categories-0');
    expect(state.items.size).toBe(30);
  });

  test('stay in memory when they are asked for, and others leave it', async () => {
    const memory = new MemoryEventStore();
    const readStream = jest.spyOn(memory, 'readStream');
    const { lanes } = lanesOn(memory, undefined, 100);
    for (const name of ['first', 'asked', 'other']) await fill(lanes, 30, `categories-${name}`); // of 40 each, in 100
    await lanes.current(category, 'categories-asked');
    await fill(lanes, 30, 'categories-new');
    readStream.mockClear();
    for (const stream of ['categories-asked', 'categories-new', 'categories-other'])
      await lanes.current(category, stream);
    expect(readStream.mock.calls.map(([stream]) => stream)).toEqual(['categories-other']);
  });
});

test('lanes of streams that do not exist stay few, and push out none that do', async () => {
  const memory = new MemoryEventStore();
  const { lanes } = lanesOn(memory, undefined, 20_000);
  await lanes.execute(category, 'categories-real', create('Pães'), envelope());
  for (let at = 0; at < 3_000; at++) await lanes.current(category, `categories-${String(at)}`);
  expect(lanes.size).toBeLessThan(1_100);
  const { store, given } = counting(memory);
  Object.assign(memory, { readStream: store.readStream.bind(store) });
  expect((await lanes.current(category, 'categories-real')).revision).toBe(0);
  expect(given()).toBe(0);
});

test('lanes that were asked for while the store was away stay few', async () => {
  const memory = new MemoryEventStore();
  const { lanes } = lanesOn(memory);
  const away = new StoreUnavailable('away', false);
  jest.spyOn(memory, 'readStream').mockRejectedValue(away);
  const repeat = { keyed: true, commandId: newId(now), repeatSince: toIso(now) };
  for (let at = 0; at < 3_000; at++) {
    await expect(lanes.current(category, `categories-${String(at)}`)).rejects.toBe(away);
    await expect(lanes.recordedBy(category, `categories-repeat-${String(at)}`, repeat)).rejects.toBe(away);
  }
  expect(lanes.size).toBeLessThan(1_100);
});

test('a stream that does not exist is looked for once while it is asked for all the time, however many others are', async () => {
  const memory = new MemoryEventStore();
  const readStream = jest.spyOn(memory, 'readStream');
  const { lanes } = lanesOn(memory);
  for (let at = 0; at < 3_000; at++) {
    await lanes.current(category, 'categories-asked');
    await lanes.current(category, `categories-${String(at)}`);
  }
  expect(readStream.mock.calls.filter(([stream]) => stream === 'categories-asked')).toHaveLength(1);
});
