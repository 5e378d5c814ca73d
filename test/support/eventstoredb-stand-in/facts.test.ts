import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AppendExpectedRevision, EventData, Position, ResolvedEvent } from '@eventstore/db-client';
import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  NO_STREAM,
  START,
} from '@eventstore/db-client';
import { until } from '../until.js';
import { EventStoreDbStandIn } from './server.js';

/**
 * How EventStoreDB 23.10 behaves towards its client, as the adapter relies on it and the stand-in shows it. What can be asked of any server is asked of
 * a real one too, where there is one.
 */
const real = process.env.TEST_EVENTSTORE_URL;
const someStream = () => `fact-${randomUUID()}`;
const events = (count: number): EventData[] =>
  Array.from({ length: count }, () => jsonEvent({ type: 'Happened', data: {}, metadata: { at: 'now' } }));

async function allOf(reading: AsyncIterable<ResolvedEvent>) {
  const found = [];
  for await (const { event } of reading) if (event) found.push(event);
  return found;
}

let server: EventStoreDbStandIn;
const clients: EventStoreDBClient[] = [];
const connect = (url: string) => {
  const client = EventStoreDBClient.connectionString(url);
  clients.push(client);
  return client;
};

const connected = (client: EventStoreDBClient) =>
  until('the client is connected again', () =>
    client.appendToStream(someStream(), []).then(
      () => true,
      () => false,
    ),
  );

beforeAll(async () => {
  server = await EventStoreDbStandIn.start();
  server.log.writeSystemEvent();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
});
afterAll(() => server.kill());

const servers: [string, () => string][] = [['the stand-in', () => server.url]];
if (real !== undefined) servers.push(['a real server', () => real]);

