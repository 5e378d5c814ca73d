import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Browser } from '../support/browser.js';
import type { Person } from '../support/people.js';
import { SetClock, expectOk, historyOf, joinStore, newPerson, refusal, signedIn } from '../support/people.js';
import { until } from '../support/until.js';
import { openWorld } from '../support/world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const clock = new SetClock();

const world = await openWorld({ clock });
afterAll(() => world.close());
const [store, other] = await Promise.all([world.newStore(), world.newStore()]);
// Somebody who can manage users stays, whatever the tests do with the others.
await Promise.all([newPerson(world, store), newPerson(world, other)]);

const signIn = async (role: 'OWNER' | 'CASHIER' = 'OWNER') => {
  const ana = await newPerson(world, store, role);
  return { ana, browser: await signedIn(world, ana) };
};
const isIn = async (browser: Browser) => (await browser.get('/auth/me')).status === 200;

describe('a session', () => {
  test('is renewed with new cookies, and says who is signed in', async () => {
    const { ana, browser } = await signIn();
    const before = browser.copy();
    clock.wait(1_000);
    const { status, body, headers } = await browser.post('/auth/refresh');
    expect([status, body]).toEqual([
      200,
      { user: expect.objectContaining({ id: ana.userId, kind: 'user' }), storeSlug: store.slug },
    ]);
    expect(headers.getSetCookie()).toHaveLength(2);
    for (const name of ['sm_access', 'sm_refresh']) expect(browser.cookie(name)).not.toBe(before.cookie(name));
  });

  test('needs its access token renewed after 15 minutes, and lives while it is renewed within 30 days', async () => {
    const { browser } = await signIn();
    clock.wait(15 * MINUTE - 1_000);
    expect(await isIn(browser)).toBe(true);
    clock.wait(1_000);
    expect(await isIn(browser)).toBe(false);
    for (let month = 0; month < 3; month++) {
      clock.wait(30 * DAY - 16 * MINUTE);
      await expectOk(browser.post('/auth/refresh'));
      expect(await isIn(browser)).toBe(true);
    }
    clock.wait(30 * DAY);
    expect(refusal(await browser.post('/auth/refresh'))).toEqual([401, 'CREDENTIAL_INVALID']);
  });

  test('stays over where a crash has left its row, however many end after it', async () => {
    const { ana, browser } = await signIn();
    const kept = browser.copy();
    const { vault } = world.service.core.engines;
    const [row] = await vault.list('session', { prefix: `${ana.userId}/`, limit: 10 });
    await expectOk(browser.post('/auth/logout'));
    await vault.write([{ kind: 'session', id: row?.id ?? '', value: row?.value, expected: 'absent' }]);
    expect(await vault.list('session', { prefix: `${ana.userId}/`, limit: 10 })).toHaveLength(1);
    // An account remembers the last hundred.
    for (let times = 0; times <= 100; times++) {
      await expectOk((await signedIn(world, ana)).post('/auth/logout'));
    }
    expect(refusal(await kept.post('/auth/refresh'))).toEqual([401, 'CREDENTIAL_INVALID']);
  });

  test('ends when the command line shuts its user out, and stays over when that lets them back in', async () => {
    const { ana, browser } = await signIn();
    const { users } = world.service.core.administration;
    for (const active of [false, true]) await users.setActive({ store: store.slug, username: ana.username }, active);
    expect(await isIn(browser)).toBe(false);
    expect(refusal(await browser.post('/auth/refresh'))).toEqual([401, 'CREDENTIAL_INVALID']);
    expect(await isIn(await signedIn(world, ana))).toBe(true);
  });

  test.each(['', 'x', 'A'.repeat(171)])('is not renewed by the token %j', async (token) => {
    const answer = await new Browser(world.url).post('/auth/refresh', undefined, { cookie: `sm_refresh=${token}` });
    expect(refusal(answer)).toEqual([401, 'CREDENTIAL_INVALID']);
    expect((await new Browser(world.url).post('/auth/refresh')).status).toBe(401);
  });

  test('is not entered with the refresh token, nor renewed with the access token', async () => {
    const { browser } = await signIn();
    const swapped = `sm_access=${browser.cookie('sm_refresh') ?? ''}; sm_refresh=${browser.cookie('sm_access') ?? ''}`;
    expect((await new Browser(world.url).get('/auth/me', { cookie: swapped })).status).toBe(401);
    expect((await new Browser(world.url).post('/auth/refresh', undefined, { cookie: swapped })).status).toBe(401);
  });

  test('survives two tabs that renew it at once, and twenty', async () => {
    const { ana, browser } = await signIn();
    const tabs = Array.from({ length: 20 }, () => browser.copy());
    const answers = await Promise.all(tabs.map((tab) => tab.post('/auth/refresh')));
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    expect(new Set(tabs.map((tab) => tab.cookie('sm_refresh'))).size).toBe(1);
    for (const tab of tabs) expect(await isIn(tab)).toBe(true);
    await expectOk((tabs[19] ?? browser).post('/auth/refresh'));
    expect(await historyOf(world, ana)).not.toContain('RefreshTokenReused');
  });

  test('takes the replaced token for ten seconds, and then ends', async () => {
    const { ana, browser } = await signIn();
    const late = browser.copy();
    const thief = browser.copy();
    await expectOk(browser.post('/auth/refresh'));
    clock.wait(10_000);
    await expectOk(late.post('/auth/refresh'));
    expect(late.cookie('sm_refresh')).toBe(browser.cookie('sm_refresh'));
    clock.wait(1);
    expect(refusal(await thief.post('/auth/refresh'))).toEqual([401, 'CREDENTIAL_INVALID']);
    for (const one of [browser, late, thief]) {
      expect(await isIn(one)).toBe(false);
      expect((await one.post('/auth/refresh')).status).toBe(401);
    }
    expect((await historyOf(world, ana)).filter((type) => type === 'RefreshTokenReused')).toHaveLength(1);
  });

  test('ends when a token before the replaced one comes back, within the ten seconds too', async () => {
    const { ana, browser } = await signIn();
    const thief = browser.copy();
    const elsewhere = await signedIn(world, ana);
    await expectOk(browser.post('/auth/refresh'));
    await expectOk(browser.post('/auth/refresh'));
    expect((await thief.post('/auth/refresh')).status).toBe(401);
    expect(await isIn(browser)).toBe(false);
    expect(await isIn(elsewhere)).toBe(true);
    expect(await historyOf(world, ana)).toContain('RefreshTokenReused');
  });

  test('ends by signing out, from the next request, and leaves others', async () => {
    const { ana, browser } = await signIn();
    const elsewhere = await signedIn(world, ana);
    const copy = browser.copy();
    const { status, body, headers } = await browser.post('/auth/logout');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
    expect(headers.getSetCookie()).toEqual([
      'sm_access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      'sm_refresh=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(browser.cookies).toEqual([]);
    expect(await isIn(copy)).toBe(false);
    expect((await copy.post('/auth/refresh')).status).toBe(401);
    expect(await isIn(elsewhere)).toBe(true);
    expect((await historyOf(world, ana)).filter((type) => type === 'SignedOut')).toHaveLength(1);
    expect((await copy.post('/auth/logout')).status).toBe(200);
    expect((await new Browser(world.url).post('/auth/logout')).status).toBe(200);
  });

  test('ends by signing out with either cookie', async () => {
    for (const lost of ['sm_access', 'sm_refresh']) {
      const { browser } = await signIn();
      const whole = browser.copy();
      browser.forget(lost);
      await expectOk(browser.post('/auth/logout'));
      expect(await isIn(whole)).toBe(false);
    }
  });

  test('does not outlive a renewal that runs beside the signing out', async () => {
    const { browser } = await signIn();
    const tabs = Array.from({ length: 10 }, () => browser.copy());
    await Promise.all([browser.copy().post('/auth/logout'), ...tabs.map((tab) => tab.post('/auth/refresh'))]);
    for (const tab of tabs) {
      expect(await isIn(tab)).toBe(false);
      expect((await tab.post('/auth/refresh')).status).toBe(401);
    }
  });

  test('goes on after a restart', async () => {
    const first = await openWorld({ clock });
    const ana = await newPerson(first, await first.newStore());
    const before = await signedIn(first, ana);
    await first.close('keep');
    const second = await openWorld({ clock, dataDir: first.dataDir });
    try {
      const cookies = ['sm_access', 'sm_refresh'].map((name) => `${name}=${before.cookie(name) ?? ''}`).join('; ');
      expect((await new Browser(second.url).get('/auth/me', { cookie: cookies })).status).toBe(200);
      expect((await new Browser(second.url).post('/auth/refresh', undefined, { cookie: cookies })).status).toBe(200);
    } finally {
      await second.close();
    }
  });
});

describe('what a session may do', () => {
  test('changes with its permissions, from the next request', async () => {
    const { ana, browser } = await signIn('CASHIER');
    expect(refusal(await browser.post('/brands', { name: 'A' }))).toEqual([403, 'PERMISSION_DENIED']);
    await expectOk(store.call('PATCH', `/users/${ana.userId}`, { permissions: ['brands.manage'] }));
    expect((await browser.post('/brands', { name: 'A' })).status).toBe(201);
    expect(((await browser.get('/auth/me')).body as { permissions: string[] }).permissions).toEqual(['brands.manage']);
    await expectOk(store.call('PATCH', `/users/${ana.userId}`, { permissions: [] }));
    expect((await browser.post('/brands', { name: 'B' })).status).toBe(403);
  });

  test('ends with the membership, from the next request', async () => {
    const { ana, browser } = await signIn();
    expect(await isIn(browser)).toBe(true);
    await expectOk(store.call('PATCH', `/users/${ana.userId}`, { active: false }));
    expect(await isIn(browser)).toBe(false);
    expect((await browser.post('/auth/refresh')).status).toBe(401);
    await expectOk(store.call('PATCH', `/users/${ana.userId}`, { active: true }));
    expect(await isIn(browser)).toBe(false);
    expect((await browser.post('/auth/refresh')).status).toBe(401);
    const again = await signedIn(world, ana);
    expect(await isIn(again)).toBe(true);
    await expectOk(store.call('DELETE', `/users/${ana.userId}`));
    expect(await isIn(again)).toBe(false);
  });

  test('ends when the store sets another password', async () => {
    const { ana, browser } = await signIn();
    await expectOk(store.call('PATCH', `/users/${ana.userId}`, { password: 'posta pela loja 1' }));
    expect(await isIn(browser)).toBe(false);
    expect((await browser.post('/auth/refresh')).status).toBe(401);
  });
});

describe('with two stores', () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await newPerson(world, store);
    await joinStore(world, ana, other, 'CASHIER');
  });

  test('the user sees them with role and which is current', async () => {
    const browser = await signedIn(world, ana);
    const { body } = await browser.get('/auth/my-stores');
    expect(body).toEqual([
      { slug: store.slug, name: expect.any(String), role: 'OWNER', current: true },
      { slug: other.slug, name: expect.any(String), role: 'CASHIER', current: false },
    ]);
    expect(refusal(await store.call('GET', '/auth/my-stores'))).toEqual([403, 'SESSION_ONLY']);
  });

  test('switching gives new tokens for the other store and ends the session before', async () => {
    const browser = await signedIn(world, ana);
    const tab = browser.copy();
    const { status, body } = await browser.post('/auth/switch-store', { storeSlug: other.slug });
    expect([status, body]).toMatchObject([200, { storeSlug: other.slug, user: { role: 'CASHIER' } }]);
    for (const name of ['sm_access', 'sm_refresh']) expect(browser.cookie(name)).not.toBe(tab.cookie(name));
    expect((await browser.get('/auth/me')).body).toMatchObject({ storeSlug: other.slug });
    expect((await browser.get('/store')).body).toMatchObject({ slug: other.slug });
    expect((await browser.post('/auth/refresh')).body).toMatchObject({ storeSlug: other.slug });
    expect(await isIn(tab)).toBe(false);
    expect((await tab.post('/auth/refresh')).status).toBe(401);
    expect(await historyOf(world, ana)).toContain('StoreSwitched');
  });

  test('another tab that still means the first store learns of the switch', async () => {
    const browser = await signedIn(world, ana);
    const means = (slug: string) => ({ 'x-store-slug': slug });
    expect((await browser.get('/store', means(store.slug))).status).toBe(200);
    await expectOk(browser.post('/auth/switch-store', { storeSlug: other.slug }));
    expect(refusal(await browser.get('/store', means(store.slug)))).toEqual([409, 'STORE_SWITCHED']);
    expect(refusal(await browser.post('/brands', { name: 'X' }, means(store.slug)))).toEqual([409, 'STORE_SWITCHED']);
    expect((await browser.get('/store', means(other.slug))).status).toBe(200);
  });

  test('another tab that still means another user learns of the sign-in', async () => {
    const browser = await signedIn(world, ana);
    const means = (id: string) => ({ 'x-signed-in-as': id });
    expect((await browser.get('/store', means(ana.userId))).status).toBe(200);
    const bia = await newPerson(world, store);
    await expectOk(browser.post('/auth/login', { username: bia.username, password: bia.password }));
    const asked = { name: 'De outra pessoa' };
    expect(refusal(await browser.post('/brands', asked, means(ana.userId)))).toEqual([409, 'USER_SWITCHED']);
    expect((await browser.post('/brands', asked, means(bia.userId))).status).toBe(201);
  });

  test('nobody switches to a store that is not theirs, or that there is not', async () => {
    const browser = await signedIn(world, ana);
    const third = await world.newStore();
    const answers = [third.slug, 'no-such-store'].map((storeSlug) => browser.post('/auth/switch-store', { storeSlug }));
    for (const answer of await Promise.all(answers)) expect(refusal(answer)).toEqual([403, 'NO_STORE']);
    expect(await isIn(browser)).toBe(true);
  });

  test('nobody switches without a second factor to a store that asks for one', async () => {
    const strict = await world.newStore();
    const bia = await newPerson(world, store);
    await joinStore(world, bia, strict);
    await expectOk(strict.call('PATCH', '/store', { requireTwoFactor: true }));
    const browser = await signedIn(world, bia);
    const answer = await browser.post('/auth/switch-store', { storeSlug: strict.slug });
    expect(refusal(answer)).toEqual([403, 'ENROLLMENT_REQUIRED']);
    expect(await isIn(browser)).toBe(true);
  });
});

