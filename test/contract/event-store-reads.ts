import { expect } from '@jest/globals';
import { NO_STREAM, START } from '../../src/ports/event-store.js';
import type { Room } from './event-store.js';
import { fill, ids, pageThrough, someEvents, someStream, writer } from './event-store.js';

export function readContract({ check }: Room): void {
  check('reads a stream forward, backward and from the middle', async (store) => {
    const stream = someStream();
    const written = await fill(store, stream, 25, 10);
    await fill(store, someStream(), 5);
    const read = async (options: { from?: number; direction?: 'forward' | 'backward'; limit: number }) =>
      ids(await store.readStream(stream, options));
    expect(await read({ limit: 100 })).toEqual(written);
    expect(await read({ from: 20, limit: 100 })).toEqual(written.slice(20));
    expect(await read({ from: 3, limit: 4 })).toEqual(written.slice(3, 7));
    expect(await read({ direction: 'backward', limit: 1 })).toEqual(written.slice(24));
    expect(await read({ direction: 'backward', limit: 100 })).toEqual(written.toReversed());
    expect(await read({ from: 4, direction: 'backward', limit: 2 })).toEqual([written[4], written[3]]);
  });

  check('reads one event as it reads many, however new it is and whoever follows the log', async (store) => {
    const [stream, other] = [someStream(), someStream()];
    const following = store.subscribe(await store.head(), () => Promise.resolve());
    await fill(store, stream, 20);
    await fill(store, other, 600, 100);
    const one = (from: number, direction: 'forward' | 'backward') =>
      store.readStream(stream, { from, direction, limit: 1 });
    await store.append(stream, 19, someEvents(20));
    const all = await store.readStream(stream, { limit: 100 });
    expect(all).toHaveLength(40);
    for (const direction of ['forward', 'backward'] as const) {
      const apart = await Promise.all(all.map(({ revision }) => one(revision, direction)));
      expect(apart.flat()).toEqual(all);
    }
    await following.stop();
  });

  check('finds nothing past the end or in a missing stream', async (store) => {
    const stream = someStream();
    await fill(store, stream, 3);
    expect(await store.readStream(stream, { from: 3, limit: 10 })).toEqual([]);
    expect(await store.readStream(someStream(), { limit: 10 })).toEqual([]);
    expect(await store.readStream(someStream(), { direction: 'backward', limit: 1 })).toEqual([]);
    expect(await store.readAll(await store.head(), 10)).toEqual([]);
  });

  check('knows its head', async (store) => {
    const before = await store.head();
    const { position } = await store.append(someStream(), NO_STREAM, someEvents(3));
    expect(await store.head()).toBe(position);
    expect(before < position).toBe(true);
    expect(store.isPosition(position)).toBe(true);
    expect(store.isPosition(START)).toBe(true);
    expect(store.isPosition('nonsense')).toBe(false);
    expect(store.isPosition("1' or 1=1")).toBe(false);
  });

  check('reads all events in the order of their positions', async (store) => {
    const before = await store.head();
    const streams = [someStream(), someStream()];
    const written = [...(await fill(store, streams[0] ?? '', 30)), ...(await fill(store, streams[1] ?? '', 30))];
    const all = await store.readAll(before, 1_000);
    expect(ids(all)).toEqual(written);
    expect(all.map((event) => event.position)).toEqual(all.map((event) => event.position).sort());
    expect(new Set(all.map((event) => event.position)).size).toBe(60);
    expect(ids(await store.readAll(all[9]?.position ?? '', 20))).toEqual(written.slice(10, 30));
  });

  check('pages through all events without a gap while many write', async (store) => {
    const before = await store.head();
    const streams = Array.from({ length: 20 }, someStream);
    const names = new Set(streams);
    const writing = Promise.all(streams.map((stream) => writer(store, stream, 30)));
    const seen: string[] = [];
    for (let after = before; seen.length < 20 * 60;) {
      const page = await store.readAll(after, 7);
      after = page.at(-1)?.position ?? after;
      seen.push(...ids(page.filter((event) => names.has(event.stream))));
    }
    await writing;
    expect(seen).toEqual(ids(await pageThrough(store, before, 1_000, names)));
  });

  check('reads events by their positions, in the order that is asked for', async (store) => {
    const before = await store.head();
    const written = await fill(store, someStream(), 12);
    const positions = (await store.readAll(before, 12)).map(({ position }) => position);
    const some = [11, 0, 7].map((index) => positions[index] ?? '');
    expect(ids(await store.readAt(some))).toEqual([written[11], written[0], written[7]]);
    expect(await store.readAt([])).toEqual([]);
  });

  check('reads a page of large events whole', async (store) => {
    const before = await store.head();
    const stream = someStream();
    const written = await fill(store, stream, 40, 2, 'x'.repeat(400_000));
    expect(ids(await store.readAll(before, 40))).toEqual(written);
    expect(ids(await store.readStream(stream, { limit: 40 }))).toEqual(written);
    expect(ids(await store.readStream(stream, { limit: 40, direction: 'backward' }))).toEqual(written.toReversed());
  });
}
