import { afterAll, describe, expect, test } from '@jest/globals';
import { heedsIfMatch } from '../../src/http/openapi/parameters.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import { newPerson } from '../support/people.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf } from '../support/route-requests.js';
import { openWorld } from '../support/world.js';

/** The document offers If-Match exactly where it counts. */

const world = await openWorld();
const store = await world.newStore();
await newPerson(world, store); // somebody who manages users stays in the store
afterAll(() => world.close());

const NOBODYS = { 'if-match': '"999999999"' };
let made = 0;

const tried = world.service.routes
  .filter(({ permission }) => isPermission(permission))
  .map((route) => [nameOf(route), route] as const);

describe.each(tried)('%s', (name, route) => {
  const heeds = heedsIfMatch(route);

  test(heeds ? 'heeds If-Match' : 'does not ask what If-Match says', async () => {
    const unique = `etiqueta-${String(++made)}`;
    const example = await exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique, store);
    const { status } = await askRoute(store, route, example, NOBODYS);
    if ((status === 412) === heeds) return;
    const wish = heeds ? 'pass context.ifMatch to its decision, or say' : 'say';
    throw new Error(`${name} answered ${String(status)}: ${wish} ifMatch: ${String(!heeds)} in its route`);
  });
});

test('what changes a record can be guarded', () => {
  expect(tried.filter(([, route]) => heedsIfMatch(route)).length).toBeGreaterThan(25);
});
