import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { EventStore, NewEvent, Position, StoredEvent } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { appendContract } from './event-store-appends.js';
import { readContract } from './event-store-reads.js';
import { restartContract } from './event-store-restarts.js';
import { subscriptionContract } from './event-store-subscriptions.js';

/** How the contract gets at one engine. */
export interface EventStoreHarness {
  /** A store of its own, or a new client of a shared server: the tests look only at what they wrote. */
  readonly open: () => Promise<EventStore>;
  /** Closes the store and opens the same data again. */
  readonly reopen: (store: EventStore) => Promise<EventStore>;
  /** Another client on the same data, where an engine can be shared. */
  readonly openSecond?: (store: EventStore) => Promise<EventStore>;
  /** For engines with a server: away at once, without a farewell. */
  readonly killServer?: () => Promise<void>;
  readonly startServer?: () => Promise<void>;
  /** Tests that this engine cannot pass: name and reason. */
  readonly leftOut?: Readonly<Record<string, string>>;
  readonly dispose?: () => Promise<void>;
}

/** What the parts of the contract share. */
export interface Room {
  readonly harness: EventStoreHarness;
  readonly check: (name: string, body: (store: EventStore) => Promise<void>) => void;
  /** Has a store closed after the test. */
  readonly keep: (store: EventStore) => EventStore;
  readonly reopen: (store: EventStore) => Promise<EventStore>;
}

export function eventStoreContract(name: string, harness: EventStoreHarness): void {
  describe(`${name} as an event store`, () => {
    const opened = new Set<EventStore>();
    const leftOut = new Map(Object.entries(harness.leftOut ?? {}));
    const keep = (store: EventStore): EventStore => {
      opened.add(store);
      return store;
    };
    const room: Room = {
      harness,
      keep,
      check(title, body) {
        const reason = leftOut.get(title);
        leftOut.delete(title);
        if (reason === undefined) test(title, async () => body(keep(await harness.open())));
        else test.skip(`${title} (left out: ${reason})`, () => undefined);
      },
      async reopen(store) {
        opened.delete(store);
        return keep(await harness.reopen(store));
      },
    };

    afterEach(async () => {
      await Promise.all([...opened].map((store) => store.close()));
      opened.clear();
    });
    afterAll(async () => harness.dispose?.());

    appendContract(room);
    readContract(room);
    restartContract(room);
    subscriptionContract(room);
    test('every test that is left out exists', () => {
      expect([...leftOut.keys()]).toEqual([]);
    });
  });
}

export const someStream = (): string => `tested-${randomUUID()}`;

export const someEvent = (data: unknown = { quantity: '1.5' }, meta: unknown = { at: 'now' }): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingTested',
  data: JSON.stringify(data),
  meta: JSON.stringify(meta),
});

export const someEvents = (count: number, data?: unknown): NewEvent[] =>
  Array.from({ length: count }, () => someEvent(data));

export const ids = (events: readonly NewEvent[]): string[] => events.map((event) => event.id);

/** Writes a new stream of so many events, `size` in an append; gives their ids. */
export async function fill(store: EventStore, stream: string, count: number, size = 100, data?: unknown) {
  const written: string[] = [];
  while (written.length < count) {
    const events = someEvents(Math.min(size, count - written.length), data);
    await store.append(stream, written.length === 0 ? NO_STREAM : written.length - 1, events);
    written.push(...ids(events));
  }
  return written;
}

/** Everything after a position whose stream is among the given ones, read in pages. */
export async function pageThrough(store: EventStore, after: Position, limit: number, streams: ReadonlySet<string>) {
  const found: StoredEvent[] = [];
  for (let from = after; ;) {
    const page = await store.readAll(from, limit);
    const last = page.at(-1);
    if (!last) return found;
    found.push(...page.filter((event) => streams.has(event.stream)));
    from = last.position;
  }
}

/** Appends to its own stream in a row, one to three events at a time. */
export async function writer(store: EventStore, stream: string, appends: number): Promise<void> {
  let revision = NO_STREAM;
  for (let count = 0; count < appends; count++) {
    revision = (await store.append(stream, revision, someEvents(1 + (count % 3)))).revision;
  }
}
