import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { expectOk, joinStore, login, newPerson, refusal, signedIn } from '../support/people.js';
import { Browser } from '../support/browser.js';
import { openWorld } from '../support/world.js';
import { EmbeddedEventStore } from '../../src/adapters/embedded/log/event-store.js';

/** What two who are at work on one account at the same moment leave behind. */

const world = await openWorld();
afterAll(() => world.close());
const [store, other] = await Promise.all([world.newStore(), world.newStore()]);
// Somebody who can manage users stays, whatever the tests do with the others.
await Promise.all([newPerson(world, store), newPerson(world, other)]);

/** Does something once, just before the first command of a kind on the streams of a category is decided. */
function justBefore(type: string, category: string, meanwhile: () => Promise<unknown>): { restore(): void } {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let done = false;
  const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (streamType, stream, command, envelope) => {
    const { type: kind, fact } = command as { readonly type: string; readonly fact?: { readonly type: string } };
    if (!done && (fact?.type ?? kind) === type && stream.startsWith(`${category}-`)) {
      done = true;
      await meanwhile();
    }
    return execute(streamType, stream, command, envelope);
  });
  return {
    restore() {
      spy.mockRestore();
      expect(done).toBe(true);
    },
  };
}

describe('a user name', () => {
  test('stays its account’s where another change, which wanted a taken address as well, is refused', async () => {
    const [ana, rui] = [await newPerson(world, store), await newPerson(world, store)];
    const browser = await signedIn(world, ana);
    const username = `${ana.username}-nova`;
    const currentPassword = ana.password;
    let second: unknown;
    const paused = justBefore('changeProfile', 'user', async () => {
      second = refusal(await browser.copy().call('PATCH', '/auth/me', { username, email: rui.email, currentPassword }));
    });
    // The other one holds the name as well, and lets it go only when this one has confirmed it.
    const first = await browser.call('PATCH', '/auth/me', { username, currentPassword });
    paused.restore();
    expect([first.status, second]).toEqual([200, [409, 'USERNAME_TAKEN']]);
    expect((await login(new Browser(world.url), { ...ana, username })).status).toBe(200);
  });
});

describe('a password that is changed while somebody signs in with the one before', () => {
  test('lets them in no more', async () => {
    const ana = await newPerson(world, store);
    const desk = await signedIn(world, ana);
    const password = 'outra senha comprida 9';
    const changed = justBefore('SignedIn', 'user', () =>
      expectOk(desk.call('PATCH', '/auth/me', { password, currentPassword: ana.password })),
    );
    const phone = new Browser(world.url);
    const answer = await login(phone, ana);
    changed.restore();
    expect(refusal(answer)).toEqual([401, 'SIGN_IN_REFUSED']);
    expect((await phone.get('/auth/me')).status).toBe(401);
    expect((await desk.get('/auth/me')).status).toBe(200);
  });
});

describe('a session that ends from afar', () => {
  test('begins no other one in the store that it is just switching to', async () => {
    const ana = await newPerson(world, store);
    await joinStore(world, ana, other);
    const [desk, phone] = [await signedIn(world, ana), await signedIn(world, ana)];
    const paused = justBefore('StoreSwitched', 'user', () => expectOk(desk.call('DELETE', '/auth/sessions')));
    const switched = await phone.post('/auth/switch-store', { storeSlug: other.slug });
    paused.restore();
    expect(refusal(switched)).toEqual([401, 'CREDENTIAL_INVALID']);
    expect((await phone.post('/auth/refresh')).status).toBe(401);
    expect((await desk.get('/auth/me')).status).toBe(200);
  });

  test('leaves none in the list that nobody has, where rows are stored apart from events', async () => {
    const ana = await newPerson(world, store);
    await joinStore(world, ana, other);
    const [desk, phone] = [await signedIn(world, ana), await signedIn(world, ana)];
    const apart = jest.spyOn(EmbeddedEventStore.prototype, 'storesRows', 'get').mockReturnValue(false);
    const paused = justBefore('StoreSwitched', 'user', () => expectOk(desk.call('DELETE', '/auth/sessions')));
    const switched = await phone.post('/auth/switch-store', { storeSlug: other.slug });
    paused.restore();
    apart.mockRestore();
    expect(refusal(switched)).toEqual([401, 'CREDENTIAL_INVALID']);
    const { items } = (await expectOk(desk.get('/auth/sessions'))) as { items: object[] };
    expect(items).toEqual([expect.objectContaining({ current: true })]);
  });

  test.each([
    ['all others', () => '/auth/sessions'],
    ['it', (id: string) => `/auth/sessions/${id}`],
  ])('is ended also where it switches to another store as somebody ends %s', async (_, pathOf) => {
    const ana = await newPerson(world, store);
    await joinStore(world, ana, other);
    const [desk, phone] = [await signedIn(world, ana), await signedIn(world, ana)];
    // Its second switch: what it began as is long over.
    for (const { slug } of [other, store]) await expectOk(phone.post('/auth/switch-store', { storeSlug: slug }));
    const { items } = (await expectOk(phone.get('/auth/sessions'))) as { items: { id: string; current: boolean }[] };
    const path = pathOf(items.find(({ current }) => current)?.id ?? '');
    const paused = justBefore('endSessions', 'user', () =>
      expectOk(phone.post('/auth/switch-store', { storeSlug: other.slug })),
    );
    await expectOk(desk.call('DELETE', path));
    paused.restore();
    expect((await phone.get('/auth/me')).status).toBe(401);
    expect((await phone.post('/auth/refresh')).status).toBe(401);
    expect((await desk.get('/auth/me')).status).toBe(200);
  });
});
