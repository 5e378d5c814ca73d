import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Permission } from '../../src/kernel/values/permissions.js';
import { PERMISSIONS } from '../../src/features/permissions.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { Browser } from '../support/browser.js';
import { expectOk, newPerson, refusal, signedIn } from '../support/people.js';
import type { Example } from '../support/route-examples.js';
import { EXAMPLES, exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf, pathOf } from '../support/route-requests.js';
import { idPaths, idsIn } from '../support/schema-ids.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Every route of the service against every kind of credential: made from the list of routes, so that none is forgotten. */

// Nobody works on what requests ask for beside them: a recalculation that is to be cancelled is not over yet.
const world = await openWorld({ env: { ROLES: 'api,projections,webhooks' } });
const [own, foreign] = [await world.newStore(), await world.newStore()];
// Somebody who manages users stays in each store, whoever is removed.
await Promise.all([newPerson(world, own), newPerson(world, foreign)]);
afterAll(() => world.close());

const { routes } = world.service;
const named = (list: readonly Route[]) => list.map((route) => [nameOf(route), route] as const);

let made = 0;
const unique = () => `exemplo-${String(++made)}`;
const example = (route: Route, store: StoreClient) =>
  exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique(), store);

const ask = (client: Pick<StoreClient, 'call'>, route: Route, example?: Example, requestId = 'test') =>
  askRoute(client, route, example, { 'x-request-id': requestId });

const keys = new Map<string, Promise<StoreClient>>();
function keyWith(permissions: readonly Permission[]): Promise<StoreClient> {
  const list = permissions.join(',');
  const known = keys.get(list) ?? world.newKey(own.slug, list);
  keys.set(list, known);
  return known;
}

test('there is no example without its route', () => {
  const names = new Set(routes.map(nameOf));
  expect(Object.keys(EXAMPLES).filter((name) => !names.has(name))).toEqual([]);
});

describe.each(named(routes.filter(({ permission }) => permission !== 'public')))('%s', (_, route) => {
  test('is closed to who shows no credential, and to what is none', async () => {
    const nobody = new Browser(world.url);
    expect(refusal(await ask(nobody, route))).toEqual([401, 'CREDENTIAL_INVALID']);
    const headers = { authorization: `Bearer ${own.key.slice(0, -1)}`, 'x-store-slug': own.slug };
    expect((await nobody.call(route.method.toUpperCase(), pathOf(route), undefined, headers)).status).toBe(401);
    const cookie = { cookie: 'sm_access=eyJhbGciOiJub25lIn0.e30.' };
    expect((await nobody.call(route.method.toUpperCase(), pathOf(route), undefined, cookie)).status).toBe(401);
  });

  test('is closed to a key of another store, whatever store it names', async () => {
    const call: StoreClient['call'] = (method, path, body) =>
      foreign.call(method, path, body, { 'x-store-slug': own.slug });
    expect(refusal(await ask({ call }, route))).toEqual([403, 'KEY_OF_ANOTHER_STORE']);
  });
});

describe.each(named(routes.filter(({ permission }) => permission === 'session')))('%s', (_, route) => {
  test('is for who is signed in', async () => {
    expect(refusal(await ask(own, route))).toEqual([403, 'SESSION_ONLY']);
    const browser = await signedIn(world, await newPerson(world, own, 'CASHIER'));
    // The handler, or the check of its input, and not the way to it.
    expect((await ask(browser, route, route.request.body ? { body: { none: 'such' } } : {})).status).not.toBe(403);
  });
});

const withPermission = routes.flatMap((route) =>
  isPermission(route.permission) ? [[nameOf(route), route, route.permission] as const] : [],
);

