import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Connection } from '../../src/adapters/eventstoredb/connection.js';
import { openEventStoreDb, openMovingLog } from '../../src/adapters/eventstoredb/event-store.js';
import { LOG_FORMAT } from '../../src/adapters/log-format.js';
import { openArchive } from '../../src/compose.js';
import { parseConfig } from '../../src/config.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import {
  AppendRefused,
  HistoryNotWhole,
  NO_STREAM,
  RevisionConflict,
  START,
  StoreUnavailable,
} from '../../src/ports/event-store.js';
import type { EventStore, NewEvent } from '../../src/ports/event-store.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/server.js';
import { SpawnedStandIn } from '../support/eventstoredb-stand-in/spawned.js';
import { SilentProxy } from '../support/silent-proxy.js';
import { stopwatch } from '../support/stopwatch.js';
import { until } from '../support/until.js';

/** As gRPC says it. */
const UNAVAILABLE = 14;

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function open(url: string): Promise<EventStore> {
  const store = await openEventStoreDb({ url, clock: systemClock(), log: { warn: () => undefined } });
  endings.push(() => store.close());
  return store;
}

async function inProcess(): Promise<EventStoreDbStandIn> {
  const server = await EventStoreDbStandIn.start();
  endings.push(() => server.kill());
  return server;
}

async function ownProcess(): Promise<SpawnedStandIn> {
  const server = await SpawnedStandIn.start();
  endings.push(() => server.dispose());
  return server;
}

const someEvent = (text = ''): NewEvent => ({
  id: randomUUID(),
  type: 'Happened',
  data: JSON.stringify({ text }),
  meta: '{}',
});
const ids = (events: readonly NewEvent[]) => events.map((event) => event.id);

function follow(store: EventStore, after: string) {
  const seen: string[] = [];
  const subscription = store.subscribe(after, (batch) => {
    seen.push(...ids(batch));
    return Promise.resolve();
  });
  return { seen, subscription };
}

/** How the call ended, and after how long. */
async function timed(call: Promise<unknown>): Promise<{ readonly error: unknown; readonly milliseconds: number }> {
  const elapsed = stopwatch();
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, milliseconds: elapsed() };
}

