import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { mailedToken, mailsTo, nextMailedToken } from '../support/outbox.js';
import type { Person } from '../support/people.js';
import { SetClock, enroll, expectOk, historyOf, login, newPerson, refusal, signedIn } from '../support/people.js';
import { until } from '../support/until.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** What somebody with rights in one store must not reach: other people's accounts. */

const MINUTE = 60_000;
const clock = new SetClock();

const world = await openWorld({ clock });
afterAll(() => world.close());
const [aurora, leste] = await Promise.all([world.newStore(), world.newStore()]);

let made = 0;
async function addUser(store: StoreClient, more: object = {}): Promise<Person & { readonly id: string }> {
  const username = `gente-${String(++made)}`;
  const person = { username, email: `${username}@casa.example`, password: 'a senha que a loja deu', ...more };
  const { id } = (await expectOk(store.call('POST', '/users', { name: 'Ana', role: 'CASHIER', ...person }))) as {
    id: string;
  };
  return { id, userId: id, ...person };
}
const browse = () => new Browser(world.url);
const accept = (token: string, password?: string) =>
  browse().post('/users/invitations/accept', { token, ...(password === undefined ? {} : { password }) });
const confirm = (token: string) => browse().post('/auth/email-verifications/confirm', { token });
const nextMail = ({ email }: { readonly email: string }, act: () => Promise<unknown>) =>
  nextMailedToken(world, clock, email, act);

