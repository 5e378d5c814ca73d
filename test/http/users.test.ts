import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { PERMISSIONS } from '../../src/features/permissions.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { newPerson } from '../support/people.js';
import { mailedToken, mailsTo } from '../support/outbox.js';
import { until } from '../support/until.js';
import { callService, openWorld } from '../support/world.js';

let ahead = 0;

const world = await openWorld({ clock: systemClock(() => Date.now() + ahead) });
afterAll(() => world.close());
const [store, other] = await Promise.all([world.newStore(), world.newStore()]);

interface User {
  readonly id: string;
  readonly username: string;
  readonly etag: string;
}

let made = 0;
const body = (more: object = {}) => {
  const username = `pessoa${String(++made)}`;
  const email = `${username}@casa.example`;
  return { username, email, name: 'Ana Lima', password: 'uma senha bem boa', role: 'CASHIER', ...more };
};
async function create(more: object = {}, client = store): Promise<User> {
  const answer = await client.call('POST', '/users', body(more));
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return { ...(answer.body as User), etag: answer.headers.get('etag') ?? '' };
}
const codeOf = ({ status, body: problem }: { status: number; body: unknown }) => [
  status,
  (problem as { code?: string } | undefined)?.code,
];
const login = (username: string, password: string) =>
  callService(`${world.url}/auth/login`, 'POST', { username, password }, { origin: world.url });

async function prove(email: string): Promise<void> {
  const token = await mailedToken(world.dataDir, email);
  const answer = await callService(`${world.url}/auth/email-verifications/confirm`, 'POST', { token }, {});
  expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
}

async function signedIn(username: string, password: string) {
  const { headers } = await login(username, password);
  const cookie = headers.getSetCookie().map((one) => one.split(';')[0]);
  return (method: string, path: string, sent?: unknown) =>
    callService(world.url + path, method, sent, { cookie: cookie.join('; '), origin: world.url });
}

