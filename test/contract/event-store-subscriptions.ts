import { expect } from '@jest/globals';
import { NO_STREAM, START } from '../../src/ports/event-store.js';
import type { EventStore, Position, StoredEvent, Subscription } from '../../src/ports/event-store.js';
import { heldMemory } from '../support/memory.js';
import { until } from '../support/until.js';
import type { Room } from './event-store.js';
import { fill, ids, pageThrough, someEvent, someEvents, someStream, writer } from './event-store.js';

/** Subscribes and keeps the ids of the events of some streams. */
export function follow(
  store: EventStore,
  after: Position,
  streams: ReadonlySet<string>,
  before: (batch: readonly StoredEvent[]) => Promise<void> = async () => {},
): { readonly seen: string[]; readonly subscription: Subscription } {
  const seen: string[] = [];
  const subscription = store.subscribe(after, async (batch) => {
    const mine = batch.filter((event) => streams.has(event.stream));
    if (mine.length > 0) await before(mine);
    seen.push(...ids(mine));
  });
  return { seen, subscription };
}

export const seenAll = (seen: readonly string[], count: number): Promise<void> =>
  until(`${count} events were seen`, () => seen.length >= count, 120_000);

export function subscriptionContract(room: Room): void {
  const { check } = room;

  check('subscribes from the start', async (store) => {
    const stream = someStream();
    const written = await fill(store, stream, 50);
    const { seen, subscription } = follow(store, START, new Set([stream]));
    await seenAll(seen, 50);
    await subscription.stop();
    expect(seen).toEqual(written);
  });

  check('subscribes from the middle and goes on live', async (store) => {
    const stream = someStream();
    const written = await fill(store, stream, 50);
    const tenth = (await store.readStream(stream, { from: 9, limit: 1 }))[0]?.position ?? '';
    const { seen, subscription } = follow(store, tenth, new Set([stream]));
    await seenAll(seen, 40);
    const later = someEvents(2);
    await store.append(stream, 49, later);
    await seenAll(seen, 42);
    await subscription.stop();
    expect(seen).toEqual([...written.slice(10), ...ids(later)]);
  });

  check('gives every event once and in order while many write', async (store) => {
    const before = await store.head();
    const streams = Array.from({ length: 20 }, someStream);
    const names = new Set(streams);
    const early = follow(store, before, names);
    const writing = streams.map((stream) => writer(store, stream, 45));
    await seenAll(early.seen, 200);
    const late = follow(store, before, names);
    const lazy = follow(store, before, names, () => new Promise((resolve) => setImmediate(resolve)));
    await Promise.all(writing);
    const expected = ids(await pageThrough(store, before, 1_000, names));
    for (const { seen, subscription } of [early, late, lazy]) {
      await seenAll(seen, 1_800);
      await subscription.stop();
      expect(seen).toEqual(expected);
    }
  });

  check('holds little memory and gives one batch at a time while a handler is slow', async (store) => {
    const stream = someStream();
    let [open, running, most] = [() => {}, 0, 0];
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { seen, subscription } = follow(store, await store.head(), new Set([stream]), async (batch) => {
      expect(batch.length).toBeLessThanOrEqual(1_000);
      most = Math.max(most, ++running);
      await gate;
      running -= 1;
    });
    await store.append(stream, NO_STREAM, [someEvent()]);
    const before = heldMemory();
    for (let revision = 0; revision < 30_000; revision += 500) {
      await store.append(stream, revision, someEvents(500, 'x'.repeat(1_000)));
    }
    expect(heldMemory() - before).toBeLessThan(15_000_000);
    open();
    await seenAll(seen, 30_001);
    await subscription.stop();
    expect(most).toBe(1);
    expect(new Set(seen).size).toBe(30_001);
  });

  check('gives a batch again when its handler failed', async (store) => {
    const stream = someStream();
    const tries: string[] = [];
    const { seen, subscription } = follow(store, await store.head(), new Set([stream]), (batch) => {
      tries.push(batch[0]?.id ?? '');
      return tries.length <= 2 ? Promise.reject(new Error('not now')) : Promise.resolve();
    });
    const written = await fill(store, stream, 10, 1);
    await seenAll(seen, 10);
    await subscription.stop();
    expect(tries.slice(0, 3)).toEqual([written[0], written[0], written[0]]);
    expect(seen).toEqual(written);
  });

  check('gives nothing after it was stopped', async (store) => {
    const streams = [someStream(), someStream()];
    const names = new Set(streams);
    const stopped = follow(store, await store.head(), names);
    const other = follow(store, await store.head(), names);
    await fill(store, streams[0] ?? '', 10);
    await seenAll(stopped.seen, 10);
    await stopped.subscription.stop();
    await fill(store, streams[1] ?? '', 10);
    await seenAll(other.seen, 20);
    await other.subscription.stop();
    expect(stopped.seen).toHaveLength(10);
  });

  check('proves itself live while nothing happens', async (store) => {
    const { subscription } = follow(store, await store.head(), new Set());
    await until('it proved live', () => Date.now() - subscription.provedLiveAt < 1_000);
    const before = subscription.provedLiveAt;
    await until('it proved live again', () => subscription.provedLiveAt > before + 200);
    await subscription.stop();
  });

  if (room.harness.openSecond) {
    const second = room.harness.openSecond;
    check('sees what another client appends', async (store) => {
      const other = room.keep(await second(store));
      const stream = someStream();
      const { seen, subscription } = follow(store, await store.head(), new Set([stream]));
      const written = await fill(other, stream, 300, 30);
      await seenAll(seen, 300);
      await subscription.stop();
      expect(seen).toEqual(written);
    });
  }
}