describe('a log of EventStoreDB', () => {
  test('is named once, whoever comes first', async () => {
    const { url } = await inProcess();
    const stores = await Promise.all([open(url), open(url), open(url)]);
    const later = await open(url);
    expect(new Set([...stores, later].map((store) => store.logId)).size).toBe(1);
  });

  test('of a newer release is left alone', async () => {
    const { url } = await inProcess();
    await (await open(url)).close();
    const connection = new Connection(url);
    await connection.append(
      'log-identity',
      0,
      [{ ...someEvent(), type: '$log-format-raised', data: JSON.stringify({ format: LOG_FORMAT + 1 }) }],
      AbortSignal.timeout(5_000),
    );
    await connection.close();
    await expect(open(url)).rejects.toThrow(
      `the log of EVENTSTORE_URL has format ${String(LOG_FORMAT + 1)}, and this release knows ${String(LOG_FORMAT)}: a newer release wrote it`,
    );
  });

  test('of an older release says once that this one writes it', async () => {
    const { url } = await inProcess();
    const connection = new Connection(url);
    const identity = { ...someEvent(), type: '$log-identified', data: '{"format":1}' };
    await connection.append('log-identity', NO_STREAM, [identity], AbortSignal.timeout(5_000));
    const stores = await Promise.all([open(url), open(url), open(url)]);
    const later = await open(url);
    const found = await connection.readStream('log-identity', undefined, 'forward', 10, AbortSignal.timeout(5_000));
    await connection.close();
    expect(new Set([...stores, later].map(({ logId }) => logId))).toEqual(new Set([identity.id]));
    expect(found.map(({ data }) => JSON.parse(data) as unknown)).toEqual([{ format: 1 }, { format: LOG_FORMAT }]);
    expect(await later.head()).toBe(START);
  });

  test('is left as it is by auditors, who are told where there is none', async () => {
    const { url } = await inProcess();
    const asAuditor = () =>
      openArchive({
        config: parseConfig({ EVENTSTORE_URL: url }),
        clock: systemClock(),
        logger: pino({ level: 'silent' }),
      });
    const connection = new Connection(url);
    endings.push(() => connection.close());
    const identity = () => connection.readStream('log-identity', undefined, 'forward', 10, AbortSignal.timeout(5_000));
    await expect(asAuditor()).rejects.toThrow('the event store at EVENTSTORE_URL holds no log');
    expect(await identity()).toEqual([]);
    const ofOlder = { ...someEvent(), type: '$log-identified', data: '{"format":1}' };
    await connection.append('log-identity', NO_STREAM, [ofOlder], AbortSignal.timeout(5_000));
    const log = await asAuditor();
    await log.close();
    expect(log.logId).toBe(ofOlder.id);
    expect(await identity()).toHaveLength(1);
  });

  test('shows neither the server’s own events nor its name', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    expect(await store.head()).toBe(START);
    const { seen, subscription } = follow(store, START);
    const written = [someEvent(), someEvent()];
    await store.append('one', NO_STREAM, written.slice(0, 1));
    for (let count = 0; count < 600; count++) server.log.writeSystemEvent();
    expect(await store.head()).toBe((await store.readStream('one', { limit: 1 }))[0]?.position);
    const { position } = await store.append('one', 0, written.slice(1));
    server.log.writeSystemEvent();
    expect(await store.head()).toBe(position);
    expect(ids(await store.readAll(START, 2))).toEqual(ids(written));
    await until('both were seen', () => seen.length === 2);
    await subscription.stop();
    expect(seen).toEqual(ids(written));
  });

  test('goes on from a position that is no record’s', async () => {
    const store = await open((await inProcess()).url);
    const events = Array.from({ length: 30 }, () => someEvent());
    await store.append('one', NO_STREAM, events);
    const tenth = (await store.readStream('one', { from: 9, limit: 1 }))[0]?.position ?? '';
    const between = tenth.replaceAll(/\d{3}(?=-|$)/g, (end) => String(Number(end) + 1).padStart(3, '0'));
    expect(store.isPosition(between)).toBe(true);
    const { seen, subscription } = follow(store, between);
    await until('the rest was seen', () => seen.length === 20);
    await subscription.stop();
    expect(seen).toEqual(ids(events.slice(10)));
    expect(ids(await store.readAll(between, 5))).toEqual(ids(events.slice(10, 15)));
  });

  test('refuses an id that would break the appends of others', async () => {
    const store = await open((await inProcess()).url);
    const odd = { ...someEvent(), id: 'odd' };
    await expect(store.append('one', NO_STREAM, [odd])).rejects.toBeInstanceOf(AppendRefused);
  });

  test('refuses what a client decided on an old revision', async () => {
    const { url } = await inProcess();
    const [stale, fresh] = [await open(url), await open(url)];
    await stale.append('one', NO_STREAM, [someEvent()]);
    await fresh.append('one', 0, [someEvent()]);
    await expect(stale.append('one', 0, [someEvent()])).rejects.toBeInstanceOf(RevisionConflict);
  });
});

describe('a stream that somebody shortened', () => {
  test('is not taken for one that never was, softly deleted or buried', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    for (const stream of ['soft', 'buried']) await store.append(stream, NO_STREAM, [someEvent()]);
    server.log.softDelete('soft');
    server.log.tombstone('buried');
    for (const stream of ['soft', 'buried']) {
      await expect(store.readStream(stream, { from: 0, limit: 5 })).rejects.toBeInstanceOf(HistoryNotWhole);
    }
    await expect(store.append('buried', 0, [someEvent()])).rejects.toBeInstanceOf(HistoryNotWhole);
    expect(await store.readStream('never', { from: 0, limit: 5 })).toEqual([]);
  });

  test('is named to those who follow the log', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    await store.append('soft', NO_STREAM, [someEvent()]);
    const named: string[] = [];
    const subscription = store.subscribe(
      START,
      () => Promise.resolve(),
      (stream) => named.push(stream),
    );
    server.log.softDelete('soft');
    await until('it is named', () => named.length > 0);
    await subscription.stop();
    expect(named).toEqual(['soft']);
  });
});

