import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { StoredEvent } from '../../src/ports/event-store.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { withLostAnswer } from '../support/lost-answer.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf } from '../support/route-requests.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/**
 * A process that dies between two of the writes of a request has answered nothing. Every route is stopped so after each of its writes and repeated
 * with its key: it comes to the same answer and the same facts as one that nobody stopped. Made from the list of routes, so that none is forgotten.
 */

// Nobody works on what requests ask for beside them.
const world = await openWorld({ env: { ROLES: 'api,projections' } });
afterAll(() => world.close());

const { routes } = world.service;
const { eventStore, vault } = world.service.core.engines;

const MOST_WRITES = 40;

/** What is under way when it stops goes on by itself: a repeat is told so. */
const GOES_ON_BY_ITSELF: ReadonlySet<string> = new Set(['POST /outbound-webhooks/{id}/deliveries/{deliveryId}/retry']);

let made = 0;
const unique = () => `parada-${String(++made)}`;

/** Lets so many writes happen, and none after them. */
function stoppedAfter(writes: number) {
  let left = writes;
  let happened = 0;
  const counted =
    <A extends readonly unknown[], T>(write: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> => {
      if (left === 0) return Promise.reject(new Error('the process is dead'));
      left -= 1;
      happened += 1;
      return write(...given);
    };
  const [append, write] = [eventStore.append.bind(eventStore), vault.write.bind(vault)];
  const spies = [
    jest.spyOn(eventStore, 'append').mockImplementation(counted(append)),
    jest.spyOn(vault, 'write').mockImplementation(counted(write)),
  ];
  return {
    happened: () => happened,
    end: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

interface Run {
  readonly answer: Answer;
  readonly facts: readonly string[];
  readonly writes: number;
  readonly isStopped: boolean;
}

/** A name or code that was not set free any more is nobody's: whoever wants it takes it over. */
const isRelease = ({ type }: Pick<StoredEvent, 'type'>): boolean => type === 'NameReleased' || type === 'CodeReleased';

const factsOf = (events: readonly StoredEvent[]): readonly string[] =>
  events
    .filter((event) => !isRelease(event))
    .map(({ stream, type }) => `${stream.split('-')[0] ?? ''} ${type}`)
    .sort();

/** Runs a route on a store of its own, stopped after so many writes, and then once more with the same key. */
async function run(route: Route, writes: number): Promise<Run> {
  const store = await world.newStore();
  const example = await exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique(), store);
  const headers = { 'idempotency-key': randomUUID() };
  const before = await eventStore.head();
  const stopped = stoppedAfter(writes);
  let first: Answer;
  try {
    first = await askRoute(store, route, example, headers);
  } finally {
    stopped.end();
  }
  const isStopped = first.status >= 500;
  const answer = isStopped ? await askRoute(store, route, example, headers) : first;
  return { answer, facts: factsOf(await eventStore.readAll(before, 1_000)), writes: stopped.happened(), isStopped };
}

const shape = ({ answer: { status, body, headers }, facts }: Run) => ({
  status,
  hasTag: headers.has('etag'),
  members: Object.keys((body ?? {}) as object).sort(),
  facts,
});

const unsafe = routes.filter(({ method, permission }) => method !== 'get' && isPermission(permission));
const named = (list: readonly Route[]) => list.map((route) => [nameOf(route), route] as const);

describe.each(named(unsafe.filter((route) => !GOES_ON_BY_ITSELF.has(nameOf(route)))))('%s', (_, route) => {
  test('goes on wherever it was stopped', async () => {
    const whole = await run(route, Infinity);
    expect(whole.answer.status).toBeLessThan(300);
    for (let writes = 1; writes <= MOST_WRITES; writes++) {
      const stopped = await run(route, writes);
      if (!stopped.isStopped) return;
      expect({ writes, ...shape(stopped) }).toEqual({ writes, ...shape(whole) });
    }
    throw new Error('it has too many writes');
  });
});

/** Parts of a kit are named by the kit's own variant. */
const otherBody = (route: Route, body: unknown): unknown =>
  nameOf(route) === 'PATCH /products/{id}' ? { description: unique() } : body;

describe.each(named(unsafe.filter(({ method }) => method === 'patch' || method === 'put')))('%s', (_, route) => {
  test('does nothing again when its record was changed since', async () => {
    const store = await world.newStore();
    const make = () => exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique(), store);
    const [example, other] = [await make(), await make()];
    const headers = { 'idempotency-key': randomUUID() };
    const first = await withLostAnswer(world, () => askRoute(store, route, example, headers));
    const since = await askRoute(store, route, { ...example, body: otherBody(route, other.body) });
    expect([first.status, since.status, since.text]).toEqual([200, 200, since.text]);
    const before = await eventStore.head();
    const again = await askRoute(store, route, example, headers);
    expect([again.status, again.text]).toEqual([200, again.text]);
    expect((await eventStore.readAll(before, 1_000)).map(({ type }) => type)).toEqual([]);
  });
});