describe('/users', () => {
  test('gives what was created, at once, alone and in the list', async () => {
    const wanted = body({ permissions: ['sales.view', 'products.view'] });
    const { status, body: user, headers } = await store.call('POST', '/users', wanted);
    expect(status).toBe(201);
    const { id } = user as User;
    expect(user).toEqual({
      id,
      username: wanted.username,
      email: wanted.email,
      name: 'Ana Lima',
      role: 'CASHIER',
      permissions: ['products.view', 'sales.view'],
      customPermissions: ['products.view', 'sales.view'],
      active: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      lastSeenAt: null,
      online: false,
    });
    const alone = await store.call('GET', `/users/${id}`);
    expect(alone.body).toEqual(user);
    expect(alone.headers.get('etag')).toBe(headers.get('etag'));
    const list = await store.call('GET', '/users?limit=200');
    expect((list.body as { items: unknown[] }).items).toContainEqual(user);
  });

  test('pages by cursor', async () => {
    const lone = await world.newStore();
    const ids = [(await create({}, lone)).id, (await create({}, lone)).id, (await create({}, lone)).id];
    const first = (await lone.call('GET', '/users?limit=2')).body as { items: User[]; nextCursor: string };
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await lone.call('GET', `/users?limit=2&cursor=${first.nextCursor}`);
    expect(second.body).toMatchObject({ items: [{ id: ids[2] }], nextCursor: null });
    expect((await lone.call('GET', '/users?cursor=abc')).status).toBe(400);
    expect((await lone.call('GET', '/users?limit=201')).status).toBe(400);
    const { createdAt } = (await lone.call('GET', `/users/${ids[1] ?? ''}`)).body as { createdAt: string };
    const between = await lone.call('GET', `/users?from=${createdAt}&to=${createdAt}`);
    expect((between.body as { items: User[] }).items.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await lone.call('GET', '/users?to=2020-12-31')).body).toEqual({ items: [], nextCursor: null });
    expect((await lone.call('GET', '/api-keys?from=2020-12-31')).body).toMatchObject({ items: [{ name: 'Teste' }] });
    expect((await lone.call('GET', '/api-keys?from=ontem')).status).toBe(400);
  });

  test('lets the new user sign in by user name, and by the e-mail address once it is proved', async () => {
    const { username } = await create();
    const email = `${username}@casa.example`;
    expect(codeOf(await login(email, 'uma senha bem boa'))).toEqual([401, 'SIGN_IN_REFUSED']);
    await prove(email);
    for (const name of [username.toUpperCase(), email]) {
      const answer = await login(name, 'uma senha bem boa');
      expect([answer.status, answer.body]).toMatchObject([200, { storeSlug: store.slug, user: { username } }]);
    }
  });

  test('changes rights and profile, and says when', async () => {
    const { id, etag } = await create();
    const changed = await store.call('PATCH', `/users/${id}`, { role: 'BAKER', name: 'Bia', permissions: null });
    expect(changed.body).toMatchObject({ role: 'BAKER', name: 'Bia', customPermissions: null });
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect((await store.call('GET', `/users/${id}`)).body).toEqual(changed.body);
    const same = await store.call('PATCH', `/users/${id}`, {});
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  test('changes and deletes only the record that was seen', async () => {
    const { id, etag } = await create();
    const renamed = await store.call('PATCH', `/users/${id}`, { name: 'B' }, { 'if-match': etag });
    expect(renamed.status).toBe(200);
    for (const change of [{ name: 'C' }, { role: 'BAKER' }, { password: 'outra senha boa' }]) {
      const stale = await store.call('PATCH', `/users/${id}`, change, { 'if-match': etag });
      expect(stale.status).toBe(412);
    }
    expect((await store.call('DELETE', `/users/${id}`, undefined, { 'if-match': etag })).status).toBe(412);
    const current = renamed.headers.get('etag') ?? '';
    expect((await store.call('DELETE', `/users/${id}`, undefined, { 'if-match': current })).status).toBe(204);
    expect((await store.call('GET', `/users/${id}`)).status).toBe(404);
  });

  test('changes once for 50 changes with one tag', async () => {
    const { id, etag } = await create();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.call('PATCH', `/users/${id}`, { name: `N${String(index)}` }, { 'if-match': etag }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49);
  });

  test('keeps the last one who can manage users', async () => {
    const lone = await world.newStore();
    const { id } = await create({ role: 'OWNER' }, lone);
    for (const change of [{ active: false }, { role: 'CASHIER' }, { permissions: ['sales.view'] }]) {
      expect(codeOf(await lone.call('PATCH', `/users/${id}`, change))).toEqual([409, 'LAST_ADMINISTRATOR']);
    }
    expect(codeOf(await lone.call('DELETE', `/users/${id}`))).toEqual([409, 'LAST_ADMINISTRATOR']);
    await create({ role: 'OWNER' }, lone);
    expect((await lone.call('DELETE', `/users/${id}`)).status).toBe(204);
  });

  test('lets nobody grant what they lack', async () => {
    const few = await world.newKey(store.slug, 'users.manage,sales.view');
    expect(codeOf(await few.call('POST', '/users', body()))).toEqual([403, 'PERMISSION_NOT_YOURS']);
    const { id } = await create({ permissions: ['sales.view'] }, few);
    const more = await few.call('PATCH', `/users/${id}`, { permissions: ['audit.view'] });
    expect(codeOf(more)).toEqual([403, 'PERMISSION_NOT_YOURS']);
    const owner = await create({ role: 'OWNER' });
    const takeOver = await few.call('PATCH', `/users/${owner.id}`, { password: 'uma senha alheia' });
    expect(codeOf(takeOver)).toEqual([403, 'PERMISSION_NOT_YOURS']);
  });

  test('ends what a user may do at once', async () => {
    const { id, username } = await create({ permissions: ['products.view', 'users.manage'] });
    await create({ role: 'OWNER' });
    const { headers } = await login(username, 'uma senha bem boa');
    const cookie = headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const asUser = () => callService(`${world.url}/users`, 'GET', undefined, { cookie });
    expect((await asUser()).status).toBe(200);
    await store.call('PATCH', `/users/${id}`, { permissions: ['products.view'] });
    expect(codeOf(await asUser())).toEqual([403, 'PERMISSION_DENIED']);
    await store.call('PATCH', `/users/${id}`, { active: false });
    expect((await asUser()).status).toBe(401);
  });

  test.each([
    ['username', 'ab'],
    ['username', 'a'.repeat(41)],
    ['username', 'com espaço'],
    ['email', 'nada'],
    ['email', `${'a'.repeat(250)}@casa.example`],
    ['name', ''],
    ['name', 'a'.repeat(121)],
    ['password', 'curta'],
    ['password', 'a'.repeat(73)],
    ['password', 'password123'],
    ['role', 'KING'],
    ['permissions', ['sales.view', 'sales.view']],
    ['permissions', ['tudo']],
    ['active', true],
    ['unknown', 1],
  ])('refuses %s %j', async (member, value) => {
    const answer = await store.call('POST', '/users', body({ [member]: value }));
    expect(answer.status).toBe(400);
    const { errors } = answer.body as { errors: { path: string }[] };
    expect(errors.every(({ path }) => path.startsWith(member))).toBe(true);
  });

  test('refuses a user name or e-mail address that is taken', async () => {
    const { username } = await create();
    const sameName = body({ username: username.toUpperCase() });
    expect(codeOf(await store.call('POST', '/users', sameName))).toEqual([409, 'USERNAME_TAKEN']);
    expect(codeOf(await other.call('POST', '/users', sameName))).toEqual([409, 'USERNAME_TAKEN']);
    const sameAddress = body({ email: `${username}@CASA.example` });
    expect(codeOf(await store.call('POST', '/users', sameAddress))).toEqual([409, 'USERNAME_TAKEN']);
  });

  test('knows nothing of another store', async () => {
    const { id } = await create();
    for (const [method, change] of [['GET'], ['PATCH', { name: 'X' }], ['DELETE']] as const) {
      const foreign = await other.call(method, `/users/${id}`, change);
      const unknown = await other.call(method, '/users/019a9f3e-5c00-7a10-8b20-1c2d3e4f5a6b', change);
      expect(codeOf(foreign)).toEqual(codeOf(unknown));
      expect(foreign.status).toBe(404);
    }
  });
});

describe('an invitation', () => {
  test('looks like a new user, and joins the account when its holder accepts', async () => {
    const maria = await newPerson(world, other);
    const { email } = maria;
    const invited = await store.call('POST', '/users', body({ email }));
    const fresh = await store.call('POST', '/users', body());
    expect(invited.status).toBe(201);
    expect(Object.keys(invited.body as object)).toEqual(Object.keys(fresh.body as object));
    const { id } = invited.body as User;
    const token = await mailedToken(world.dataDir, email);
    const [mail] = await mailsTo(world.dataDir, email);
    expect(mail?.headers.get('subject')).toContain('Loja');

    const accept = (sent: string) => callService(`${world.url}/users/invitations/accept`, 'POST', { token: sent }, {});
    expect(codeOf(await accept('x'.repeat(43)))).toEqual([400, 'TOKEN_INVALID']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token)));
    expect(answers.filter(({ status }) => status === 200).map(({ body: joined }) => joined as unknown)).toEqual([
      { storeSlug: store.slug, storeName: expect.any(String) },
    ]);
    expect(codeOf(await accept(token))).toEqual([400, 'TOKEN_INVALID']);

    const joined = await store.call('GET', `/users/${id}`);
    expect(joined.body).toMatchObject({ id, username: maria.username, role: 'CASHIER' });
    const mine = await store.call('PATCH', `/users/${id}`, { name: 'X' });
    expect(codeOf(mine)).toEqual([403, 'ACCOUNT_OF_ITS_HOLDER']);
    expect((await store.call('PATCH', `/users/${id}`, { role: 'BAKER' })).status).toBe(200);

    const { headers } = await login(maria.username, maria.password);
    const cookie = headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const stores = await callService(`${world.url}/auth/my-stores`, 'GET', undefined, { cookie });
    expect((stores.body as { slug: string }[]).map(({ slug }) => slug)).toEqual([other.slug, store.slug]);
  });

  test('is too old after seven days', async () => {
    const { email } = await newPerson(world, other);
    await create({ email });
    const token = await mailedToken(world.dataDir, email);
    ahead += 7 * 24 * 3_600_000;
    const answer = await callService(`${world.url}/users/invitations/accept`, 'POST', { token }, {});
    expect(codeOf(answer)).toEqual([400, 'TOKEN_INVALID']);
  });
});