describe('a scavenged log', () => {
  /** Two streams by turns, 40 events each; of one the last five are left, and nothing of a third. */
  async function scavengedLog() {
    const server = await inProcess();
    const store = await open(server.url);
    const all: { readonly stream: string; readonly id: string; readonly position: string }[] = [];
    await store.append('gone', NO_STREAM, [someEvent()]);
    for (let revision = -1; revision < 39; revision++) {
      for (const stream of ['whole', 'cut']) {
        const event = someEvent();
        const { position } = await store.append(stream, revision, [event]);
        all.push({ stream, id: event.id, position });
      }
    }
    const cut = all.filter(({ stream }) => stream === 'cut');
    const left = all.filter((each) => each.stream === 'whole' || cut.indexOf(each) >= 35);
    server.log.keepLast('cut', 5);
    server.log.softDelete('gone');
    server.log.scavenge();
    return { server, store, all, cut, left };
  }
  const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

  test('is read over its holes, page by page, from the end, and from positions that are holes', async () => {
    const { store, cut, left } = await scavengedLog();
    const paged: string[] = [];
    for (let after = START; ;) {
      const page = await store.readAll(after, 7);
      paged.push(...ids(page));
      if (page.length < 7) break;
      after = page.at(-1)?.position ?? '';
    }
    expect(paged).toEqual(idsOf(left));
    expect(await store.head()).toBe(left.at(-1)?.position);
    const hole = cut[10]?.position ?? '';
    const behind = left.filter(({ position }) => position > hole);
    expect(ids(await store.readAll(hole, 100))).toEqual(idsOf(behind));
    expect(ids(await store.readAt([hole, behind[0]?.position ?? '', cut[0]?.position ?? '']))).toEqual([behind[0]?.id]);
  });

  test('is followed from its beginning and from a hole, without a gap and without an event twice', async () => {
    const { store, cut, left } = await scavengedLog();
    const hole = cut[20]?.position ?? '';
    const [fromStart, fromHole] = [follow(store, START), follow(store, hole)];
    const event = someEvent();
    await store.append('whole', 39, [event]);
    const [all, behind] = [[...left], left.filter(({ position }) => position > hole)].map((each) => [
      ...idsOf(each),
      event.id,
    ]);
    await until('all were seen', () => fromStart.seen.length >= (all?.length ?? 0));
    await until('those behind the hole were seen', () => fromHole.seen.length >= (behind?.length ?? 0));
    await Promise.all([fromStart.subscription.stop(), fromHole.subscription.stop()]);
    expect([fromStart.seen, fromHole.seen]).toEqual([all, behind]);
  });

  test('goes on proving that it is live when its last events are scavenged', async () => {
    const { server, store } = await scavengedLog();
    await store.append('soft', NO_STREAM, [someEvent(), someEvent()]);
    server.log.softDelete('soft');
    server.log.scavenge();
    const { subscription } = follow(store, START);
    const from = Date.now();
    await until('it is live', () => subscription.provedLiveAt >= from);
    await subscription.stop();
  });

  test('shows a cut stream with the revisions that it had, and takes no deleted one for a new one', async () => {
    const { store, cut } = await scavengedLog();
    const found = await store.readStream('cut', { from: 0, limit: 100 });
    expect(found.map(({ id, revision }) => [id, revision])).toEqual(
      cut.slice(35).map(({ id }, index) => [id, 35 + index]),
    );
    await expect(store.readStream('gone', { from: 0, limit: 1 })).rejects.toBeInstanceOf(HistoryNotWhole);
    expect((await store.append('cut', 39, [someEvent()])).revision).toBe(40);
  });
});