describe('the own account', () => {
  test('keeps what was preferred', async () => {
    const { browser } = await signIn();
    const target = await browser.call('PATCH', '/auth/me/print-target', {
      target: 'agent',
      agentId: 'caixa-1',
      a4Sheet: true,
    });
    expect(target.body).toMatchObject({ printTarget: { target: 'agent', agentId: 'caixa-1', a4Sheet: true } });
    await expectOk(browser.call('PATCH', '/auth/me/print-target', { target: 'local' }));
    const preferences = { navigationFavorites: ['/products', '/orders'], theme: 'dark' };
    await expectOk(browser.call('PATCH', '/auth/me/ui-preferences', preferences));
    await expectOk(browser.call('PATCH', '/auth/me/ui-preferences', { navigationFavorites: ['/orders'] }));
    expect((await browser.get('/auth/me')).body).toMatchObject({
      printTarget: { target: 'local', agentId: 'caixa-1', a4Sheet: true },
      uiPreferences: { navigationFavorites: ['/orders'], theme: 'dark' },
    });
    for (const [path, body] of [
      ['print-target', { target: 'fax' }],
      ['print-target', {}],
      ['ui-preferences', { navigationFavorites: Array.from({ length: 51 }, (_, at) => `/${String(at)}`) }],
      ['ui-preferences', { navigationFavorites: [], theme: 'blue' }],
    ] as const) {
      expect((await browser.call('PATCH', `/auth/me/${path}`, body)).status).toBe(400);
    }
  });

  test('keeps both of two changes that come at once', async () => {
    const { ana, browser } = await signIn();
    const change = (path: string, body: object) => expectOk(browser.call('PATCH', `/auth/me/${path}`, body));
    const { lanes } = world.service.core;
    const execute = lanes.execute.bind(lanes);
    let waiting = 0;
    const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      if (stream === `user-${ana.userId}`) {
        waiting += 1;
        await until('all of them have read what there is', () => waiting === 4);
      }
      return execute(type, stream, command, envelope);
    });
    await Promise.all([
      change('print-target', { target: 'agent', agentId: 'caixa-2' }),
      change('print-target', { target: 'agent', a4Sheet: true }),
      change('ui-preferences', { navigationFavorites: ['/lots'], theme: 'dark' }),
      change('ui-preferences', { navigationFavorites: ['/lots'] }),
    ]).finally(() => {
      spy.mockRestore();
    });
    expect((await browser.get('/auth/me')).body).toMatchObject({
      printTarget: { target: 'agent', agentId: 'caixa-2', a4Sheet: true },
      uiPreferences: { navigationFavorites: ['/lots'], theme: 'dark' },
    });
  });

  test('is online for two minutes after a sign of life', async () => {
    const { ana, browser } = await signIn();
    const { body } = await browser.post('/auth/presence');
    expect(body).toEqual({ lastSeenAt: new Date(clock.now()).toISOString() });
    const online = async () => (await store.call('GET', `/users/${ana.userId}`)).body as unknown;
    expect(await online()).toMatchObject({ online: true, ...(body as object) });
    clock.wait(2 * MINUTE + 1);
    expect(await online()).toMatchObject({ online: false });
    await browser.post('/auth/presence');
    clock.wait(-2 * MINUTE - 1); // it was ahead, and was set right at a start
    expect(await online()).toMatchObject({ online: false });
    clock.wait(2 * MINUTE + 1);
  });

  test('is for who is signed in, not for API keys', async () => {
    for (const [method, path, body] of [
      ['POST', '/auth/presence'],
      ['PATCH', '/auth/me', { name: 'X' }],
      ['PATCH', '/auth/me/print-target', { target: 'local' }],
      ['PATCH', '/auth/me/ui-preferences', { navigationFavorites: [] }],
      ['POST', '/auth/switch-store', { storeSlug: store.slug }],
      ['POST', '/auth/2fa/enrollment'],
      ['DELETE', '/auth/2fa', { password: 'x', code: '123456' }],
    ] as const) {
      expect(refusal(await store.call(method, path, body))).toEqual([403, 'SESSION_ONLY']);
      expect((await new Browser(world.url).call(method, path, body)).status).toBe(401);
    }
  });

  test('changes its name freely, and the rest with the password', async () => {
    const { ana, browser } = await signIn();
    const change = (body: object) => browser.call('PATCH', '/auth/me', body);
    expect((await change({ name: 'Ana Maria' })).body).toMatchObject({ name: 'Ana Maria' });
    const username = `${ana.username}.nova`;
    for (const body of [{ username }, { email: 'nova@casa.example' }, { password: 'uma senha nova 1' }]) {
      expect(refusal(await change(body))).toEqual([400, 'INVALID_INPUT']);
      expect(refusal(await change({ ...body, currentPassword: 'senha errada' }))).toEqual([401, 'PASSWORD_WRONG']);
    }
    const email = `${username}@casa.example`;
    const changed = await change({ username, email, currentPassword: ana.password });
    expect([changed.status, changed.body]).toMatchObject([200, { username, email, name: 'Ana Maria' }]);
    expect(changed.headers.getSetCookie()).toEqual([]);
    await signedIn(world, { ...ana, username });
    // Until a token that went there proves the new address, one signs in by user name alone.
    const byAddress = await new Browser(world.url).post('/auth/login', { username: email, password: ana.password });
    expect(byAddress.status).toBe(401);
    const old = await new Browser(world.url).post('/auth/login', { username: ana.username, password: ana.password });
    expect(old.status).toBe(401);
    // The old names are free for others.
    const taken = await newPerson(world, store);
    const theirs = await signedIn(world, taken);
    const wanted = { username: ana.username, currentPassword: taken.password };
    expect((await theirs.call('PATCH', '/auth/me', wanted)).status).toBe(200);
    for (const body of [{ username: wanted.username }, { email: taken.email }]) {
      const answer = await change({ ...body, currentPassword: ana.password });
      expect(refusal(answer)).toEqual([409, 'USERNAME_TAKEN']);
    }
  });

  test('takes a new password, which ends all other sessions', async () => {
    const { ana, browser } = await signIn();
    const elsewhere = await signedIn(world, ana);
    const stolen = browser.copy();
    const password = 'uma senha nova 1';
    for (const unfit of ['curta', 'password123', 'x'.repeat(73)]) {
      const answer = await browser.call('PATCH', '/auth/me', { password: unfit, currentPassword: ana.password });
      expect(refusal(answer)).toEqual([400, 'INVALID_INPUT']);
    }
    await expectOk(browser.call('PATCH', '/auth/me', { password, currentPassword: ana.password }));
    expect(await isIn(browser)).toBe(true);
    for (const one of [elsewhere, stolen]) {
      expect(await isIn(one)).toBe(false);
      expect((await one.post('/auth/refresh')).status).toBe(401);
    }
    expect((await browser.post('/auth/refresh')).status).toBe(200);
    await signedIn(world, { ...ana, password });
    const old = await new Browser(world.url).post('/auth/login', { username: ana.username, password: ana.password });
    expect(old.status).toBe(401);
  });

  test('lets no borrowed session guess the password', async () => {
    const { browser } = await signIn();
    const guess = () => browser.call('PATCH', '/auth/me', { password: 'uma senha nova 1', currentPassword: 'palpite' });
    for (let failed = 0; failed < 5; failed++) expect((await guess()).status).toBe(401);
    expect(refusal(await guess())).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    clock.wait(31 * MINUTE);
  });
});