describe('the holder of an account', () => {
  test('changes their own name, and the rest with their password', async () => {
    const { username } = await create();
    const me = await signedIn(username, 'uma senha bem boa');
    const beside = await signedIn(username, 'uma senha bem boa');
    expect((await me('PATCH', '/auth/me', { name: 'Ana' })).body).toMatchObject({ name: 'Ana', username });
    const currentPassword = 'uma senha bem boa';
    const email = `${username}.nova@casa.example`;
    expect((await me('PATCH', '/auth/me', { email })).status).toBe(400);
    const wrong = await me('PATCH', '/auth/me', { email, currentPassword: 'não é esta' });
    expect(codeOf(wrong)).toEqual([401, 'PASSWORD_WRONG']);
    expect((await me('PATCH', '/auth/me', { email, currentPassword })).body).toMatchObject({ email });

    const changed = await me('PATCH', '/auth/me', { password: 'outra senha boa', currentPassword });
    expect(changed.status).toBe(200);
    const renewed = changed.headers.getSetCookie().map((one) => one.split(';')[0]);
    const again = await callService(`${world.url}/auth/me`, 'GET', undefined, { cookie: renewed.join('; ') });
    expect(again.body).toMatchObject({ email });
    expect((await beside('GET', '/auth/me')).status).toBe(401);
    expect((await login(username, currentPassword)).status).toBe(401);
    expect((await login(email, 'outra senha boa')).status).toBe(401);
    await prove(email);
    expect((await login(email, 'outra senha boa')).status).toBe(200);
  });

  test('takes no name of another, nor their e-mail address', async () => {
    const { username } = await create();
    const me = await signedIn((await create()).username, 'uma senha bem boa');
    for (const taken of [{ username }, { email: `${username}@casa.example` }]) {
      const answer = await me('PATCH', '/auth/me', { ...taken, currentPassword: 'uma senha bem boa' });
      expect(codeOf(answer)).toEqual([409, 'USERNAME_TAKEN']);
    }
    await world.service.core.mail.idle();
    expect(await mailsTo(world.dataDir, `${username}@casa.example`)).toHaveLength(1); // at its own making
  });
});

