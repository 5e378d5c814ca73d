import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { TOO_MANY_ATTEMPTS } from '../../src/features/auth/sign-in/rejections.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { mayBeTried } from '../../src/kernel/routes/route.js';
import type { StoredEvent } from '../../src/ports/event-store.js';
import type { VaultWrite } from '../../src/ports/vault.js';
import { granted } from '../support/bakery.js';
import type { Browser } from '../support/browser.js';
import { Browser as NewBrowser } from '../support/browser.js';
import { newPerson, refusal, signedIn } from '../support/people.js';
import type { Example } from '../support/route-examples.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf } from '../support/route-requests.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Every command of the service tried and then done: made from the list of routes, so that none is forgotten. */

const world = await openWorld({ env: { ROLES: 'api,projections' } });
const store = await world.newStore();
const { routes } = world.service;
const { eventStore, vault } = world.service.core.engines;
afterAll(() => world.close());

const RECIPES = '/bakery-production/recipes';
const DRY = { prefer: 'dry-run' };
const commands = routes.filter(({ method }) => method !== 'get');
const named = (list: readonly Route[]) => list.map((route) => [nameOf(route), route] as const);

let made = 0;
const unique = () => `tentativa-${String(++made)}`;

/** Ids by the order in which they occur; times, sealed texts and what a moment gives are left out. */
function essence(value: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      const known = ids.get(id) ?? `id ${String(ids.size)}`;
      ids.set(id, known);
      return known;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)/g, 'time')
    .replaceAll(/"[A-Za-z0-9+/_=.-]{48,}"/g, '"sealed"')
    .replaceAll(/\b0?29\d{11}\b/g, 'a code made of an id')
    .replaceAll(/"asOf":"[^"]*"/g, '"asOf":"position"')
    .replaceAll(/"minutes":[\d.]+/g, '"minutes":"since it began"');
  return JSON.parse(text);
}

interface Tried {
  readonly dryRun: boolean;
  readonly status: number;
  readonly body: unknown;
  readonly events: readonly { readonly stream: string; readonly type: string; readonly data: unknown }[];
}

/** What a request recorded. */
async function recordedBy(requestId: string, after: string): Promise<readonly StoredEvent[]> {
  const events = await eventStore.readAll(after, 1_000);
  return events.filter(({ meta }) => meta.includes(`"requestId":"${requestId}"`));
}

type Client = Pick<StoreClient, 'call'>;

/** What is written a while after a request that really did something. */
const LATE: ReadonlySet<string> = new Set(['api-key-use', 'webhook-delivery-lines']);

/** What waited before goes on being sent, and how that ended is noted; what is new has no row yet, and who is forgotten gets an empty one. */
const isLate = ({ kind, expected, value }: VaultWrite): boolean =>
  LATE.has(kind) ||
  // Who tries a password is counted all the same.
  kind === 'throttle' ||
  (/^(mail|webhook-delivery)/.test(kind) && expected !== 'absent') ||
  (kind === 'webhook-health' && value !== undefined);

/** Tries a command, and sees that nothing came of it. */
async function tried(client: Client, route: Route, example: Example, headers = {}): Promise<Answer> {
  const before = await eventStore.head();
  const writing = jest.spyOn(vault, 'write');
  const answer = await askRoute(client, route, example, { ...DRY, ...headers });
  const written = writing.mock.calls.flatMap(([writes]) => writes).filter((write) => !isLate(write));
  writing.mockRestore();
  expect(written.map(({ kind }) => kind)).toEqual([]);
  expect(await eventStore.head()).toBe(before);
  expect(answer.headers.get('x-position')).toBeNull();
  expect(answer.headers.get('set-cookie')).toBeNull();
  return answer;
}

/** What a trial tells of what would be recorded: accounts are other people's, but for one's own. */
const told = (recorded: readonly StoredEvent[], own = ''): readonly unknown[] =>
  recorded
    .filter(({ stream, meta }) => stream === `user-${own}` || meta.includes(`"storeId":"${store.storeId}"`))
    .map(({ stream, type, data }) => ({ stream, type, data: JSON.parse(data) as unknown }));

async function expectSame(client: Client, route: Route, example: Example, own?: string): Promise<void> {
  const trial = await tried(client, route, example);
  expect([trial.status, trial.text]).toEqual([200, trial.text]);
  expect(trial.headers.get('preference-applied')).toBe('dry-run');
  const { dryRun, events, ...would } = trial.body as Tried;
  expect(dryRun).toBe(true);
  const before = await eventStore.head();
  const requestId = unique();
  const done = await askRoute(client, route, example, { 'x-request-id': requestId });
  expect(done.headers.get('preference-applied')).toBeNull();
  // Also of what recorded nothing: a client sends back what it was given.
  expect(done.headers.get('x-position')).toMatch(/^[\w-]{43}$/);
  const was = { status: done.status, body: (done.body as unknown) ?? null };
  const recorded = told(await recordedBy(requestId, before), own);
  // What nobody outside was asked has no answer in a trial.
  if (ASKS_OUTSIDE.has(nameOf(route))) {
    expect(would.status).toBe(was.status);
    expect(events.map(({ type }) => type)).toEqual(
      (recorded as Tried['events']).slice(0, events.length).map(({ type }) => type),
    );
    return;
  }
  expect(essence({ ...would, events })).toEqual(essence({ ...was, events: recorded }));
}