describe('an address that nobody proved', () => {
  test('gives its account no way into the store that invites it: whoever reads the mail takes the account over', async () => {
    const planted = await addUser(aurora);
    const thief = await signedIn(world, planted);
    await enroll(thief, clock);
    const token = await nextMail(planted, () => addUser(leste, { email: planted.email, password: 'outra senha dada' }));
    expect(refusal(await accept(token))).toEqual([400, 'PASSWORD_UNFIT']);
    expect(refusal(await accept(token, 'curta'))).toEqual([400, 'INVALID_INPUT']);
    const own = { ...planted, password: 'só eu sei desta' };
    await expectOk(accept(token, own.password));
    expect((await thief.get('/auth/me')).status).toBe(401);
    expect((await thief.post('/auth/refresh')).status).toBe(401);
    expect(refusal(await login(browse(), planted))).toEqual([401, 'SIGN_IN_REFUSED']);
    const me = await signedIn(world, own);
    expect(await expectOk(me.get('/auth/my-stores'))).toHaveLength(2);
    expect(await historyOf(world, planted)).toEqual(expect.arrayContaining(['AddressProved', 'TwoFactorDisabled']));
    expect(refusal(await accept(token, own.password))).toEqual([400, 'TOKEN_INVALID']);
    const reset = await aurora.call('PATCH', `/users/${planted.id}`, { password: 'de novo a da loja' });
    expect(refusal(reset)).toEqual([403, 'ACCOUNT_OF_ITS_HOLDER']);
  });

  test('that a holder claimed opens nothing either', async () => {
    const thief = await addUser(aurora);
    const email = `vitima-${randomUUID()}@casa.example`;
    const session = await signedIn(world, thief);
    await expectOk(session.call('PATCH', '/auth/me', { email, currentPassword: thief.password }));
    expect(refusal(await login(browse(), { ...thief, username: email }))).toEqual([401, 'SIGN_IN_REFUSED']);
    await expectOk(browse().post('/auth/forgot-password', { email }));
    const token = await nextMail({ email }, () => addUser(leste, { email }));
    const subjects = (await mailsTo(world.dataDir, email)).map(({ headers }) => headers.get('subject'));
    expect(subjects).not.toContain('Redefinição de senha');
    expect(refusal(await accept(token))).toEqual([400, 'PASSWORD_UNFIT']);
    await expectOk(accept(token, 'a senha de quem lê'));
    expect((await session.get('/auth/me')).status).toBe(401);
  });

  test('is proved by the token that went there, once, while it is the address', async () => {
    const ana = await addUser(aurora);
    const first = await mailedToken(world.dataDir, ana.email);
    const session = await signedIn(world, ana);
    const second = await nextMail(ana, () => expectOk(session.post('/auth/email-verifications')));
    const links = (await mailsTo(world.dataDir, ana.email)).map(({ text }) => /http\S+(?=#token=)/.exec(text)?.[0]);
    expect(links).toEqual(links.map(() => `${world.url}/console/confirm-email`));
    expect(refusal(await confirm(first))).toEqual([400, 'TOKEN_INVALID']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(second)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await signedIn(world, { ...ana, username: ana.email });
    await expectOk(session.post('/auth/email-verifications'));
    const email = `nova-${ana.email}`;
    const third = await nextMail({ email }, () =>
      expectOk(session.call('PATCH', '/auth/me', { email, currentPassword: ana.password })),
    );
    await expectOk(session.call('PATCH', '/auth/me', { email: ana.email, currentPassword: ana.password }));
    expect(refusal(await confirm(third))).toEqual([400, 'TOKEN_INVALID']);
    expect(refusal(await login(browse(), { ...ana, username: ana.email }))).toEqual([401, 'SIGN_IN_REFUSED']);
    expect(refusal(await confirm('x'.repeat(43)))).toEqual([400, 'TOKEN_INVALID']);
  });

  test('has a token that is too old after a day', async () => {
    const ana = await addUser(aurora);
    const token = await mailedToken(world.dataDir, ana.email);
    clock.wait(24 * 60 * MINUTE);
    expect(refusal(await confirm(token))).toEqual([400, 'TOKEN_INVALID']);
  });

  test('shows nobody whether it was known: the password just given never signs in by it', async () => {
    const known = await newPerson(world, leste);
    for (const email of [known.email, `livre-${randomUUID()}@casa.example`]) {
      const user = await addUser(aurora, { email });
      expect(refusal(await login(browse(), { ...user, username: email }))).toEqual([401, 'SIGN_IN_REFUSED']);
      await signedIn(world, user);
    }
  });

  test('given on the command line is proved', async () => {
    const ana = await newPerson(world, aurora);
    await signedIn(world, { ...ana, username: ana.email });
    expect(await mailsTo(world.dataDir, ana.email)).toEqual([]);
  });
});

test('a proved account keeps its password when it accepts', async () => {
  const ana = await newPerson(world, aurora);
  const token = await nextMail(ana, () => addUser(leste, { email: ana.email }));
  expect(refusal(await accept(token, 'uma senha qualquer'))).toEqual([400, 'PASSWORD_UNFIT']);
  await expectOk(accept(token));
  await signedIn(world, ana);
});

test('adding somebody again and again does not fill their mailbox', async () => {
  const ana = await newPerson(world, aurora);
  for (let round = 0; round < 8; round++) {
    const { id } = await addUser(leste, { email: ana.email });
    await expectOk(leste.call('DELETE', `/users/${id}`));
  }
  await expectOk(browse().post('/auth/forgot-password', { email: ana.email }));
  const bia = await newPerson(world, aurora);
  await nextMail(bia, () => addUser(leste, { email: bia.email }));
  expect(await mailsTo(world.dataDir, ana.email)).toHaveLength(5);
});

describe('a manager', () => {
  test('neither changes, resets nor removes who may do more', async () => {
    const store = await world.newStore();
    const owner = await newPerson(world, store);
    await newPerson(world, store);
    const manager = await signedIn(world, await newPerson(world, store, 'MANAGER'));
    const path = `/users/${owner.userId}`;
    for (const change of [
      { role: 'CASHIER' },
      { active: false },
      { permissions: [] },
      { password: 'agora é minha' },
      { name: 'X' },
    ]) {
      expect(refusal(await manager.call('PATCH', path, change))).toEqual([403, 'PERMISSION_NOT_YOURS']);
    }
    expect(refusal(await manager.call('DELETE', path))).toEqual([403, 'PERMISSION_NOT_YOURS']);
    const cashier = await newPerson(world, store, 'CASHIER');
    await expectOk(manager.call('PATCH', `/users/${cashier.userId}`, { password: 'senha nova da casa' }));
    await expectOk(manager.call('DELETE', `/users/${cashier.userId}`));
  });

  test('with every permission still does not reach the last owner, who reaches everybody', async () => {
    const store = await world.newStore();
    const owner = await newPerson(world, store);
    const other = await addUser(store, { role: 'MANAGER', permissions: await allPermissions(store) });
    const session = await signedIn(world, other);
    const path = `/users/${owner.userId}`;
    for (const change of [{ role: 'CASHIER' }, { active: false }, { password: 'agora é minha' }]) {
      expect(refusal(await session.call('PATCH', path, change))).toEqual([403, 'LAST_OWNER']);
      expect(refusal(await store.call('PATCH', path, change))).toEqual([403, 'LAST_OWNER']);
    }
    expect(refusal(await session.call('DELETE', path))).toEqual([403, 'LAST_OWNER']);
    const second = await newPerson(world, store);
    await expectOk(session.call('DELETE', `/users/${second.userId}`));
    const own = await signedIn(world, owner);
    await expectOk(own.call('DELETE', `/users/${other.id}`));
  });
});

describe('a manager with every permission becomes no owner', () => {
  const takingOver = async () => {
    const store = await world.newStore();
    const [owner, second] = [await newPerson(world, store), await newPerson(world, store)];
    const permissions = await allPermissions(store);
    const manager = await addUser(store, { role: 'MANAGER', permissions });
    return { store, owner, second, permissions, manager, session: await signedIn(world, manager) };
  };

  test('by a key of their own', async () => {
    const { permissions, session } = await takingOver();
    const made = (some: readonly string[]) => session.post('/api-keys', { name: 'Tudo', permissions: some });
    expect(refusal(await made(permissions))).toEqual([403, 'OWNERS_MAKE_OWNERS']);
    await expectOk(made(permissions.slice(1)));
  });

  test('by the account of another owner, active or not', async () => {
    const { store, second, session } = await takingOver();
    const planned = await addUser(store, { role: 'OWNER' });
    for (const { userId } of [second, planned]) {
      for (const change of [{ password: 'agora é minha' }, { email: `minha-${randomUUID()}@casa.example` }]) {
        const refused = [403, 'OWNERS_MAKE_OWNERS'];
        expect(refusal(await session.call('PATCH', `/users/${userId}`, change))).toEqual(refused);
      }
    }
    const path = `/users/${planned.userId}`;
    await expectOk(session.call('PATCH', path, { active: false }));
    expect(refusal(await session.call('PATCH', path, { password: 'agora é minha' }))).toEqual([
      403,
      'OWNERS_MAKE_OWNERS',
    ]);
    expect(refusal(await session.call('PATCH', path, { active: true }))).toEqual([403, 'OWNERS_MAKE_OWNERS']);
  });
});

const allPermissions = async (store: StoreClient): Promise<readonly string[]> => {
  const groups = (await expectOk(store.call('GET', '/auth/permissions/catalog'))) as {
    permissions: { name: string }[];
  }[];
  return groups.flatMap(({ permissions }) => permissions.map(({ name }) => name));
};

describe('tries of a password', () => {
  test('under one name say nothing of another name of the account, nor does an id use them up', async () => {
    const ana = await newPerson(world, aurora);
    const wrong = (username: string) => login(browse(), { ...ana, username, password: 'errada' });
    for (let tries = 0; tries < 5; tries++) {
      await wrong(ana.userId);
      await wrong(ana.username);
    }
    expect(refusal(await wrong(ana.username))).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(refusal(await wrong(ana.email))).toEqual([401, 'SIGN_IN_REFUSED']);
    clock.wait(30 * MINUTE);
    for (let tries = 0; tries < 5; tries++) await wrong(ana.userId);
    await signedIn(world, ana);
    clock.wait(30 * MINUTE);
  });

  test('of a blocked address or name cost no write', async () => {
    const ana = await newPerson(world, aurora);
    const { vault } = world.service.core.engines;
    const write = vault.write.bind(vault);
    let written: string[] = [];
    vault.write = (rows) => {
      written.push(...rows.map(({ kind }) => kind));
      return write(rows);
    };
    // The service writes rows of its own meanwhile: leases, checkpoints, when keys were last used.
    const bySignIns = () => written.filter((kind) => ['throttle', 'session', 'password', 'presence'].includes(kind));
    try {
      for (let tries = 0; tries < 5; tries++) await login(browse(), { ...ana, password: 'errada' });
      expect(new Set(bySignIns())).toEqual(new Set(['throttle']));
      written = [];
      for (let tries = 0; tries < 10; tries++) expect((await login(browse(), ana)).status).toBe(429);
      expect(bySignIns()).toEqual([]);
    } finally {
      vault.write = write;
    }
    clock.wait(30 * MINUTE);
  });
});

describe('sessions', () => {
  interface Listed {
    readonly id: string;
    readonly createdAt: string;
    readonly lastSeenAt: string;
    readonly userAgent: string | null;
    readonly current: boolean;
  }
  const listed = async (browser: Browser) =>
    ((await expectOk(browser.get('/auth/sessions'))) as { items: Listed[] }).items;

  test('are listed, and ended one by one or all but this', async () => {
    const ana = await newPerson(world, aurora);
    const [phone, desk, till] = [
      await signedIn(world, ana, { headers: { 'user-agent': 'Celular' } }),
      await signedIn(world, ana, { headers: { 'user-agent': 'x'.repeat(500) } }),
      await signedIn(world, ana),
    ];
    const stranger = await signedIn(world, await newPerson(world, aurora));
    const items = await listed(phone);
    expect(items).toHaveLength(3);
    expect(items.filter(({ current }) => current)).toEqual([
      {
        id: expect.any(String),
        createdAt: new Date(clock.now()).toISOString(),
        lastSeenAt: new Date(clock.now()).toISOString(),
        userAgent: 'Celular',
        current: true,
      },
    ]);
    expect(Math.max(...items.map(({ userAgent }) => userAgent?.length ?? 0))).toBe(200);
    const [desks] = (await listed(desk)).filter(({ current }) => current);
    const path = `/auth/sessions/${desks?.id ?? ''}`;
    expect(refusal(await stranger.call('DELETE', path))).toEqual([404, 'NOT_FOUND']);
    expect((await phone.call('DELETE', path)).status).toBe(204);
    expect((await desk.get('/auth/me')).status).toBe(401);
    expect((await phone.call('DELETE', path)).status).toBe(404);
    expect((await phone.call('DELETE', '/auth/sessions')).status).toBe(204);
    expect((await till.get('/auth/me')).status).toBe(401);
    expect((await till.post('/auth/refresh')).status).toBe(401);
    expect(await listed(phone)).toHaveLength(1);
    expect((await stranger.get('/auth/me')).status).toBe(200);
    expect(refusal(await aurora.call('GET', '/auth/sessions'))).toEqual([403, 'SESSION_ONLY']);
  });

  test('end 90 days after the sign-in, however often they are renewed and switched', async () => {
    const ana = await newPerson(world, aurora);
    const browser = await signedIn(world, ana);
    const DAY = 24 * 60 * MINUTE;
    for (let days = 0; days < 80; days += 20) {
      await expectOk(browser.post('/auth/refresh'));
      await expectOk(browser.post('/auth/switch-store', { storeSlug: aurora.slug }));
      clock.wait(20 * DAY);
    }
    await expectOk(browser.post('/auth/refresh'));
    clock.wait(10 * DAY - 5 * MINUTE);
    await expectOk(browser.post('/auth/refresh'));
    expect((await browser.get('/auth/me')).status).toBe(200);
    clock.wait(5 * MINUTE);
    expect((await browser.get('/auth/me')).status).toBe(401);
    expect((await browser.post('/auth/refresh')).status).toBe(401);
    await until('a new sign-in works', async () => (await login(browse(), ana)).status === 200);
  });
});
