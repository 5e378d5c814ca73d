import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isPermission } from '../../src/kernel/values/permissions.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { forgetAnswer, keptRows } from '../support/kept-answers.js';
import { wholeLog } from '../support/people.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf, pathOf } from '../support/route-requests.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/**
 * A process that dies right after it recorded something has kept no answer for the request's key. Every route is repeated so: it answers as before,
 * and nothing happens again. Made from the list of routes, so that none is forgotten.
 */

// Nobody works on what requests ask for beside them.
const world = await openWorld({ env: { ROLES: 'api,projections,webhooks' } });
afterAll(() => world.close());

const { routes } = world.service;

let made = 0;
const unique = () => `exemplo-${String(++made)}`;

/** Without what is shown once. */
const shown = ({ status, body, headers }: Answer) => {
  const { secret: _secret, key: _key, ...rest } = (body ?? {}) as Record<string, unknown>;
  return { status, body: rest, etag: headers.get('etag') };
};

/** The entity tag of the record that a route changes; undefined where none can be read. */
async function tagOf(store: StoreClient, route: Route, params: Readonly<Record<string, string>> = {}) {
  const path = /^.*?\{\w+\}/.exec(route.path)?.[0] ?? route.path;
  if (!routes.some((other) => other.method === 'get' && other.path === path && other.response.etag)) return undefined;
  return (await store.call('GET', pathOf({ path }, params))).headers.get('etag') ?? undefined;
}

async function expectRepeatable(route: Route, how: 'plain' | 'If-Match'): Promise<void> {
  const store = await world.newStore();
  const example = await exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique(), store);
  const tag = how === 'plain' ? undefined : await tagOf(store, route, example.params);
  if (how === 'If-Match' && tag === undefined) return;
  const before = await keptRows(world);
  const headers = { 'idempotency-key': randomUUID(), ...(tag === undefined ? {} : { 'if-match': tag }) };
  const first = await askRoute(store, route, example, headers);
  expect(first.status).toBeLessThan(300);
  if (!(await forgetAnswer(world, before))) return;
  const recorded = (await wholeLog(world)).length;
  const again = await askRoute(store, route, example, headers);
  expect(shown(again)).toEqual(shown(first));
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await wholeLog(world)).slice(recorded).map(({ type }) => type)).toEqual([]);
}

// What answers about people is made anew from what was recorded, without a row to forget.
const unsafe = routes.filter(
  ({ method, permission, personal }) => method !== 'get' && isPermission(permission) && personal !== true,
);

describe.each(unsafe.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  test('is answered again as it was', () => expectRepeatable(route, 'plain'));
  test('is answered again as it was when it named the state that it changed', () =>
    expectRepeatable(route, 'If-Match'));
});
