import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { revisionsOf } from '../../src/http/exchange/preconditions.js';
import { heedsIfMatch } from '../../src/http/openapi/parameters.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import { newPerson, refusal, signedIn } from '../support/people.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf } from '../support/route-requests.js';
import { openWorld } from '../support/world.js';

/** The document offers If-Match exactly where it counts, and what is refused by it leaves nothing behind. */

// Nobody works on what requests ask for beside them.
const world = await openWorld({ env: { ROLES: 'api,projections' } });
const store = await world.newStore();
await newPerson(world, store); // somebody who manages users stays in the store
afterAll(() => world.close());

const { eventStore, vault } = world.service.core.engines;

const NOBODYS = { 'if-match': '"999999999"' };
/** What is written a while after a request, of this one and of those before it. */
const LATE: ReadonlySet<string> = new Set(['api-key-use', 'mail']);
let made = 0;

const tried = world.service.routes
  .filter(({ permission }) => isPermission(permission))
  .map((route) => [nameOf(route), route] as const);

describe.each(tried)('%s', (name, route) => {
  const heeds = heedsIfMatch(route);

  test(heeds ? 'heeds If-Match' : 'does not ask what If-Match says', async () => {
    const unique = `etiqueta-${String(++made)}`;
    const example = await exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique, store);
    const before = await eventStore.head();
    const writing = jest.spyOn(vault, 'write');
    const { status } = await askRoute(store, route, example, { ...NOBODYS, 'idempotency-key': unique });
    const written = writing.mock.calls.flatMap(([writes]) => writes.map(({ kind }) => kind));
    writing.mockRestore();
    if (status === 412)
      expect([await eventStore.head(), written.filter((kind) => !LATE.has(kind))]).toEqual([before, []]);
    if ((status === 412) === heeds) return;
    const wish = heeds ? 'pass context.ifMatch to its decision, or say' : 'say';
    throw new Error(`${name} answered ${String(status)}: ${wish} ifMatch: ${String(!heeds)} in its route`);
  });
});

test('what changes a record can be guarded', () => {
  expect(tried.filter(([, route]) => heedsIfMatch(route)).length).toBeGreaterThan(25);
});

describe('the account of who is signed in', () => {
  const tagOf = ({ headers }: { readonly headers: Headers }): string => headers.get('etag') ?? 'none';
  const favourites = (name: string) => ({ navigationFavorites: [name] });

  test.each([
    ['/auth/me', { name: 'Outro nome' }],
    ['/auth/me', {}],
    ['/auth/me/print-target', { target: 'agent', agentId: 'caixa-1' }],
    ['/auth/me/ui-preferences', favourites('/sales')],
  ])('is not changed by %s with %j for who saw another', async (path, body) => {
    const browser = await signedIn(world, await newPerson(world, store));
    const seen = tagOf(await browser.get('/auth/me'));
    const first = await browser.call('PATCH', '/auth/me/ui-preferences', favourites('/lots'), { 'if-match': seen });
    expect([first.status, tagOf(first)]).toEqual([200, tagOf(await browser.get('/auth/me'))]);
    expect([seen, 'none']).not.toContain(tagOf(first));
    const late = await browser.call('PATCH', path, body, { 'if-match': seen });
    expect(refusal(late)).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await browser.get('/auth/me')).body).toEqual(first.body);
    expect((await browser.call('PATCH', path, body, { 'if-match': tagOf(first) })).status).toBe(200);
  });

  test('keeps its user name and password for who saw another, and the new name stays free', async () => {
    const person = await newPerson(world, store);
    const browser = await signedIn(world, person);
    const before = (await browser.get('/auth/me')).body;
    const [username, password] = [`${person.username}-nova`, 'outra frase bem comprida'];
    for (const change of [{ username }, { password }, { username, password }]) {
      const body = { ...change, currentPassword: person.password };
      expect(refusal(await browser.call('PATCH', '/auth/me', body, NOBODYS))).toEqual([412, 'PRECONDITION_FAILED']);
    }
    expect((await browser.get('/auth/me')).body).toEqual(before);
    const body = { username, password, currentPassword: person.password };
    const tag = tagOf(await browser.get('/auth/me'));
    expect((await browser.call('PATCH', '/auth/me', body, { 'if-match': tag })).status).toBe(200);
  });

  test('has its tag for a key too, which is that of the key', async () => {
    const { headers } = await store.call('GET', '/auth/me');
    expect(headers.get('etag')).toMatch(/^"\d+"$/);
  });
});

test('a recalculation that was asked for is cancelled by who names its tag', async () => {
  const asked = await store.call('POST', '/card-fees/calc-jobs', { month: '2025-01' });
  const etag = asked.headers.get('etag') ?? 'none';
  const path = `/card-fees/calc-jobs/${String(asked.body.id)}`;
  const cancelled = await store.call('DELETE', path, undefined, { 'if-match': etag });
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'CANCELLED']);
  expect([etag, null]).not.toContain(cancelled.headers.get('etag'));
});

test('as many as ten tags are looked at', () => {
  const tags = (count: number) => Array.from({ length: count }, (_, revision) => `"${String(revision)}"`).join(', ');
  expect(revisionsOf(tags(10))).toHaveLength(10);
  expect(() => revisionsOf(tags(11))).toThrow('at most 10 tags');
});

test.each([
  ['"1,2"', [-1]],
  ['"1,2","3"', [-1, 3]],
  [' "1" , W/"2",\t"" ', [1, -1, -1]],
  ['"1"', [1]],
  [',"1", ,"2",', [1, 2]],
])('a comma stands in a tag and between two: %s', (tags, revisions) => {
  expect(revisionsOf(tags)).toEqual(revisions);
});

test.each(['', ' ', ',', '1', '"1', '"1"2"', '"1" "2"', 'w/"1"', '"1\n"', '"1",*'])(
  'what is no list of tags is refused: %j',
  (tags) => {
    expect(() => revisionsOf(tags)).toThrow('must be an entity tag');
  },
);