describe.each(withPermission)('%s', (_, route, permission) => {
  test(`is closed without ${permission}`, async () => {
    const without = await keyWith(PERMISSIONS.filter((one) => one !== permission));
    const answer = await ask(without, route);
    expect([...refusal(answer), (answer.body as { permission?: string }).permission]).toEqual([
      403,
      'PERMISSION_DENIED',
      permission,
    ]);
  });

  test(`is open with ${permission}`, async () => {
    const given = await example(route, own);
    const having = await keyWith([permission, ...(given.needs ?? [])]);
    const { status, text } = await ask(having, route, given);
    expect([status, text]).toEqual([route.response.status, text]);
  });

  test(`is open to a user with ${permission}, and closed to one without`, async () => {
    const ana = await newPerson(world, own, 'CASHIER');
    const browser = await signedIn(world, ana);
    const grant = (permissions: readonly Permission[]) =>
      expectOk(own.call('PATCH', `/users/${ana.userId}`, { permissions }));
    await grant([]);
    expect(refusal(await ask(browser, route))).toEqual([403, 'PERMISSION_DENIED']);
    const given = await example(route, own);
    await grant([permission, ...(given.needs ?? [])]);
    const { status, text } = await ask(browser, route, given);
    expect([status, text]).toEqual([route.response.status, text]);
  });
});

/** An answer without what differs from request to request. */
const essence = ({ status, text }: Answer, id: string): unknown => [
  status,
  text.replaceAll(id, '{id}').replace(/"requestId":"[^"]*"/, ''),
];

/** Asks with the id of another store's record and with one that nobody has. */
async function expectAlike(route: Route, foreignId: string, request: (id: string) => Example): Promise<Answer> {
  const { eventStore } = world.service.core.engines;
  const before = await eventStore.head();
  const unknownId = randomUUID();
  const requestId = `tenancy-${unique()}`;
  const answer = await ask(own, route, request(foreignId), requestId);
  const unknown = await ask(own, route, request(unknownId));
  expect(essence(answer, foreignId)).toEqual(essence(unknown, unknownId));
  const recorded = await eventStore.readAll(before, 1_000);
  expect(recorded.filter(({ meta }) => meta.includes(requestId))).toEqual([]);
  return answer;
}

const open = routes.filter(({ permission }) => isPermission(permission) || permission === 'authenticated');

describe.each(named(open.filter(({ path }) => path.includes('{'))))('%s', (_, route) => {
  test("answers another store's id as one that nobody has", async () => {
    const [mine, theirs] = [await example(route, own), await example(route, foreign)];
    const ids = Object.entries(theirs.params ?? {}).filter(([name, id]) => mine.params?.[name] !== id);
    expect(ids).not.toEqual([]);
    for (const [name, id] of ids) {
      const answer = await expectAlike(route, id, (other) => ({ ...mine, params: { ...mine.params, [name]: other } }));
      expect(answer.status).toBe(404);
    }
    // Their own credential still finds it.
    const { status, text } = await ask(foreign, route, theirs);
    expect([status, text]).toEqual([route.response.status, text]);
  });
});

/** The parts of requests in which ids of records may stand, with the places. */
const partsWithIds = open.flatMap((route) =>
  (['body', 'query'] as const).flatMap((part) => {
    const schema = route.request[part];
    const paths = schema ? idPaths(schema) : new Set<string>();
    return paths.size === 0 ? [] : [[nameOf(route), part, paths, route] as const];
  }),
);

test.each(partsWithIds)(
  "%s takes another store's id in its %s as one that nobody has",
  async (name, part, paths, route) => {
    const [mine, theirs] = [await example(route, own), await example(route, foreign)];
    const [places, others] = [idsIn(mine[part], paths), idsIn(theirs[part], paths)];
    const missing = [...paths].filter((path) => !places.some((place) => place.path === path));
    if (missing.length > 0) {
      throw new Error(
        `let the example of ${name} in test/support/route-examples.ts give ${part} ${missing.join(', ')}`,
      );
    }
    for (const [index, place] of places.entries()) {
      const foreignId = others[index]?.id ?? '';
      expect(foreignId).not.toBe(place.id);
      await expectAlike(route, foreignId, (id) => ({ ...mine, [part]: place.with(id) }));
    }
  },
);