const ASKS_OUTSIDE = new Set([
  'POST /fiscal/documents',
  'POST /fiscal/documents/{id}/transmit',
  'POST /fiscal/documents/{id}/cancel',
  'POST /fiscal/documents/{id}/void',
  'POST /outbound-webhooks/{id}/test',
]);

const open = commands.filter(
  ({ permission, dryRun }) => (isPermission(permission) || permission === 'authenticated') && dryRun === undefined,
);

describe.each(named(open))('%s', (_, route) => {
  test('does what it said that it would do', async () => {
    const example = await exampleOf({ ...route, takesBody: route.request.body !== undefined }, unique(), store);
    await expectSame(store, route, example);
  });
});

/** What a signed-in user does for themselves. */
const OF_SESSIONS: Readonly<Record<string, (browser: Browser) => Example | Promise<Example>>> = {
  'PATCH /auth/me': () => ({ body: { name: 'Ana Maria' } }),
  'POST /auth/presence': () => ({}),
  'PATCH /auth/me/print-target': () => ({ body: { target: 'local' } }),
  'PATCH /auth/me/ui-preferences': () => ({ body: { navigationFavorites: ['/sales'] } }),
  'POST /auth/email-verifications': () => ({}),
  'DELETE /auth/sessions': () => ({}),
  'DELETE /auth/sessions/{id}': async (browser) => {
    const { body } = await browser.call('GET', '/auth/sessions');
    const [first] = (
      body as { readonly items: readonly { readonly id: string; readonly current: boolean }[] }
    ).items.filter(({ current }) => !current);
    return { params: { id: first?.id ?? '' } };
  },
};

const ofSessions = commands.filter(({ permission, dryRun }) => permission === 'session' && dryRun === undefined);

describe.each(named(ofSessions))('%s', (name, route) => {
  test('does what it said that it would do', async () => {
    const person = await newPerson(world, store, 'CASHIER');
    const [, browser] = [await signedIn(world, person), await signedIn(world, person)];
    const example = OF_SESSIONS[name];
    if (!example) throw new Error(`say in test/http/dry-run.test.ts what ${name} takes`);
    await expectSame(browser, route, await example(browser), person.userId);
  });
});

const impossible = commands.filter(({ permission, dryRun }) => permission === 'public' || dryRun !== undefined);

test.each(named(impossible))('%s cannot be tried', async (_, route) => {
  const client = route.permission === 'session' ? await signedIn(world, await newPerson(world, store)) : store;
  const asked = route.permission === 'public' ? new NewBrowser(world.url) : client;
  const answer = await tried(asked, route, {});
  expect(refusal(answer)).toEqual([400, 'DRY_RUN_NOT_POSSIBLE']);
  expect(answer.headers.get('preference-applied')).toBeNull();
});

const categories = routes.find((route) => nameOf(route) === 'POST /categories') as Route;

test('a trial is refused as the command would be', async () => {
  const body = { name: unique() };
  await store.call('POST', '/categories', body);
  const trial = await tried(store, categories, { body });
  const done = await store.call('POST', '/categories', body);
  expect(refusal(trial)).toEqual(refusal(done));
  expect(trial.headers.get('preference-applied')).toBe('dry-run');
  expect(refusal(await tried(store, categories, { body: { nome: 'x' } }))).toEqual([400, 'INVALID_INPUT']);
  const reader = await world.newKey(store.slug, 'products.view');
  expect(refusal(await tried(reader, categories, { body }))).toEqual([403, 'PERMISSION_DENIED']);
});

test('a trial uses no idempotency key up, and is no answer to a repeat', async () => {
  const [body, key] = [{ name: unique() }, { 'idempotency-key': unique() }];
  await tried(store, categories, { body }, key);
  const first = await store.call('POST', '/categories', body, key);
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
});

test('queries have nothing to try, and other preferences are none', async () => {
  const list = await store.call('GET', '/categories', undefined, DRY);
  expect([list.status, list.headers.get('preference-applied')]).toEqual([200, null]);
  const done = await store.call('POST', '/categories', { name: unique() }, { prefer: 'respond-async, wait=10' });
  expect([done.status, done.headers.get('preference-applied')]).toEqual([201, null]);
});

test.each(['DRY-RUN', 'respond-async, dry-run', 'dry-run; foo="bar"'])(
  '%s is the preference as well',
  async (prefer) => {
    const answer = await tried(store, categories, { body: { name: unique() } }, { prefer });
    expect(answer.status).toBe(200);
  },
);