describe('a start that cannot succeed', () => {
  test.each([7, 16])('names the setting when the server refuses who asks (%i)', async (code) => {
    const server = await inProcess();
    server.refusal = code;
    const { error } = await timed(
      openEventStoreDb({ url: server.url, clock: systemClock(), log: { warn: () => undefined } }),
    );
    expect(String(error)).toContain('EVENTSTORE_URL: EventStoreDB does not accept its user name and password');
  });

  test('names the setting when the address means nothing', async () => {
    const opening = openEventStoreDb({ url: 'esdb://a:b:c', clock: systemClock(), log: { warn: () => undefined } });
    const { error } = await timed(opening);
    expect(String(error)).toMatch(/wrong setting: EVENTSTORE_URL: [^\n]+$/u);
  });
});

describe('a server that hangs', () => {
  test('is given up after four seconds, so that another can be asked', async () => {
    const server = await ownProcess();
    const connection = new Connection(server.url);
    endings.push(() => connection.close());
    const never = new AbortController().signal;
    await connection.append('one', NO_STREAM, [someEvent()], never);
    await server.freeze();
    const { error, milliseconds } = await timed(connection.append('one', 0, [someEvent()], never));
    server.thaw();
    expect(error).toMatchObject({ type: 'unavailable' });
    expect(milliseconds).toBeLessThan(5_500);
  });
});

describe('an append of unknown outcome', () => {
  test('is repeated, and its events are there once', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    const events = [someEvent(), someEvent()];
    await store.append('one', NO_STREAM, [someEvent()]);
    server.faults.dropAfterNextAppend = true;
    const appended = await store.append('one', 0, events);
    expect(server.faults.dropAfterNextAppend).toBe(false);
    const stored = await store.readStream('one', { from: 1, limit: 10 });
    expect(ids(stored)).toEqual(ids(events));
    expect(appended).toEqual({ revision: 2, position: stored[1]?.position });
  });

  test('is found again when the server no longer recognises it', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    await store.append('one', NO_STREAM, [someEvent()]);
    for (const [stream, expected] of [
      ['one', 0],
      ['fresh', NO_STREAM],
    ] as const) {
      const events = [someEvent(), someEvent()];
      server.log.recognisesRepeats = false;
      server.faults.dropAfterNextAppend = true;
      const appended = await store.append(stream, expected, events);
      const stored = await store.readStream(stream, { from: expected + 1, limit: 10 });
      expect(ids(stored)).toEqual(ids(events));
      expect(appended).toEqual({ revision: expected + 2, position: stored[1]?.position });
    }
    await expect(store.append('one', 0, [someEvent()])).rejects.toBeInstanceOf(RevisionConflict);
  });

  /** It takes the next append without a word, does not recognise it again and lets nobody look. */
  async function forgetful() {
    const server = await inProcess();
    const store = await open(server.url);
    await store.append('one', NO_STREAM, [someEvent()]);
    server.log.recognisesRepeats = false;
    server.faults.dropAfterNextAppend = true;
    server.refusal = UNAVAILABLE;
    return { server, store };
  }

  test('may have happened, for all that is known, while the server neither recognises it nor lets anybody look', async () => {
    const { server, store } = await forgetful();
    const { error } = await timed(store.append('one', 0, [someEvent()]));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ unknown: true });
    server.refusal = undefined;
    expect(await store.readStream('one', { limit: 10 })).toHaveLength(2);
  });

  test('is left unknown within 5 s, also where the server that comes back late lets nobody look', async () => {
    const { server, store } = await forgetful();
    const began = performance.now();
    const late = timed(store.append('one', 0, [someEvent()]));
    await until('the append is there', () => !server.faults.dropAfterNextAppend);
    await server.kill();
    await until('the outage has lasted for a while', () => performance.now() - began > 2_500);
    await server.restart();
    const { error, milliseconds } = await late;
    expect(error).toMatchObject({ unknown: true });
    expect(milliseconds).toBeLessThan(5_500);
  });

  test('conflicts when another was first', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    await server.kill();
    const late = timed(store.append('one', NO_STREAM, [someEvent()]));
    server.log.append('one', 'no_stream', [
      {
        id: randomUUID(),
        type: 'Other',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: Buffer.from('{}'),
      },
    ]);
    await server.restart();
    expect((await late).error).toBeInstanceOf(RevisionConflict);
    expect(await store.readStream('one', { limit: 10 })).toMatchObject([{ type: 'Other' }]);
  });
});

