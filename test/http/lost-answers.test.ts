import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readKey } from '../../src/http/idempotency/row.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { wholeLog } from '../support/people.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf, pathOf } from '../support/route-requests.js';
import { until } from '../support/until.js';
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
const { vault } = world.service.core.engines;
const KIND = 'idempotency';

let made = 0;
const unique = () => `exemplo-${String(++made)}`;

/** Takes the answer out of the row of the store's only key; false where nothing was recorded that would give it again. */
async function forgetAnswer(before: ReadonlySet<string>): Promise<boolean> {
  const fresh = async () => (await vault.list(KIND, { limit: 10_000 })).filter(({ id }) => !before.has(id));
  await until('the answer is kept', async () => {
    const [row] = await fresh();
    return row !== undefined && (await readKey(vault, row.id))?.value.answer !== undefined;
  });
  const [row] = await fresh();
  const known = row && (await readKey(vault, row.id));
  if (!known) throw new Error('the key has no row');
  const { answer, ...value } = known.value;
  if (answer?.recorded !== true) return false;
  const expiresAt = value.claimedAt + 3_600_000;
  await vault.write([{ kind: KIND, id: row.id, value, expected: known.version, expiresAt }]);
  return true;
}

/** What is shown only once is left out. */
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
  const before = new Set((await vault.list(KIND, { limit: 10_000 })).map(({ id }) => id));
  const headers = { 'idempotency-key': randomUUID(), ...(tag === undefined ? {} : { 'if-match': tag }) };
  const first = await askRoute(store, route, example, headers);
  expect(first.status).toBeLessThan(300);
  if (!(await forgetAnswer(before))) return;
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