test('a store makes so many mails leave in an hour, whoever they go to', async () => {
  const busy = await world.newStore();
  const { id } = await create({}, busy);
  for (let sent = 0; sent < 110; sent++) {
    const { status } = await busy.call('PATCH', `/users/${id}`, { email: `estranho${String(sent)}@longe.example` });
    expect(status).toBe(200);
  }
  await create({ email: 'calma@longe.example' }, other);
  await world.service.core.mail.idle();
  expect(await mailsTo(world.dataDir, '@longe.example')).toHaveLength(99 + 1); // one went at its making
  ahead += 3_600_000;
  await busy.call('PATCH', `/users/${id}`, { email: 'depois@longe.example' });
  await mailedToken(world.dataDir, 'depois@longe.example');
});

describe('/api-keys', () => {
  const newKey = async (more: object = {}, client = store) => {
    const answer = await client.call('POST', '/api-keys', { name: 'PDV', ...more });
    expect(answer.status).toBe(201);
    return answer.body as { id: string; key: string; permissions: string[]; expiresAt: string | null };
  };
  const tryKey = (key: string, path = '/categories') =>
    callService(world.url + path, 'GET', undefined, { authorization: `Bearer ${key}`, 'x-store-slug': store.slug });

  test('gives the key once, and one that works', async () => {
    const { key, ...record } = await newKey();
    expect(record).toMatchObject({ name: 'PDV', expiresAt: null, lastUsedAt: null });
    expect((await tryKey(key)).status).toBe(200);
    const listed = async () => {
      const { body: list, text } = await store.call('GET', '/api-keys?limit=200');
      expect(text).not.toContain(key);
      const { items } = list as { items: { id: string; lastUsedAt: string | null }[] };
      return items.find(({ id }) => id === record.id);
    };
    await until('the use is written', async () => (await listed())?.lastUsedAt !== null);
    expect(await listed()).toEqual({ ...record, lastUsedAt: expect.stringMatching(/:00\.000Z$/) });
  });

  test('says who made it, also once that is no member any more', async () => {
    const { id, username } = await create({ permissions: ['products.view', 'apiKeys.manage'] });
    const me = await signedIn(username, 'uma senha bem boa');
    const { body: made } = await me('POST', '/api-keys', { name: 'Balança' });
    expect((await store.call('DELETE', `/users/${id}`)).status).toBe(204);
    const { items } = (await store.call('GET', '/api-keys?limit=200')).body as { items: { id: string }[] };
    const createdBy = { kind: 'user', id, name: 'Ana Lima' };
    expect(items.find((key) => key.id === (made as { id: string }).id)).toMatchObject({ createdBy });
  });

  test('gives sales, stock, registers and production, unless told otherwise', async () => {
    const usual = await newKey();
    expect(usual.permissions).toContain('sales.manage');
    const never = /^(fiscal|users|apiKeys|audit|store|production\.(costs|reverse))/;
    expect(usual.permissions.filter((one) => never.test(one))).toEqual([]);
    expect((await newKey({ permissions: ['fiscal.view'] })).permissions).toEqual(['fiscal.view']);
    const few = await world.newKey(store.slug, 'apiKeys.manage,sales.view');
    expect((await newKey({}, few)).permissions).toEqual(['sales.view']);
    const more = await few.call('POST', '/api-keys', { name: 'x', permissions: ['audit.view'] });
    expect(codeOf(more)).toEqual([403, 'PERMISSION_NOT_YOURS']);
  });

  test('is forgotten in one write with the fact that it is revoked', async () => {
    const { id } = await newKey();
    const { vault } = world.service.core.engines;
    const write = vault.write.bind(vault);
    const crashing = jest
      .spyOn(vault, 'write')
      .mockImplementation((rows) =>
        rows.some(({ kind }) => kind === 'api-key') ? Promise.reject(new Error('crashed')) : write(rows),
      );
    const revoked = await store.call('DELETE', `/api-keys/${id}`);
    crashing.mockRestore();
    expect([revoked.status, await vault.get('api-key', id)]).toEqual([204, undefined]);
  });

  test('works no longer from the request after its revocation', async () => {
    const { id, key } = await newKey();
    expect((await tryKey(key)).status).toBe(200);
    expect((await store.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect((await tryKey(key)).status).toBe(401);
    expect((await store.call('DELETE', `/api-keys/${id}`)).status).toBe(404);
  });

  test('ends when it said', async () => {
    const expiresAt = new Date(Date.now() + ahead + 60_000).toISOString();
    const { key } = await newKey({ expiresAt });
    expect((await tryKey(key)).status).toBe(200);
    ahead += 60_000;
    expect((await tryKey(key)).status).toBe(401);
  });

  test('ends with the day that it said, as the store counts days', async () => {
    expect((await newKey({ expiresAt: '2030-06-30' })).expiresAt).toBe('2030-07-01T03:00:00.000Z');
    expect((await newKey({ expiresAt: null })).expiresAt).toBeNull();
    const past = await store.call('POST', '/api-keys', { name: 'x', expiresAt: '2020-01-01' });
    expect(codeOf(past)).toEqual([400, 'EXPIRY_PASSED']);
  });

  test('is unknown to another store', async () => {
    const { id, key } = await newKey();
    expect((await other.call('DELETE', `/api-keys/${id}`)).status).toBe(404);
    expect((await tryKey(key)).status).toBe(200);
  });

  test('is revoked only as it was seen', async () => {
    const { id } = await newKey();
    expect((await store.call('DELETE', `/api-keys/${id}`, undefined, { 'if-match': '"0"' })).status).toBe(412);
  });

  test.each([
    ['name', ''],
    ['name', 'a'.repeat(121)],
    ['permissions', ['sales.view', 'sales.view']],
    ['permissions', 'all'],
    ['expiresAt', '2020-01-01T00:00:00Z'],
    ['expiresAt', 'amanhã'],
  ])('refuses %s %j', async (member, value) => {
    const answer = await store.call('POST', '/api-keys', { name: 'x', [member]: value });
    expect([answer.status, (answer.body as { errors: { path: string }[] }).errors[0]?.path]).toEqual([
      400,
      expect.stringContaining(member),
    ]);
  });
});

describe('/store', () => {
  test('is shown and changed', async () => {
    const before = await other.call('GET', '/store');
    expect(before.body).toMatchObject({ id: other.storeId, slug: other.slug, taxId: null, segment: 'RETAIL' });
    const etag = before.headers.get('etag') ?? '';
    const changes = { taxId: '12.abc.345/01de-35', modules: { orders: true }, timeZone: 'America/Manaus' };
    const after = await other.call('PATCH', '/store', changes, { 'if-match': etag });
    expect(after.body).toEqual({
      ...(before.body as object),
      taxId: '12ABC34501DE35',
      timeZone: 'America/Manaus',
      modules: { production: false, scaleCode: true, orders: true },
    });
    expect((await other.call('GET', '/store')).body).toEqual(after.body);
    expect((await other.call('PATCH', '/store', { tradeName: 'X' }, { 'if-match': etag })).status).toBe(412);
    expect((await other.call('PATCH', '/store', { taxId: null })).body).toMatchObject({ taxId: null });
  });

  test.each([
    ['taxId', '11222333000182'],
    ['segment', 'FARM'],
    ['activityCode', '123'],
    ['timeZone', 'Mars/Olympus'],
    ['modules', { flying: true }],
    ['plan', { name: 'api' }],
    ['slug', 'x'],
    ['tradeName', ''],
  ])('refuses %s %j', async (member, value) => {
    expect((await store.call('PATCH', '/store', { [member]: value })).status).toBe(400);
  });

  test('shuts its keys out while its plan has no API', async () => {
    const client = await world.newStore();
    const { administration } = world.service.core;
    await administration.setPlan({ store: client.slug, plan: 'basic' });
    expect(codeOf(await client.call('GET', '/store'))).toEqual([403, 'PLAN_WITHOUT_API']);
    await administration.setPlan({ store: client.slug, plan: 'api' });
    expect((await client.call('GET', '/store')).body).toMatchObject({ plan: { name: 'api', apiAccess: true } });
  });
});

describe('permissions', () => {
  test('are all in the catalogue, once, with words', async () => {
    const { body: groups } = await store.call('GET', '/auth/permissions/catalog');
    const entries = (groups as { permissions: { name: string; label: string; description: string }[] }[]).flatMap(
      ({ permissions }) => permissions,
    );
    expect(entries.map(({ name }) => name).sort()).toEqual([...PERMISSIONS].sort());
    expect(entries.every(({ label, description }) => label !== '' && description !== '')).toBe(true);
  });

  test('are told in English to who asks for it', async () => {
    const labelsIn = async (language: string) => {
      const asked = { 'accept-language': language };
      const { body } = await store.call('GET', '/auth/permissions/catalog', undefined, asked);
      const [{ label, permissions } = { label: '', permissions: [] }] = body as {
        label: string;
        permissions: { label: string }[];
      }[];
      return [label, permissions[0]?.label];
    };
    expect(await labelsIn('en-US,en;q=0.9')).toEqual(['Catalogue', 'See products']);
    expect(await labelsIn('pt-BR, en;q=0.5')).toEqual(['Catálogo', 'Ver produtos']);
  });

  test('say which roles have them', async () => {
    const { body: groups } = await store.call('GET', '/auth/permissions/catalog');
    const entries = (groups as { permissions: { name: string; roles: string[] }[] }[]).flatMap(
      ({ permissions }) => permissions,
    );
    const rolesOf = (wanted: string) => entries.find(({ name }) => name === wanted)?.roles;
    expect(rolesOf('sales.manage')).toEqual(['OWNER', 'MANAGER', 'CASHIER']);
    expect(rolesOf('apiKeys.manage')).toEqual(['OWNER']);
    expect(entries.every(({ roles }) => roles.includes('OWNER'))).toBe(true);
  });

  const id = '019a9f3e-5c00-7a10-8b20-1c2d3e4f5a6b';
  test.each([
    ['GET', '/users', 'users.manage'],
    ['POST', '/users', 'users.manage'],
    ['GET', `/users/${id}`, 'users.manage'],
    ['PATCH', `/users/${id}`, 'users.manage'],
    ['DELETE', `/users/${id}`, 'users.manage'],
    ['GET', '/api-keys', 'apiKeys.manage'],
    ['POST', '/api-keys', 'apiKeys.manage'],
    ['DELETE', `/api-keys/${id}`, 'apiKeys.manage'],
    ['PATCH', '/store', 'store.manage'],
  ])('%s %s needs %s', async (method, path, permission) => {
    const sent = method === 'GET' || method === 'DELETE' ? undefined : {};
    const others = PERMISSIONS.filter((one) => one !== permission).join(',');
    const without = await world.newKey(store.slug, others);
    expect(codeOf(await without.call(method, path, sent))).toEqual([403, 'PERMISSION_DENIED']);
    const having = await world.newKey(store.slug, permission);
    expect([200, 400, 404]).toContain((await having.call(method, path, sent)).status);
  });
});