describe('a server that is away', () => {
  test('is waited for when it comes back soon', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    await server.kill();
    const calls = Promise.all([store.append('one', NO_STREAM, [someEvent()]), store.readStream('two', { limit: 1 })]);
    await server.restart();
    expect(await calls).toMatchObject([{ revision: 0 }, []]);
  });

  test('cannot be opened, which is told within 5 s', async () => {
    const server = await inProcess();
    await server.kill();
    const { error, milliseconds } = await timed(open(server.url));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(milliseconds).toBeLessThan(5_000);
  });

  test('does not end the process when many large appends wait to be sent', async () => {
    const server = await ownProcess();
    const store = await open(server.url);
    await server.freeze();
    const text = 'x'.repeat(100_000);
    const calls = Array.from({ length: 64 }, (_, at) =>
      timed(store.append(`large-${at}`, NO_STREAM, [someEvent(text)])),
    );
    const read = timed(store.readStream('one', { limit: 1 }));
    await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
    await server.start();
    for (const { error } of await Promise.all([...calls, read])) {
      if (error !== undefined) expect(error).toBeInstanceOf(StoreUnavailable);
    }
    await until('an append succeeds', async () => {
      const { error } = await timed(store.append('one', NO_STREAM, [someEvent()]));
      return error === undefined;
    });
  });
});

describe('a server that hangs', () => {
  test('keeps no call longer than 5 s, and what was sent is found afterwards', async () => {
    const server = await ownProcess();
    const store = await open(server.url);
    await store.append('one', NO_STREAM, [someEvent()]);
    await server.freeze();
    const events = [someEvent()];
    const [append, read, ...others] = await Promise.all([
      timed(store.append('one', 0, events)),
      timed(store.readStream('one', { limit: 10 })),
      timed(store.readAll(START, 10)),
      timed(store.head()),
      timed(open(server.url)),
    ]);
    for (const { error, milliseconds } of [append, read, ...others]) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(milliseconds).toBeLessThan(5_000);
    }
    expect(append.error).toMatchObject({ unknown: true });
    expect(read.error).toMatchObject({ unknown: false });
    server.thaw();
    expect(await store.append('one', 0, events)).toMatchObject({ revision: 1 });
    expect(await store.readStream('one', { limit: 10 })).toHaveLength(2);
  });

  test('sends a silent subscription again', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    const { seen, subscription } = follow(store, START);
    const written = [someEvent(), someEvent()];
    await store.append('one', NO_STREAM, written.slice(0, 1));
    await until('the first was seen', () => seen.length === 1);
    server.silenceSubscriptions();
    await store.append('one', 0, written.slice(1));
    await until('the second was seen', () => seen.length === 2);
    await subscription.stop();
    expect(seen).toEqual(ids(written));
  });
});

test('a server is reached again after a time in which connections to it went silent for good', async () => {
  const network = await SilentProxy.start((await inProcess()).url);
  endings.push(() => network.close());
  const store = await open(network.url);
  const { seen, subscription } = follow(store, START);
  const written = [someEvent(), someEvent()];
  await store.append('one', NO_STREAM, written.slice(0, 1));
  await until('the first was seen', () => seen.length === 1);
  network.begin();
  await until('a new connection was made into the silence', () => network.madeInSilence > 0);
  network.end();
  await until('an append succeeds', async () => {
    const { error } = await timed(store.append('one', 0, written.slice(1)));
    return error === undefined;
  });
  await until('the second was seen', () => seen.length === 2);
  await subscription.stop();
  expect(seen).toEqual(ids(written));
});

