import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { heedsIfMatch } from '../../src/http/openapi/parameters.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import type { Permission } from '../../src/kernel/values/permissions.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { newPerson } from '../support/people.js';
import type { Example } from '../support/route-examples.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf } from '../support/route-requests.js';
import type { StoreClient } from '../support/world.js';
import { callService, openWorld } from '../support/world.js';

/** Where several things are wrong with a command, every route names the same one first: who asks, whether they may, what they send, whether it is there, whether it is as they saw it. */

const world = await openWorld({ env: { ROLES: 'api,projections' } });
const store = await world.newStore();
await newPerson(world, store); // somebody who manages users stays in the store
afterAll(() => world.close());

const { routes } = world.service;
const commands = routes.filter(({ method, permission }) => method !== 'get' && isPermission(permission));
const STALE = { 'if-match': '"999999999"' };
const WRONG = { ...STALE, 'x-min-position': 'none', 'idempotency-key': 'with a space' };

let made = 0;
const unique = () => `ordem-${String(++made)}`;
const example = (route: Route) => exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique(), store);

const nobody: Pick<StoreClient, 'call'> = {
  call: (method, path, body, headers = {}) =>
    callService(world.url + path, method, body, { 'x-store-slug': store.slug, ...headers }),
};
const [reader, auditor] = [
  await world.newKey(store.slug, 'audit.view'),
  await world.newKey(store.slug, 'brands.manage'),
];
const without = (permission: Permission) => (permission === 'audit.view' ? auditor : reader);

const ofNothing = ({ params = {}, ...rest }: Example): Example => ({
  ...rest,
  params: Object.fromEntries(Object.keys(params).map((name) => [name, randomUUID()])),
});

describe.each(commands.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  const wrong = { ...ofNothing({ params: {} }), body: { nenhum: 1 } };

  test('asks first who it is, then whether they may', async () => {
    const asked = async (client: Pick<StoreClient, 'call'>) => (await askRoute(client, route, wrong, WRONG)).status;
    expect(await asked(nobody)).toBe(401);
    expect(await asked(without(route.permission as Permission))).toBe(403);
    expect(await asked(store)).toBe(400);
  });

  test('then whether what they send can be meant, whether it is there, and whether it is as they saw it', async () => {
    const good = await example(route);
    const absent = ofNothing(good);
    const hasParams = Object.keys(good.params ?? {}).length > 0;
    const asked = async (of: Example, headers: Readonly<Record<string, string>>) =>
      (await askRoute(store, route, of, headers)).status;
    if (route.request.body) expect(await asked({ ...absent, body: { nenhum: 1 } }, STALE)).toBe(400);
    if (hasParams) expect(await asked(absent, STALE)).toBe(404);
    if (heedsIfMatch(route)) expect(await asked(good, STALE)).toBe(412);
  });
});
