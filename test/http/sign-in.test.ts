import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Browser } from '../support/browser.js';
import type { Person } from '../support/people.js';
import { SetClock, expectOk, historyOf, joinStore, login, newPerson, refusal, signedIn } from '../support/people.js';
import type { World } from '../support/world.js';
import { openWorld } from '../support/world.js';

const clock = new SetClock();

const world = await openWorld({ clock });
afterAll(() => world.close());
const [store, other] = await Promise.all([world.newStore(), world.newStore()]);
// What failed in one test is forgotten by the next.
beforeEach(() => {
  clock.wait(31 * 60_000);
});

const tryLogin = (username: string, password: string, browser = new Browser(world.url)) =>
  browser.post('/auth/login', { username, password });

describe('signing in', () => {
  test('gives the user and the store, and sets two cookies', async () => {
    const ana = await newPerson(world, store, 'MANAGER');
    const browser = new Browser(world.url);
    const { status, body, headers } = await login(browser, ana);
    expect([status, body]).toEqual([
      200,
      {
        user: {
          id: ana.userId,
          username: ana.username,
          name: 'Ana Lima',
          email: ana.email,
          kind: 'user',
          storeSlug: store.slug,
          role: 'MANAGER',
          permissions: expect.arrayContaining(['products.view', 'users.manage']),
          twoFactorEnabled: false,
          printTarget: { target: 'local', agentId: null, a4Sheet: false },
          uiPreferences: { navigationFavorites: [], theme: 'system' },
        },
        storeSlug: store.slug,
      },
    ]);
    expect(headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'))).toEqual([
      'sm_access=…; Path=/; Max-Age=900; HttpOnly; SameSite=Lax',
      'sm_refresh=…; Path=/auth; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ]);
    expect((await browser.get('/auth/me')).body).toEqual((body as { user: unknown }).user);
    expect(await historyOf(world, ana)).toContain('SignedIn');
  });

  test('takes the e-mail address as well, and both in any case', async () => {
    const ana = await newPerson(world, store);
    for (const username of [ana.email, ana.email.toUpperCase(), ana.username.toUpperCase(), ` ${ana.username} `]) {
      expect((await tryLogin(username, ana.password)).status).toBe(200);
    }
  });

  test('gives one answer for an unknown user and a wrong password', async () => {
    const ana = await newPerson(world, store);
    const strip = (body: unknown) => ({ ...(body as object), requestId: '' });
    const wrong = await tryLogin(ana.username, 'senha errada 1');
    const unknown = await tryLogin('nobody-here', 'senha errada 1');
    expect(refusal(wrong)).toEqual([401, 'SIGN_IN_REFUSED']);
    expect(strip(unknown.body)).toEqual(strip(wrong.body));
    const names = ({ headers }: typeof wrong) => [...headers.keys()].sort();
    expect(names(unknown)).toEqual(names(wrong));
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    [{}, 'username'],
    [{ username: 'ana' }, 'password'],
    [{ username: 1, password: 'x' }, 'username'],
    [{ username: 'ana', password: { $gt: '' } }, 'password'],
    [{ username: 'a'.repeat(255), password: 'x' }, 'username'],
    [{ username: 'ana', password: 'x', remember: true }, 'remember'],
  ])('refuses the body %j', async (body, path) => {
    const answer = await new Browser(world.url).post('/auth/login', body);
    expect(refusal(answer)).toEqual([400, 'INVALID_INPUT']);
    expect((answer.body as { errors: { path: string }[] }).errors.map((error) => error.path)).toContain(path);
  });

  test('does not take a password for another that begins with it', async () => {
    const ana = await newPerson(world, store);
    expect(refusal(await tryLogin(ana.username, `${ana.password}\0x`))).toEqual([401, 'SIGN_IN_REFUSED']);
    expect(refusal(await tryLogin(ana.username, ana.password.padEnd(80, 'x')))).toEqual([401, 'SIGN_IN_REFUSED']);
  });

  test('leads to the first store of the account, or the one that is named', async () => {
    const ana = await newPerson(world, store);
    await joinStore(world, ana, other);
    const browser = new Browser(world.url);
    expect((await login(browser, ana)).body).toMatchObject({ storeSlug: store.slug });
    const named = await browser.post(
      '/auth/login',
      { username: ana.username, password: ana.password },
      { 'x-store-slug': other.slug },
    );
    expect(named.body).toMatchObject({ storeSlug: other.slug, user: { role: 'CASHIER' } });
    const third = await world.newStore();
    for (const slug of [third.slug, 'no-such-store']) {
      const foreign = await tryLogin(
        ana.username,
        ana.password,
        new Browser(world.url, { headers: { 'x-store-slug': slug } }),
      );
      expect(refusal(foreign)).toEqual([403, 'NO_STORE']);
    }
  });

  test('is refused to who is a member no longer, or is switched off', async () => {
    const ana = await newPerson(world, store);
    const path = `/users/${ana.userId}`;
    await expectOk(store.call('POST', '/users', { ...(await newPersonBody()), role: 'OWNER' }));
    await expectOk(store.call('PATCH', path, { active: false }));
    expect(refusal(await tryLogin(ana.username, ana.password))).toEqual([403, 'NO_STORE']);
    await expectOk(store.call('PATCH', path, { active: true }));
    expect((await tryLogin(ana.username, ana.password)).status).toBe(200);
    await expectOk(store.call('DELETE', path));
    expect(refusal(await tryLogin(ana.username, ana.password))).toEqual([401, 'SIGN_IN_REFUSED']);
  });
});

let bodies = 0;
const newPersonBody = () => {
  const username = `outra-${String(++bodies)}`;
  return Promise.resolve({ username, email: `${username}@casa.example`, name: 'Bia', password: 'uma senha bem boa' });
};

describe('from another site', () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await newPerson(world, store);
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])('nobody signs in (%s)', async (origin) => {
    const answer = await login(new Browser(world.url, { origin }), ana);
    expect(refusal(answer)).toEqual([403, 'CROSS_SITE']);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('nothing is changed with the cookies of who is signed in', async () => {
    const browser = await signedIn(world, ana);
    const evil = browser.copy({ origin: 'https://evil.example' });
    for (const [method, path, body] of [
      ['POST', '/auth/presence'],
      ['POST', '/auth/refresh'],
      ['POST', '/auth/logout'],
      ['POST', '/auth/switch-store', { storeSlug: store.slug }],
      ['PATCH', '/auth/me/ui-preferences', { navigationFavorites: [] }],
      ['POST', '/categories', { name: 'Pães' }],
      ['DELETE', `/users/${ana.userId}`],
    ] as const) {
      expect(refusal(await evil.call(method, path, body))).toEqual([403, 'CROSS_SITE']);
    }
    expect((await browser.get('/auth/me')).status).toBe(200);
    expect((await evil.get('/auth/me')).status).toBe(200);
  });

  test('a browser without Origin is believed by Sec-Fetch-Site', async () => {
    const browser = await signedIn(world, ana);
    const cookie = `sm_access=${browser.cookie('sm_access') ?? ''}`;
    const ask = (headers: Record<string, string>) =>
      fetch(`${world.url}/auth/presence`, { method: 'POST', headers: { cookie, ...headers } });
    expect((await ask({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await ask({ 'sec-fetch-site': site })).status).toBe(403);
    }
    expect((await ask({})).status).toBe(403);
  });

  test('an API key works, beside cookies too: they do not count then', async () => {
    const browser = await signedIn(world, ana);
    const evil = browser.copy({ origin: 'https://evil.example' });
    const key = { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug };
    expect((await evil.post('/categories', { name: 'De fora' }, key)).status).toBe(201);
    expect((await browser.get('/auth/me', key)).body).toMatchObject({ kind: 'apiKey', email: null, role: null });
    const bad = { authorization: 'Bearer smk_wrong', 'x-store-slug': store.slug };
    for (const authorization of [bad.authorization, 'Basic YTpi', 'Bearer']) {
      expect(refusal(await browser.get('/auth/me', { ...bad, authorization }))).toEqual([401, 'CREDENTIAL_INVALID']);
    }
  });

  test('a key names its store', async () => {
    const authorization = `Bearer ${store.key}`;
    const client = new Browser(world.url);
    for (const headers of [{ authorization }, { authorization, 'x-store-slug': '' }]) {
      expect(refusal(await client.get('/auth/me', headers))).toEqual([400, 'STORE_SLUG_REQUIRED']);
    }
  });
});

describe('too many failures', () => {
  const minutes = (answer: { headers: Headers }) => Number(answer.headers.get('retry-after')) / 60;

  test('lock an account, known or not, alike and ever longer, also with the right password', async () => {
    const ana = await newPerson(world, store);
    const bia = await newPerson(world, store);
    for (const username of [ana.username, 'nobody-at-all']) {
      for (let failed = 0; failed < 5; failed++) {
        expect((await tryLogin(username, 'senha errada 1')).status).toBe(401);
      }
    }
    const locked = async (wait: number) => {
      const known = await tryLogin(ana.username, ana.password);
      const unknown = await tryLogin('nobody-at-all', 'senha errada 1');
      const strip = ({ body }: typeof known) => ({ ...(body as object), requestId: '' });
      expect([refusal(known), minutes(known)]).toEqual([[429, 'TOO_MANY_ATTEMPTS'], wait]);
      expect([strip(unknown), minutes(unknown)]).toEqual([strip(known), wait]);
    };
    await locked(1);
    expect((await login(new Browser(world.url), bia)).status).toBe(200);
    for (const [waited, next] of [
      [1, 2],
      [2, 4],
      [4, 8],
      [8, 15],
      [15, 15],
    ] as const) {
      clock.wait(waited * 60_000);
      for (const username of [ana.username, 'nobody-at-all']) {
        expect((await tryLogin(username, 'senha errada 1')).status).toBe(401);
      }
      await locked(next);
    }
    clock.wait(15 * 60_000);
    expect((await tryLogin(ana.username, ana.password)).status).toBe(200);
  });

  test('count by what was typed, so that nobody learns which address belongs to a name, and are forgotten by a success', async () => {
    const ana = await newPerson(world, store);
    const fail = async (username: string, times: number) => {
      for (let failed = 0; failed < times; failed++) {
        expect((await tryLogin(username, 'senha errada 1')).status).toBe(401);
      }
    };
    await fail(ana.username, 4);
    expect((await login(new Browser(world.url), ana)).status).toBe(200);
    await fail(ana.username, 4);
    await fail(ana.email, 4);
    await fail(ana.username, 1);
    expect((await login(new Browser(world.url), ana)).status).toBe(429);
  });

  test('let no more than five of a hundred guesses at once through', async () => {
    const ana = await newPerson(world, store);
    const guesses = Array.from({ length: 100 }, (_, at) => tryLogin(ana.username, `palpite número ${String(at)}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(95);
  });

  test('lock an address, whatever the names', async () => {
    for (let failed = 0; failed < 20; failed++) {
      expect((await tryLogin(`name-${String(failed)}`, 'senha errada 1')).status).toBe(401);
    }
    const ana = await newPerson(world, store);
    const answer = await login(new Browser(world.url), ana);
    expect([refusal(answer), minutes(answer)]).toEqual([[429, 'TOO_MANY_ATTEMPTS'], 1]);
  });

  test('count against the sender that a proxy names only when the proxy is trusted', async () => {
    const spread = async (at: World) => {
      for (let failed = 0; failed < 20; failed++) {
        const headers = { 'x-forwarded-for': `203.0.113.${String(failed)}` };
        expect((await tryLogin(`n-${String(failed)}`, 'errada', new Browser(at.url, { headers }))).status).toBe(401);
      }
      return tryLogin('n-20', 'errada', new Browser(at.url, { headers: { 'x-forwarded-for': '203.0.113.99' } }));
    };
    expect((await spread(world)).status).toBe(429);
    const behindProxy = await openWorld({ clock, env: { TRUSTED_PROXIES: 'loopback' } });
    try {
      expect((await spread(behindProxy)).status).toBe(401);
      const headers = { 'x-forwarded-for': '198.51.100.7' };
      for (let failed = 0; failed < 20; failed++) {
        await tryLogin(`m-${String(failed)}`, 'errada', new Browser(behindProxy.url, { headers }));
      }
      expect((await tryLogin('m-20', 'errada', new Browser(behindProxy.url, { headers }))).status).toBe(429);
      // What the sender claims beside it does not count.
      const forged = { 'x-forwarded-for': '192.0.2.1, 198.51.100.7' };
      expect((await tryLogin('m-21', 'errada', new Browser(behindProxy.url, { headers: forged }))).status).toBe(429);
    } finally {
      await behindProxy.close();
    }
  });
});

describe('at a public https address', () => {
  const PUBLIC_URL = 'https://shop.example';
  let secure: World;
  beforeAll(async () => {
    secure = await openWorld({ clock, env: { PUBLIC_URL } });
  });
  afterAll(() => secure.close());

  test('cookies are prefixed and secure, and only that address may send them', async () => {
    const ana = await newPerson(secure, await secure.newStore());
    const own = new Browser(secure.url, { origin: PUBLIC_URL });
    const { headers } = await login(own, ana);
    expect(headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'))).toEqual([
      '__Host-sm_access=…; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure',
      '__Secure-sm_refresh=…; Path=/auth; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect((await own.get('/auth/me')).status).toBe(200);
    expect((await own.post('/auth/refresh')).status).toBe(200);
    expect(refusal(await own.copy({ origin: secure.url }).post('/auth/presence'))).toEqual([403, 'CROSS_SITE']);
    const planted = { cookie: `sm_access=${own.cookie('__Host-sm_access') ?? ''}` };
    expect((await new Browser(secure.url).get('/auth/me', planted)).status).toBe(401);
    const cleared = (await own.post('/auth/logout')).headers.getSetCookie();
    expect(cleared).toEqual([
      '__Host-sm_access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      '__Secure-sm_refresh=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
  });
});