test('nothing is asked of a follower, which may be behind', async () => {
  const server = await inProcess();
  const store = await open(server.url);
  const { seen, subscription } = follow(store, START);
  const { position } = await store.append('one', NO_STREAM, [someEvent()]);
  await Promise.all([
    store.readStream('one', { limit: 10 }),
    store.readStream('one', { direction: 'backward', limit: 1 }),
    store.readStream('none', { limit: 1 }),
    store.readAll(START, 10),
    store.readAt([position]),
    store.head(),
  ]);
  await until('it was seen', () => seen.length === 1);
  await subscription.stop();
  const moving = openMovingLog(server.url);
  await moving.log.identify();
  await moving.close();
  expect(server.calls).toEqual(expect.arrayContaining(['Streams/read', 'Streams/batchAppend']));
  expect(server.forFollowers).toEqual([]);
});

describe('a subscription', () => {
  test('is not proved live while its handler lags behind', async () => {
    const store = await open((await inProcess()).url);
    let handled = () => {};
    const subscription = store.subscribe(START, () => new Promise((resolve) => (handled = resolve)));
    await until('it proved live', () => subscription.provedLiveAt > 0);
    const { position } = await store.append('one', NO_STREAM, [someEvent()]);
    const [appendedAt, other] = [Date.now(), follow(store, position)];
    await until('the other proved live', () => other.subscription.provedLiveAt > appendedAt + 300);
    expect(subscription.provedLiveAt).toBeLessThanOrEqual(appendedAt);
    handled();
    await until('it proved live again', () => subscription.provedLiveAt > appendedAt);
    await Promise.all([subscription.stop(), other.subscription.stop()]);
  });

  test('that is dropped again and again while a slow handler catches up gives every event once and in order', async () => {
    const server = await inProcess();
    const store = await open(server.url);
    const written: NewEvent[] = [];
    for (let batch = 0; batch < 20; batch++) {
      const events = Array.from({ length: 50 }, () => someEvent('x'.repeat(500)));
      written.push(...events);
      await store.append(`slow-${String(batch)}`, NO_STREAM, events);
    }
    const seen: string[] = [];
    let drops = 0;
    const subscription = store.subscribe(START, async (batch) => {
      // While it is still busy with some, the server gives up on it.
      if (drops < 5 && seen.length > drops * 150) {
        drops += 1;
        server.dropConnections();
        await new Promise((resolve) => setImmediate(resolve));
      }
      seen.push(...ids(batch));
    });
    await until('all were seen', () => seen.length >= written.length);
    await subscription.stop();
    expect([drops, seen]).toEqual([5, ids(written)]);
  });

  test('whose server hangs in the middle of catching up goes on where it was', async () => {
    const server = await ownProcess();
    const store = await open(server.url);
    const written: NewEvent[] = [];
    for (let batch = 0; batch < 20; batch++) {
      const events = Array.from({ length: 50 }, () => someEvent('x'.repeat(5_000)));
      written.push(...events);
      await store.append(`long-${String(batch)}`, NO_STREAM, events);
    }
    const seen: string[] = [];
    const subscription = store.subscribe(START, async (batch) => {
      if (seen.length === 0) await server.freeze();
      seen.push(...ids(batch));
      await new Promise((resolve) => setImmediate(resolve));
    });
    // The connection is given up after four seconds, and nobody answers the next one.
    await until('it is away', async () => (await timed(store.head())).error instanceof StoreUnavailable);
    await until('it is still away', async () => (await timed(store.head())).error instanceof StoreUnavailable);
    expect(seen.length).toBeLessThan(written.length);
    server.thaw();
    await until('all were seen', () => seen.length >= written.length);
    await subscription.stop();
    expect(seen).toEqual(ids(written));
  });

  test('goes on when another on the same log is stopped', async () => {
    const store = await open((await inProcess()).url);
    const [first, second] = [follow(store, START), follow(store, START)];
    await store.append('one', NO_STREAM, [someEvent()]);
    await until('both saw it', () => first.seen.length === 1 && second.seen.length === 1);
    await first.subscription.stop();
    const writing = Array.from({ length: 50 }, (_, at) => store.append(`many-${at}`, NO_STREAM, [someEvent()]));
    await Promise.all(writing);
    await until('the other saw all', () => second.seen.length === 51);
    await second.subscription.stop();
    expect(first.seen).toHaveLength(1);
  });
});
