import { expect } from '@jest/globals';
import { NO_STREAM, StoreUnavailable } from '../../src/ports/event-store.js';
import type { Appended, EventStore, NewEvent } from '../../src/ports/event-store.js';
import { stopwatch } from '../support/stopwatch.js';
import { until } from '../support/until.js';
import { follow, seenAll } from './event-store-subscriptions.js';
import type { Room } from './event-store.js';
import { fill, ids, someEvents, someStream } from './event-store.js';

/** As the service does it: the same events at the same revision until the outcome is known. */
async function appendAtLast(store: EventStore, stream: string, expected: number, events: readonly NewEvent[]) {
  let appended: Appended | undefined;
  await until('an append succeeds', async () => {
    appended = await store.append(stream, expected, events).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return undefined;
      throw error;
    });
    return appended !== undefined;
  });
  return appended;
}

export function restartContract(room: Room): void {
  const { check, harness } = room;

  check('keeps everything over a restart and goes on', async (store) => {
    const before = await store.head();
    const stream = someStream();
    const written = await fill(store, stream, 30);
    const [head, logId] = [await store.head(), store.logId];
    const reopened = await room.reopen(store);
    expect(reopened.logId).toBe(logId);
    expect(await reopened.head()).toBe(head);
    expect(ids(await reopened.readAll(before, 100))).toEqual(written);
    const { revision, position } = await reopened.append(stream, 29, someEvents(1));
    expect(revision).toBe(30);
    expect(position > head).toBe(true);
  });

  check('resumes from a position after a restart', async (store) => {
    const stream = someStream();
    const written = await fill(store, stream, 30);
    const position = (await store.readStream(stream, { from: 19, limit: 1 }))[0]?.position ?? '';
    const { seen, subscription } = follow(await room.reopen(store), position, new Set([stream]));
    await seenAll(seen, 10);
    await subscription.stop();
    expect(seen).toEqual(written.slice(20));
  });

  const { killServer: kill, startServer: start } = harness;
  if (!kill || !start) return;

  check('resumes a subscription whose server was killed during catch-up', async (store) => {
    const stream = someStream();
    const before = await store.head();
    const written = await fill(store, stream, 5_000, 250);
    let killed: Promise<void> | undefined;
    const { seen, subscription } = follow(store, before, new Set([stream]), async () => {
      killed ??= kill().then(start);
      await killed;
    });
    await seenAll(seen, 5_000);
    await subscription.stop();
    expect(killed).toBeDefined();
    expect(seen).toEqual(written);
  });

  check('resumes a subscription whose server was killed while live', async (store) => {
    const stream = someStream();
    const { seen, subscription } = follow(store, await store.head(), new Set([stream]));
    const written = await fill(store, stream, 20);
    await seenAll(seen, 20);
    for (let round = 0; round < 2; round++) {
      await kill();
      await start();
      const events = someEvents(5);
      await appendAtLast(store, stream, written.length - 1, events);
      written.push(...ids(events));
      await seenAll(seen, written.length);
    }
    await subscription.stop();
    expect(seen).toEqual(written);
  });

  check('says that it is unavailable while the server is away, and recovers', async (store) => {
    const stream = someStream();
    const events = someEvents(2);
    const { subscription } = follow(store, await store.head(), new Set());
    await until('it proved live', () => Date.now() - subscription.provedLiveAt < 1_000);
    await kill();
    const elapsed = stopwatch();
    await Promise.all([
      expect(store.append(stream, NO_STREAM, events)).rejects.toBeInstanceOf(StoreUnavailable),
      expect(store.readStream(stream, { limit: 1 })).rejects.toBeInstanceOf(StoreUnavailable),
    ]);
    expect(elapsed()).toBeLessThan(10_000);
    await until('it no longer proves live', () => Date.now() - subscription.provedLiveAt > 1_500);
    await start();
    expect(await appendAtLast(store, stream, NO_STREAM, events)).toMatchObject({ revision: 1 });
    await until('it proves live again', () => Date.now() - subscription.provedLiveAt < 1_000);
    await subscription.stop();
  });
}