test('costs stand in no trial of who may not see them', async () => {
  const { variantId } = await productWith(store);
  const seller = await world.newKey(store.slug, 'sales.manage,sales.view,stock.view');
  const sale = {
    items: [{ variantId, quantity: 1, unitPrice: 10 }],
    payments: [{ method: 'CASH', amount: 10 }],
  };
  const route = routes.find((each) => nameOf(each) === 'POST /sales') as Route;
  const seen = (await tried(store, route, { body: sale })).text;
  const { status, text } = await tried(seller, route, { body: sale });
  expect(status).toBe(200);
  expect(seen).toMatch(/"value":/);
  expect(text).not.toMatch(/"(cost|unitCost|value)":/);
});

test('who may not see costs learns no hourly rate by moving stages', async () => {
  const rated = ['Massa', 'Forno'].map((name, index) => ({ name, standardMinutes: 30, laborRatePerHour: 20 + index }));
  const example = await exampleOf({ method: 'post', path: RECIPES, takesBody: true }, unique(), store);
  const { body } = await store.call('POST', RECIPES, { ...(example.body as object), stages: rated });
  const baker = await world.newKey(store.slug, 'production.manage,production.view,audit.view');
  const moved = { stages: ['Forno', 'Massa'], changeReason: 'troca' };
  const path = `${RECIPES}/${(body as { readonly id: string }).id}`;
  const request = { params: { id: (body as { readonly id: string }).id }, body: moved };
  const route = routes.find((each) => nameOf(each) === `PUT ${RECIPES}/{id}`) as Route;
  expect((await tried(store, route, request)).text).toMatch(/stages\[0\]\.laborRatePerHour/);
  const { status, text } = await tried(baker, route, request);
  expect([status, text]).toEqual([200, expect.stringContaining('stages[0].name')]);
  expect(text).not.toContain('laborRatePerHour');
  expect((await baker.call('PUT', path, moved)).status).toBe(200);
  const told = await baker.call('GET', '/audit/events?type=RecipeVersionActivated');
  expect(told.text).toContain('stages[0].name');
  expect(told.text).not.toContain('laborRatePerHour');
});

async function productWith(client: StoreClient): Promise<{ readonly variantId: string }> {
  const body = { description: unique(), priceCash: 10, priceCredit: 11 };
  const { variants } = (await client.call('POST', '/products', body)).body as { variants: readonly { id: string }[] };
  const variantId = variants[0]?.id ?? '';
  await client.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 5, unitCost: 3 }] });
  return { variantId };
}

/** Those that reach a throttle say that they may refuse so. */
const guessable = commands.filter((route) => mayBeTried(route) && route.rejections?.includes(TOO_MANY_ATTEMPTS));

test('of what asks for a password again something can be tried', () => {
  expect(guessable.map(nameOf)).toContain('PATCH /auth/me');
});

test.each(named(guessable))('%s counts guesses of a password in a trial as well', async (_, route) => {
  const person = await newPerson(world, store);
  const browser = await signedIn(world, person);
  const guess = (currentPassword: string) => tried(browser, route, { body: { username: unique(), currentPassword } });
  for (let tries = 0; tries < 5; tries++) {
    expect(refusal(await guess(`a senha errada ${String(tries)}`))).toEqual([401, 'PASSWORD_WRONG']);
  }
  expect(refusal(await guess(person.password))).toEqual([429, 'TOO_MANY_ATTEMPTS']);
});

test('a trial does not tell whether an address has an account', async () => {
  const known = await newPerson(world, await world.newStore());
  const events = async (email: string) => {
    const body = { name: 'Ana', role: 'CASHIER', username: unique(), password: 'uma senha qualquer', email };
    const { events: told } = (await store.call('POST', '/users', body, DRY)).body as Tried;
    return told.map(({ stream, type }) => [stream.split('-')[0], type]);
  };
  expect(await events(known.email)).toEqual(await events(`${unique()}@casa.example`));
});

test('a trial of changing the address of a member, or of removing one, does not tell it either', async () => {
  const other = await world.newStore();
  const [known, alsoKnown] = [await newPerson(world, other), await newPerson(world, other)];
  const made = await Promise.all(
    [`${unique()}@casa.example`, known.email].map(async (email) => {
      const body = { name: 'Ana', role: 'CASHIER', username: unique(), password: 'uma senha qualquer', email };
      return ((await granted(store.call('POST', '/users', body))).body as { readonly id: string }).id;
    }),
  );
  const trials = async (method: string, id: string, body?: object) => {
    const { status, body: told } = await store.call(method, `/users/${id}`, body, DRY);
    if (status !== 200) throw new Error(JSON.stringify(told));
    return [
      status,
      (told as Tried).status,
      (told as Tried).events.map(({ stream, type }) => [stream.split('-')[0], type]),
    ];
  };
  const [first = '', second = ''] = made;
  const changes = await Promise.all(
    [`${unique()}@casa.example`, alsoKnown.email].map((email) => trials('PATCH', first, { email })),
  );
  expect(changes[0]).toEqual(changes[1]);
  const removals = await Promise.all([first, second].map((id) => trials('DELETE', id)));
  expect(removals[1]).toEqual(removals[0]);
});
