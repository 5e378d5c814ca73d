import { expect } from '@jest/globals';
import { AppendRefused, MAX_APPEND_BYTES, NO_STREAM, RevisionConflict } from '../../src/ports/event-store.js';
import type { EventStore } from '../../src/ports/event-store.js';
import type { Room } from './event-store.js';
import { fill, ids, someEvent, someEvents, someStream } from './event-store.js';

const AWKWARD = {
  text: 'pão de queijo 🧀 \u0000 \u2028 "quoted" \\ \ud800 end',
  numbers: [0, -1.5, 1e21, 1e-7, Number.MAX_SAFE_INTEGER],
  nested: { empty: {}, list: [], none: null, flag: false, ' key ': 'ß' },
};

/** So many single appends at once at one revision: who won, and what the others got. */
async function race(stores: readonly EventStore[], stream: string, expected: number) {
  const tries = Array.from({ length: 50 }, (_, at) =>
    (stores[at % stores.length] as EventStore).append(stream, expected, [someEvent({ at })]),
  );
  const outcomes = await Promise.allSettled(tries);
  const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  return { won: outcomes.length - lost.length, lost };
}

export function appendContract(room: Room): void {
  const { check, harness } = room;

  check('gives back what was appended', async (store) => {
    const stream = someStream();
    const events = [someEvent(AWKWARD, { actor: 'ação' }), someEvent({}), someEvent(['é'.repeat(200_000)])];
    const appended = await store.append(stream, NO_STREAM, events);
    const read = await store.readStream(stream, { limit: 10 });
    expect(appended).toEqual({ revision: 2, position: read[2]?.position });
    expect(read.map((event) => event.revision)).toEqual([0, 1, 2]);
    expect(read.map(({ id, type, data, meta }) => ({ id, type, data, meta }))).toEqual(events);
    expect(new Set(read.map((event) => event.stream))).toEqual(new Set([stream]));
  });

  check('keeps JSON texts equal', async (store) => {
    const stream = someStream();
    const event = someEvent(AWKWARD, AWKWARD);
    await store.append(stream, NO_STREAM, [event]);
    const [read] = await store.readStream(stream, { limit: 1 });
    expect(JSON.stringify(JSON.parse(read?.data ?? ''))).toBe(event.data);
    expect(JSON.parse(read?.meta ?? '')).toEqual(JSON.parse(event.meta));
  });

  check('refuses a wrong revision and writes nothing', async (store) => {
    const stream = someStream();
    await expect(store.append(stream, 0, someEvents(1))).rejects.toBeInstanceOf(RevisionConflict);
    await store.append(stream, NO_STREAM, someEvents(2));
    for (const wrong of [NO_STREAM, 0, 2, 7]) {
      await expect(store.append(stream, wrong, someEvents(2))).rejects.toMatchObject({
        name: 'RevisionConflict',
        stream,
        expected: wrong,
      });
    }
    expect(await store.readStream(stream, { limit: 10 })).toHaveLength(2);
    expect(await store.append(stream, 1, someEvents(1))).toMatchObject({ revision: 2 });
  });

  check('lets one of 50 writers win each revision', async (store) => {
    const stream = someStream();
    for (let expected = NO_STREAM; expected < 5; expected++) {
      const { won, lost } = await race([store], stream, expected);
      expect(won).toBe(1);
      expect(lost.every((reason) => reason instanceof RevisionConflict)).toBe(true);
    }
    expect(await store.readStream(stream, { limit: 100 })).toHaveLength(6);
  });

  check('answers a repeated append as the first time', async (store) => {
    const stream = someStream();
    const events = someEvents(3);
    const first = await store.append(stream, NO_STREAM, events);
    expect(await store.append(stream, NO_STREAM, events)).toEqual(first);
    await store.append(stream, 2, someEvents(2));
    expect(await store.append(stream, NO_STREAM, events)).toEqual(first);
    const reopened = await room.reopen(store);
    expect(await reopened.append(stream, NO_STREAM, events)).toEqual(first);
    expect(await reopened.readStream(stream, { limit: 100 })).toHaveLength(5);
  });

  check('refuses old and new events mixed', async (store) => {
    const stream = someStream();
    const events = someEvents(2);
    await store.append(stream, NO_STREAM, events);
    const mixed = [...events.slice(0, 1), someEvent()];
    await expect(store.append(stream, NO_STREAM, mixed)).rejects.toBeInstanceOf(RevisionConflict);
    expect(ids(await store.readStream(stream, { limit: 10 }))).toEqual(ids(events));
  });

  check('takes an append just below the limit and refuses one over it', async (store) => {
    const stream = someStream();
    const room = MAX_APPEND_BYTES - 1_000;
    await store.append(stream, NO_STREAM, [someEvent('x'.repeat(room))]);
    await expect(store.append(stream, 0, [someEvent('é'.repeat(room))])).rejects.toBeInstanceOf(AppendRefused);
    await expect(store.append(stream, 0, someEvents(3, 'x'.repeat(room / 2)))).rejects.toBeInstanceOf(AppendRefused);
    const read = await store.readStream(stream, { limit: 10 });
    expect(read.map((event) => event.data.length)).toEqual([room + 2]);
  });

  check('refuses an append without events', async (store) => {
    await expect(store.append(someStream(), NO_STREAM, [])).rejects.toBeInstanceOf(AppendRefused);
  });

  if (harness.openSecond) {
    const second = harness.openSecond;
    check('lets one writer win among two clients', async (store) => {
      const other = room.keep(await second(store));
      expect(other.logId).toBe(store.logId);
      expect(store.exclusive).toBe(false);
      const stream = someStream();
      for (let expected = NO_STREAM; expected < 5; expected++) {
        expect((await race([store, other], stream, expected)).won).toBe(1);
      }
      expect(await other.readStream(stream, { limit: 100 })).toHaveLength(6);
    });

    check('shows a second client what the first wrote', async (store) => {
      const other = room.keep(await second(store));
      const stream = someStream();
      const written = await fill(store, stream, 250);
      expect(ids(await other.readStream(stream, { limit: 1_000 }))).toEqual(written);
    });
  }
}