describe.each(servers)('%s', (_name, url) => {
  const append = (
    client: EventStoreDBClient,
    stream: string,
    expectedRevision: AppendExpectedRevision,
    batch = events(1),
  ) => client.appendToStream(stream, batch, { expectedRevision });

  test('answers an append with its last revision and position', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const answer = await append(client, stream, NO_STREAM, events(3));
    const stored = await allOf(client.readStream(stream));
    expect(answer).toEqual({ success: true, nextExpectedRevision: 2n, position: stored[2]?.position });
    expect(stored.map((event) => event.revision)).toEqual([0n, 1n, 2n]);
    expect(new Set(stored.map((event) => event.position?.commit)).size).toBe(3);
    expect(stored[0]).toMatchObject({
      streamId: stream,
      type: 'Happened',
      data: {},
      metadata: { at: 'now' },
      isJson: true,
      created: expect.any(Date),
    });
  });

  test('refuses a wrong revision', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const wrong = { type: 'wrong-expected-version', streamName: stream, message: '', code: undefined };
    await expect(append(client, stream, 4n)).rejects.toMatchObject({
      ...wrong,
      expectedVersion: 4n,
      actualVersion: 'no_stream',
    });
    await append(client, stream, NO_STREAM, events(2));
    await expect(append(client, stream, NO_STREAM)).rejects.toMatchObject({
      ...wrong,
      expectedVersion: 'no_stream',
      actualVersion: 1n,
    });
    await expect(append(client, stream, 0n)).rejects.toMatchObject({ expectedVersion: 0n, actualVersion: 1n });
  });

  test('lets one of twenty win', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => append(client, stream, NO_STREAM)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  test('stores nothing for an empty append', async () => {
    const [client, stream] = [connect(url()), someStream()];
    expect(await append(client, stream, ANY, [])).toMatchObject({ success: true, nextExpectedRevision: 0n });
    await expect(allOf(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  test('does not understand an id that is no UUID, or a stream without a name', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const odd = jsonEvent({ id: 'odd', type: 'Happened', data: {} });
    await expect(append(client, stream, NO_STREAM, [odd])).rejects.toMatchObject({ type: 'unknown' });
    await expect(append(client, '', NO_STREAM)).rejects.toMatchObject({ type: 'unknown' });
  });

  test('knows a repeat by its ids and its expected revision', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const batch = events(3);
    await append(client, stream, NO_STREAM);
    const first = await append(client, stream, 0n, batch);
    await append(client, stream, 3n, events(2));
    expect(await append(client, stream, 0n, batch)).toEqual(first);
    expect(await append(client, stream, 0n, batch.slice(0, 2))).toMatchObject({ nextExpectedRevision: 2n });
    await expect(append(client, stream, 0n, [...batch.slice(0, 2), ...events(1)])).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
    expect(await append(client, stream, 5n, batch.slice(0, 1))).toMatchObject({ nextExpectedRevision: 6n });
    const [twin] = events(1);
    if (twin) await append(client, stream, 6n, [twin, twin]);
    expect(await allOf(client.readStream(stream))).toHaveLength(9);
  });

  test('takes 1,048,576 bytes and not one more', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const text = (bytes: number) => [jsonEvent({ type: 'T', data: 'x'.repeat(bytes - 2) })];
    await expect(append(client, stream, NO_STREAM, text(1_048_577))).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      message: '',
    });
    await expect(append(client, stream, NO_STREAM, text(1_048_576))).resolves.toMatchObject({ success: true });
  });

  test('reads from a revision or position that is included', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const { position } = await append(client, stream, NO_STREAM, events(5));
    const revisions = async (reading: AsyncIterable<ResolvedEvent>) =>
      (await allOf(reading)).map((event) => Number(event.revision));
    expect(await revisions(client.readStream(stream, { fromRevision: 3n }))).toEqual([3, 4]);
    expect(await revisions(client.readStream(stream, { fromRevision: 1n, direction: BACKWARDS }))).toEqual([1, 0]);
    expect(
      await revisions(client.readStream(stream, { fromRevision: END, direction: BACKWARDS, maxCount: 2 })),
    ).toEqual([4, 3]);
    expect(await revisions(client.readStream(stream, { fromRevision: 5n }))).toEqual([]);
    const [first] = await allOf(client.readAll({ fromPosition: position as Position, maxCount: 1 }));
    expect(first).toMatchObject({ streamId: stream, revision: 4n });
    await expect(allOf(client.readStream(stream, { maxCount: 0 }))).rejects.toThrow();
    const missing = someStream();
    await expect(allOf(client.readStream(missing))).rejects.toMatchObject({
      type: 'stream-not-found',
      streamName: missing,
    });
  });

  test('subscribes after a position, confirms first and says when it caught up', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const { position } = await append(client, stream, NO_STREAM, events(1));
    await append(client, stream, 0n, events(3));
    const order: string[] = [];
    const subscription = client.subscribeToAll({
      fromPosition: position as Position,
      filter: excludeSystemEvents(),
    });
    subscription
      .on('confirmation', () => order.push('confirmation'))
      .on('caughtUp', () => order.push('caughtUp'))
      .on('data', ({ event }) => order.push(event?.revision.toString() ?? ''));
    await until('it caught up', () => order.includes('caughtUp'));
    await append(client, stream, 3n);
    await until('the live event came', () => order.length === 6);
    await subscription.unsubscribe();
    expect(order).toEqual(['confirmation', '1', '2', '3', 'caughtUp', '4']);
  });

  test('skips event 0 of a stream when asked to start from 0', async () => {
    const [client, stream] = [connect(url()), someStream()];
    await append(client, stream, NO_STREAM, events(2));
    const seen: Record<string, bigint[]> = { zero: [], start: [] };
    const subscriptions = [
      client
        .subscribeToStream(stream, { fromRevision: 0n })
        .on('data', ({ event }) => seen.zero?.push(event?.revision ?? -1n)),
      client
        .subscribeToStream(stream, { fromRevision: START })
        .on('data', ({ event }) => seen.start?.push(event?.revision ?? -1n)),
    ];
    await until('both have come', () => seen.zero?.length === 1 && seen.start?.length === 2);
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
    expect(seen).toEqual({ zero: [1n], start: [0n, 1n] });
  });

  test('lets filter checkpoints run ahead of a slow consumer', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const { position } = await append(client, stream, NO_STREAM);
    await append(client, stream, 0n, events(200));
    const checkpoints: bigint[] = [];
    const subscription = client.subscribeToAll(
      {
        fromPosition: position as Position,
        filter: excludeSystemEvents({
          checkpointReached: (_subscription, { commit }) => {
            checkpoints.push(commit);
          },
        }),
      },
      { highWaterMark: 100 },
    );
    let first: ResolvedEvent | undefined;
    for await (const resolved of subscription) {
      first = resolved;
      await until('a checkpoint came', () => checkpoints.length > 0);
      break;
    }
    await subscription.unsubscribe();
    expect(checkpoints[0]).toBeGreaterThan(first?.event?.position?.commit ?? 0n);
  });

  test('refuses to subscribe after a position that is no record’s', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const { position } = await append(client, stream, NO_STREAM);
    const between = { commit: (position as Position).commit - 1n, prepare: (position as Position).prepare - 1n };
    await expect(allOf(client.subscribeToAll({ fromPosition: between }))).rejects.toMatchObject({ type: 'unknown' });
  });

  test('goes on after a soft delete, and not after a tombstone', async () => {
    const [client, stream] = [connect(url()), someStream()];
    await append(client, stream, NO_STREAM, events(2));
    await client.deleteStream(stream);
    await expect(allOf(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' });
    expect(await append(client, stream, NO_STREAM)).toMatchObject({ nextExpectedRevision: 2n });
    expect(await allOf(client.readStream(stream))).toHaveLength(1);
    await client.tombstoneStream(stream);
    await expect(allOf(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-deleted' });
    await expect(append(client, stream, ANY)).rejects.toMatchObject({ type: 'stream-deleted' });
  });

  test('hides what its metadata cuts off from reads of the stream, not of all', async () => {
    const [client, stream] = [connect(url()), someStream()];
    const { position } = await append(client, someStream(), NO_STREAM);
    await append(client, stream, NO_STREAM, events(5));
    await client.setStreamMetadata(stream, { maxCount: 2 });
    expect(await allOf(client.readStream(stream))).toHaveLength(2);
    await client.setStreamMetadata(stream, { truncateBefore: 4 });
    expect(await allOf(client.readStream(stream))).toHaveLength(1);
    const all = await allOf(client.readAll({ fromPosition: position as Position, maxCount: 100 }));
    expect(all.filter((event) => event.streamId === stream)).toHaveLength(5);
  });
});

describe('the stand-in alone', () => {
  test('is called as the real server is', async () => {
    const [client, stream] = [connect(server.url), someStream()];
    server.calls.length = 0;
    await client.appendToStream(stream, events(1));
    await client.appendToStream(stream, events(1));
    expect(server.calls).toEqual(['ServerFeatures/getSupportedMethods', 'Streams/batchAppend']);
    await allOf(client.readStream(stream));
    await client.appendToStream(stream, events(1), { credentials: { username: 'someone', password: 'secret' } });
    expect(server.calls.slice(2)).toEqual(['Streams/read', 'Streams/append']);
    await allOf(connect(server.url.replace('esdb:', 'esdb+discover:')).readStream(stream));
    expect(server.calls.slice(4)).toEqual(['Gossip/read', 'Streams/read']);
  });

  test('forgets a repeat without expected revision when it restarts, and no other', async () => {
    const [client, stream] = [connect(server.url), someStream()];
    const batch = events(1);
    const first = await client.appendToStream(stream, batch, { expectedRevision: NO_STREAM });
    expect(await client.appendToStream(stream, batch, { expectedRevision: ANY })).toEqual(first);
    await server.kill();
    await server.restart();
    await connected(client);
    expect(await client.appendToStream(stream, batch, { expectedRevision: NO_STREAM })).toEqual(first);
    expect(await client.appendToStream(stream, batch, { expectedRevision: ANY })).toMatchObject({
      nextExpectedRevision: 1n,
    });
  });

  test('breaks off everything when it is killed, and serves the same client afterwards', async () => {
    const [client, stream] = [connect(server.url), someStream()];
    await client.appendToStream(stream, events(1));
    const signs: string[] = [];
    const subscription = client.subscribeToStream(stream);
    subscription
      .on('caughtUp', () => signs.push('caughtUp'))
      .on('end', () => signs.push('end'))
      .on('close', () => signs.push('close'))
      .on('error', (error) => signs.push((error as { type?: string }).type ?? ''))
      .resume();
    await until('it caught up', () => signs.length === 1);
    server.hang();
    const inFlight = client.appendToStream(stream, events(1));
    const refused = expect(inFlight).rejects.toMatchObject({ type: 'unavailable', code: 14 });
    await until('the append arrived', () => server.held > 0);
    await server.kill();
    server.resume();
    await refused;
    await until('the subscription broke off', () => signs.length === 2);
    const down = await client.appendToStream(stream, events(1)).catch((error: unknown) => error);
    expect(down).toMatchObject({ code: 14 });
    expect(down).not.toHaveProperty('type');
    await expect(allOf(client.readStream(stream))).rejects.toMatchObject({ type: 'unavailable' });
    await server.restart();
    await connected(client);
    expect(signs).toEqual(['caughtUp', 'unavailable']);
  });
});
