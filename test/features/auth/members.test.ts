import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { MemberChange, NewMember, Tagged } from '../../../src/features/auth/access/members.js';
import { access } from '../../../src/features/auth/access/decider.js';
import { OWNERS_MAKE_OWNERS, PERMISSION_NOT_YOURS } from '../../../src/features/auth/access/rejections.js';
import { account as accounts } from '../../../src/features/auth/accounts/decider.js';
import { findAccount, findAccountByLogin } from '../../../src/features/auth/accounts/directory.js';
import { passwordHashOf } from '../../../src/features/auth/accounts/password-rows.js';
import { ACCOUNT_OF_ITS_HOLDER, USERNAME_TAKEN } from '../../../src/features/auth/accounts/rejections.js';
import { PASSWORD_UNFIT, RESET_TOKEN_INVALID } from '../../../src/features/auth/sign-in/rejections.js';
import { PERMISSIONS } from '../../../src/features/permissions.js';
import type { Permission } from '../../../src/kernel/values/permissions.js';
import type { RejectionKind } from '../../../src/kernel/events/rejection.js';
import { NOT_FOUND, Rejection, STALE } from '../../../src/kernel/events/rejection.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { until } from '../../support/until.js';
import type { Users } from '../../support/users.js';
import { openUsers } from '../../support/users.js';

const AURORA = 'aurora';
const LESTE = 'leste';
const BASE = 'http://localhost';

/** Keys of both stores, by which changes are made. */
const ADMINISTRATOR = 'administrator';
const USERS_ALONE = 'users alone';
const KEYS: readonly (readonly [string, readonly Permission[]])[] = [
  [ADMINISTRATOR, PERMISSIONS],
  [USERS_ALONE, ['users.manage']],
];

let users: Users;
beforeEach(async () => {
  users = openUsers();
  for (const store of [AURORA, LESTE]) {
    for (const [keyId, permissions] of KEYS) {
      const key = { keyId, name: keyId, permissions: [...permissions], expiresAt: null };
      await users.context(store).execute(access, { type: 'createKey', key, by: 'commandLine' });
    }
  }
});

const person = (username: string, more: Partial<NewMember['profile'] & NewMember['rights']> = {}): NewMember => {
  const { email = `${username}@casa.example`, name = username, role = 'CASHIER', permissions = null } = more;
  return {
    profile: { username, email, name },
    password: `senha de ${username}`,
    rights: { role, permissions, active: true },
    addressProved: true,
  };
};
const add = (store: string, member: NewMember, context = users.context(store)): Promise<Tagged> =>
  users.members.add(context, member, 'commandLine', `${BASE}/console`);

const byKey = (id: string) => ({ kind: 'apiKey', id, name: id }) as const;
const changing = (
  store: string,
  ifMatch?: number,
  key = ADMINISTRATOR,
  context = users.context(store),
): RequestContext =>
  Object.assign(Object.create(context) as RequestContext, {
    ifMatch: ifMatch === undefined ? undefined : [ifMatch],
    actor: byKey(key),
    client: { address: '', cookies: new Map(), pagesUrl: `${BASE}/console`, storeSlug: undefined },
  });
const change = (store: string, id: string, profile: MemberChange['profile'], password?: string) =>
  users.members.change(changing(store), id, { profile, rights: {}, password });

const names = async (store: string) =>
  (await users.members.page(users.context(store), { limit: 200 })).items.map(({ username }) => username);

/** Does something once, just before the first command of a kind is decided. */
function justBefore(type: string, meanwhile: () => Promise<unknown>): { restore(): void } {
  const execute = users.lanes.execute.bind(users.lanes);
  let done = false;
  const spy = jest.spyOn(users.lanes, 'execute').mockImplementation(async (streamType, stream, command, envelope) => {
    if (!done && (command as { readonly type: string }).type === type) {
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

const rowIds = async (kind: string) => (await users.vault.list(kind, { limit: 100 })).map(({ id }) => id);

async function expectRefused(work: Promise<unknown>, kind: RejectionKind): Promise<void> {
  const outcome = await work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Rejection ? error.kind.code : error),
  );
  expect(outcome).toBe(kind.code);
}

const outcomes = async (work: readonly Promise<unknown>[]): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(work)) {
    const { reason } = result as { reason?: unknown };
    const outcome =
      result.status === 'fulfilled' ? 'done' : reason instanceof Rejection ? reason.kind.code : String(reason);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

/** The token of the last invitation that went to an address. */
async function invitationTo(address: string): Promise<string> {
  const invitations = () => users.sent.filter(({ to, subject }) => to.address === address && /^Convite/.test(subject));
  await until('the mail has left', () => invitations().length > 0);
  return /#token=([\w-]+)/.exec(invitations().at(-1)?.text ?? '')?.[1] ?? '';
}
const accept = (token: string, password?: string) => users.invitations.accept(users.context(''), token, password);

describe('a user of a store', () => {
  test('waits for the passwords of that store alone', async () => {
    const hash = jest.spyOn(users.hasher, 'hash');
    const { record } = await add(AURORA, person('maria'));
    await change(AURORA, record.id, {}, 'outra senha');
    expect(hash.mock.calls).toEqual([
      ['senha de maria', AURORA],
      ['outra senha', AURORA],
    ]);
    hash.mockRestore();
  });

  test('gets an account that the password opens', async () => {
    const { record } = await add(AURORA, person('Maria'));
    expect(record).toMatchObject({ username: 'Maria', email: 'Maria@casa.example', role: 'CASHIER', online: false });
    const account = await findAccountByLogin(users.lanes, 'maria');
    expect(account).toMatchObject({ userId: record.id, stores: [AURORA], createdByStore: AURORA });
    expect(account && (await passwordHashOf(users.vault, account))).toBe('hash of senha de Maria');
    expect((await findAccountByLogin(users.lanes, 'MARIA@casa.example'))?.userId).toBe(record.id);
  });

  test.each([
    ['user name', person('MARIA', { email: 'outra@casa.example' })],
    ['e-mail address', person('outra', { email: 'maria@CASA.example' })],
  ])('has a %s of their own, whatever the case', async (_, second) => {
    await add(AURORA, person('maria'));
    await expectRefused(add(AURORA, second), USERNAME_TAKEN);
    users.wait(10_000);
    await expectRefused(add(AURORA, second), USERNAME_TAKEN);
  });

  test('has a user name of their own in the whole installation', async () => {
    await add(AURORA, person('maria'));
    await expectRefused(add(LESTE, person('maria', { email: 'outra@casa.example' })), USERNAME_TAKEN);
  });

  test('is one when 50 are registered at once', async () => {
    const same = Array.from({ length: 50 }, () => add(AURORA, person('maria')));
    expect(await outcomes(same)).toEqual({ done: 1, USERNAME_TAKEN: 49 });
    expect(await names(AURORA)).toEqual(['maria']);
  });

  test('is one when 50 are registered at once with one e-mail address', async () => {
    const same = Array.from({ length: 50 }, (_, index) =>
      add(AURORA, person(`maria${String(index)}`, { email: 'maria@casa.example' })),
    );
    expect(await outcomes(same)).toEqual({ done: 1, USERNAME_TAKEN: 49 });
    expect(await names(AURORA)).toHaveLength(1);
  });

  test('is one when 50 stores register the same at once', async () => {
    const same = Array.from({ length: 50 }, (_, index) => add(`loja-${String(index)}`, person('maria')));
    expect(await outcomes(same)).toEqual({ done: 1, USERNAME_TAKEN: 49 });
  });

  test('is the same when the request is repeated', async () => {
    const seed = users.seed();
    const first = await add(AURORA, person('maria'), users.context(AURORA, seed, true));
    users.wait(60_000);
    const again = await add(AURORA, person('maria'), users.context(AURORA, seed, true));
    expect(again.record.id).toBe(first.record.id);
    expect(await names(AURORA)).toEqual(['maria']);
  });

  test('gets no permission that the one who adds them lacks', async () => {
    const adding = users.members.add(users.context(AURORA), person('m', { role: 'OWNER' }), byKey(USERS_ALONE), BASE);
    await expectRefused(adding, PERMISSION_NOT_YOURS);
    expect(await findAccountByLogin(users.lanes, 'm')).toBe(undefined);
  });

  test('becomes no owner by who is none, and leaves no account behind', async () => {
    const ana = await add(AURORA, person('ana', { role: 'MANAGER', permissions: [...PERMISSIONS] }));
    const doer = { kind: 'user', id: ana.record.id, name: 'ana' } as const;
    const adding = users.members.add(users.context(AURORA), person('o', { role: 'OWNER' }), doer, BASE);
    await expectRefused(adding, OWNERS_MAKE_OWNERS);
    expect(await findAccountByLogin(users.lanes, 'o')).toBe(undefined);
  });

  test('leaves no account behind where who adds may do so no more at its last step, so that its names are free', async () => {
    const byThem = users.members.add(users.context(AURORA), person('maria'), byKey(ADMINISTRATOR), BASE);
    const adding = justBefore('addMember', () =>
      users.context(AURORA).execute(access, { type: 'revokeKey', keyId: ADMINISTRATOR, ifMatch: undefined }),
    );
    await expectRefused(byThem, PERMISSION_NOT_YOURS);
    adding.restore();
    expect(await findAccountByLogin(users.lanes, 'maria')).toBe(undefined);
    expect(await rowIds('password')).toEqual([]);
    await add(LESTE, person('maria'));
    expect([await names(AURORA), await names(LESTE), users.sent]).toEqual([[], ['maria'], []]);
  });

  test('stands in pages, in the order of coming', async () => {
    for (const name of ['ana', 'bia', 'cida']) {
      users.wait(1);
      await add(AURORA, person(name));
    }
    const first = await users.members.page(users.context(AURORA), { limit: 2 });
    expect(first.items.map(({ username }) => username)).toEqual(['ana', 'bia']);
    const cursor = first.nextCursor ?? '';
    const second = await users.members.page(users.context(AURORA), { limit: 2, cursor });
    expect(second.items.map(({ username }) => username)).toEqual(['cida']);
    expect(second.nextCursor).toBe(null);
  });
});

describe('a crash while a user is registered', () => {
  test.each([
    ['after the user name is held', /^email-/],
    ['after the names are held', /^user-/],
    ['after the account is born', /^access-/],
  ])('%s leaves the names to the next who wants them', async (_, stream) => {
    users.crash.before = stream;
    await expect(add(AURORA, person('maria'))).rejects.toThrow('crashed');
    users.crash.before = undefined;
    users.wait(10_000);
    const { record } = await add(AURORA, person('maria'));
    expect(await names(AURORA)).toEqual(['maria']);
    expect((await findAccountByLogin(users.lanes, 'maria'))?.userId).toBe(record.id);
  });

  test.each([/^username-/, /^email-/, /^user-/, /^access-/])(
    'before the append to %s is made good by a repeat',
    async (stream) => {
      const seed = users.seed();
      users.crash.before = stream;
      await expect(add(AURORA, person('maria'), users.context(AURORA, seed, true))).rejects.toThrow('crashed');
      users.crash.before = undefined;
      users.wait(10_000);
      const { record } = await add(AURORA, person('maria'), users.context(AURORA, seed, true));
      const account = await findAccount(users.lanes, record.id);
      expect(account && (await passwordHashOf(users.vault, account))).toBe('hash of senha de maria');
      expect(await names(AURORA)).toEqual(['maria']);
    },
  );

  test('leaves the names for a while to the one who may still be at work', async () => {
    users.crash.before = /^user-/;
    await expect(add(AURORA, person('maria'))).rejects.toThrow('crashed');
    users.crash.before = undefined;
    await expectRefused(add(AURORA, person('maria')), USERNAME_TAKEN);
  });

  test('refuses one that was only slow when its names were taken over meanwhile', async () => {
    const execute = users.lanes.execute.bind(users.lanes);
    let other: Tagged | undefined;
    const spy = jest.spyOn(users.lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      if ((command as { readonly type: string }).type === 'addMember') {
        spy.mockRestore();
        users.wait(10_000);
        other = await add(AURORA, person('maria'));
      }
      return execute(type, stream, command, envelope);
    });
    await expectRefused(add(AURORA, person('maria')), USERNAME_TAKEN);
    const { members } = await users.context(AURORA).current(access);
    expect([...members.keys()]).toEqual([other?.record.id]);
  });

  test('refuses one that is added just as its names are taken over', async () => {
    const execute = users.lanes.execute.bind(users.lanes);
    users.crash.before = /^access-/;
    const seed = users.seed();
    const slow = () => add(AURORA, person('maria'), users.context(AURORA, seed, true));
    await expect(slow()).rejects.toThrow('crashed');
    users.crash.before = undefined;
    users.wait(10_000);
    const spy = jest.spyOn(users.lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      if ((command as { readonly type: string }).type === 'leaveStore') {
        spy.mockRestore();
        await slow();
      }
      return execute(type, stream, command, envelope);
    });
    const { record } = await add(AURORA, person('maria'));
    const { members } = await users.context(AURORA).current(access);
    expect([...members.keys()]).toEqual([record.id]);
  });

  test('refuses the late one when another has taken the name', async () => {
    const seed = users.seed();
    users.crash.before = /^user-/;
    await expect(add(AURORA, person('maria'), users.context(AURORA, seed, true))).rejects.toThrow('crashed');
    users.crash.before = undefined;
    users.wait(10_000);
    await add(LESTE, person('maria'));
    await expectRefused(add(AURORA, person('maria'), users.context(AURORA, seed, true)), USERNAME_TAKEN);
    expect(await names(AURORA)).toEqual([]);
    expect(await names(LESTE)).toEqual(['maria']);
  });
});

describe('a store changes', () => {
  test('names, so that the old ones are free and the new ones are not', async () => {
    const { record } = await add(AURORA, person('maria'));
    const changed = await change(AURORA, record.id, { username: 'mariana', email: 'mariana@casa.example' });
    expect(changed.record).toMatchObject({ username: 'mariana', email: 'mariana@casa.example' });
    await expectRefused(add(LESTE, person('mariana', { email: 'x@casa.example' })), USERNAME_TAKEN);
    await add(LESTE, person('maria'));
    expect(users.sent).toEqual([]);
  });

  test('the spelling of a name', async () => {
    const { record } = await add(AURORA, person('maria'));
    expect((await change(AURORA, record.id, { username: 'Maria' })).record.username).toBe('Maria');
  });

  test('passwords, two at once, and keeps the hash of the last alone', async () => {
    const { record } = await add(AURORA, person('maria'));
    const changed = justBefore('changePassword', () => change(AURORA, record.id, {}, 'a primeira'));
    await change(AURORA, record.id, {}, 'a segunda');
    changed.restore();
    const account = await findAccount(users.lanes, record.id);
    expect(account && (await passwordHashOf(users.vault, account))).toBe('hash of a segunda');
    expect(await rowIds('password')).toEqual([account?.passwordId]);
  });

  test('no name to that of another', async () => {
    const { record } = await add(AURORA, person('maria'));
    await add(AURORA, person('joao'));
    await expectRefused(change(AURORA, record.id, { username: 'JOAO' }), USERNAME_TAKEN);
    await expectRefused(change(AURORA, record.id, { email: 'joao@casa.example' }), USERNAME_TAKEN);
  });

  test('names, 20 users to one at once: one gets it', async () => {
    const made = [];
    for (let index = 0; index < 20; index++) made.push(await add(AURORA, person(`m${String(index)}`)));
    const wanted = made.map(({ record }) => change(AURORA, record.id, { username: 'maria' }));
    expect(await outcomes(wanted)).toEqual({ done: 1, USERNAME_TAKEN: 19 });
    expect((await names(AURORA)).filter((name) => name === 'maria')).toHaveLength(1);
  });

  test('a name that a crash left held, and refuses the late one', async () => {
    const { record } = await add(AURORA, person('maria'));
    users.crash.before = new RegExp(`^user-${record.id}`);
    await expect(change(AURORA, record.id, { username: 'mariana' })).rejects.toThrow('crashed');
    users.crash.before = undefined;
    users.wait(10_000);
    await add(LESTE, person('mariana'));
    expect((await findAccountByLogin(users.lanes, 'maria'))?.userId).toBe(record.id);
    await expectRefused(change(AURORA, record.id, { username: 'mariana' }), USERNAME_TAKEN);
  });

  test('a password, which ends the old one', async () => {
    const { record } = await add(AURORA, person('maria'));
    const before = await findAccount(users.lanes, record.id);
    await change(AURORA, record.id, {}, 'outra senha boa');
    const after = await findAccount(users.lanes, record.id);
    expect(after?.epoch).toBe(1);
    expect(after && (await passwordHashOf(users.vault, after))).toBe('hash of outra senha boa');
    expect(before && (await passwordHashOf(users.vault, before))).toBe(undefined);
  });

  test('nothing of one who may do more', async () => {
    const { record } = await add(AURORA, person('olga', { role: 'OWNER' }));
    const manager = changing(AURORA, undefined, USERS_ALONE);
    for (const it of [
      { password: 'outra senha boa' },
      { profile: { email: 'x@casa.example' } },
      { profile: { name: 'Olga' } },
    ]) {
      const wanted = { profile: {}, rights: {}, ...it };
      await expectRefused(users.members.change(manager, record.id, wanted), PERMISSION_NOT_YOURS);
    }
  });

  test('once for one tag', async () => {
    const { record, tag } = await add(AURORA, person('maria'));
    const rename = (index: number) =>
      users.members.change(changing(AURORA, tag), record.id, { profile: { name: `M${String(index)}` }, rights: {} });
    const work = Array.from({ length: 50 }, (_, index) => rename(index));
    expect(await outcomes(work)).toEqual({ done: 1, [STALE.code]: 49 });
    const promote = (role: 'BAKER' | 'MANAGER') =>
      users.members.change(changing(AURORA, tag), record.id, { profile: {}, rights: { role } });
    await expectRefused(promote('BAKER'), STALE);
    await expectRefused(users.members.remove(changing(AURORA, tag), record.id), STALE);
  });

  test('nothing of another store', async () => {
    const { record } = await add(AURORA, person('maria'));
    await expectRefused(change(LESTE, record.id, { name: 'X' }), NOT_FOUND);
    await expectRefused(users.members.get(users.context(LESTE), record.id), NOT_FOUND);
    await expectRefused(users.members.remove(changing(LESTE), record.id), NOT_FOUND);
  });
});

describe('a user who is taken out', () => {
  test('leaves their names free with the last store', async () => {
    const { record } = await add(AURORA, person('maria'));
    await users.members.remove(changing(AURORA), record.id);
    expect(await findAccountByLogin(users.lanes, 'maria')).toBe(undefined);
    const again = await add(AURORA, person('maria'));
    expect(again.record.id).not.toBe(record.id);
  });

  test('leaves their names free after a crash as well', async () => {
    const { record } = await add(AURORA, person('maria'));
    users.wait(10_000);
    users.crash.before = /^user-/;
    await expect(users.members.remove(changing(AURORA), record.id)).rejects.toThrow('crashed');
    users.crash.before = undefined;
    expect(await names(AURORA)).toEqual([]);
    await add(AURORA, person('maria'));
    expect(await names(AURORA)).toEqual(['maria']);
  });

  test('keeps their account while another store has them', async () => {
    const { record } = await add(AURORA, person('maria'));
    await add(LESTE, person('maria.leste', { email: 'maria@casa.example' }));
    await accept(await invitationTo('maria@casa.example'));
    await users.members.remove(changing(AURORA), record.id);
    expect(await findAccount(users.lanes, record.id)).toMatchObject({ stores: [LESTE] });
  });
});

describe('an e-mail address that has an account', () => {
  let maria: Tagged;
  beforeEach(async () => {
    maria = await add(AURORA, person('maria'));
  });
  const invite = (username = 'nova') =>
    add(LESTE, person(username, { email: 'Maria@casa.example', name: 'Maria da Leste' }));

  test('looks to the inviter like any other', async () => {
    const invited = await invite();
    const fresh = await add(LESTE, person('joao'));
    expect(Object.keys(invited.record)).toEqual(Object.keys(fresh.record));
    expect(invited.record).toMatchObject({ username: 'nova', email: 'Maria@casa.example', name: 'Maria da Leste' });
    expect(await names(LESTE)).toEqual(expect.arrayContaining(['nova', 'joao']));
    await expectRefused(invite('outra'), USERNAME_TAKEN);
    await expectRefused(add(LESTE, person('outra', { email: 'joao@casa.example' })), USERNAME_TAKEN);
    for (const { id } of [invited.record, fresh.record]) {
      expect((await change(LESTE, id, { name: 'Outro' }, 'outra senha boa')).record.name).toBe('Outro');
    }
  });

  test('leaves nothing in the history of the store that shows it', async () => {
    const seen = async (email: string) => {
      const before = await users.store.head();
      await add(LESTE, person(`u${email.length}`, { email }));
      const events = await users.store.readAll(before, 100);
      const ofStore = events.filter(({ meta }) => (JSON.parse(meta) as { storeId: unknown }).storeId === LESTE);
      return ofStore.map(({ type, data }) => [type, Object.keys(JSON.parse(data) as object)]);
    };
    expect(await seen('maria@casa.example')).toEqual(await seen('ninguem@casa.example'));
  });

  test('joins only when its holder accepts', async () => {
    const { record } = await invite();
    expect(await findAccount(users.lanes, maria.record.id)).toMatchObject({ stores: [AURORA] });
    await accept(await invitationTo('maria@casa.example'));
    expect(await findAccount(users.lanes, maria.record.id)).toMatchObject({ stores: [AURORA, LESTE] });
    const { record: joined } = await users.members.get(users.context(LESTE), record.id);
    expect(joined).toMatchObject({ id: record.id, username: 'maria', email: 'maria@casa.example', role: 'CASHIER' });
    const { memberByUser } = await users.context(LESTE).current(access);
    expect(memberByUser.get(maria.record.id)).toBe(record.id);
    expect(await findAccountByLogin(users.lanes, 'nova')).toBe(undefined);
    await add(LESTE, person('nova'));
  });

  test('joins once, and its store changes it no longer', async () => {
    await invite();
    const token = await invitationTo('maria@casa.example');
    expect(await outcomes(Array.from({ length: 20 }, () => accept(token)))).toEqual({ done: 1, TOKEN_INVALID: 19 });
    await expectRefused(accept(token), RESET_TOKEN_INVALID);
    await expectRefused(change(AURORA, maria.record.id, { name: 'X' }), ACCOUNT_OF_ITS_HOLDER);
  });

  test.each([/^user-/, /^access-/, /^username-/])('joins after a crash before the append to %s', async (stream) => {
    const { record } = await invite();
    const token = await invitationTo('maria@casa.example');
    users.crash.before = stream;
    await expect(accept(token)).rejects.toThrow('crashed');
    users.crash.before = undefined;
    await accept(token);
    expect((await users.members.get(users.context(LESTE), record.id)).record.username).toBe('maria');
  });

  test('keeps its password where the address is proved while the one given with the acceptance is hashed', async () => {
    const { record } = await add(AURORA, { ...person('bia'), addressProved: false });
    await add(LESTE, person('bia.leste', { email: 'bia@casa.example' }));
    const token = await invitationTo('bia@casa.example');
    const hash = jest.spyOn(users.hasher, 'hash').mockImplementationOnce(async (password) => {
      const command = { type: 'proveAddress', address: 'bia@casa.example' } as const;
      await users.context('').executeOn(accounts, `user-${record.id}`, command, { storeId: null });
      return `hash of ${password}`;
    });
    await expectRefused(accept(token, 'a que vem com o convite'), PASSWORD_UNFIT);
    hash.mockRestore();
    const account = await findAccount(users.lanes, record.id);
    expect(account && (await passwordHashOf(users.vault, account))).toBe('hash of senha de bia');
    await accept(token);
    expect(await findAccount(users.lanes, record.id)).toMatchObject({ stores: [AURORA, LESTE] });
  });

  test('keeps its password where the invitation is taken back while the one given with the acceptance is hashed', async () => {
    const { record } = await add(AURORA, { ...person('bia'), addressProved: false });
    const invited = await add(LESTE, person('bia.leste', { email: 'bia@casa.example' }));
    const token = await invitationTo('bia@casa.example');
    const hash = jest.spyOn(users.hasher, 'hash').mockImplementationOnce(async (password) => {
      await users.members.remove(changing(LESTE), invited.record.id);
      return `hash of ${password}`;
    });
    await expectRefused(accept(token, 'a que vem com o convite'), RESET_TOKEN_INVALID);
    hash.mockRestore();
    const account = await findAccount(users.lanes, record.id);
    expect(account).toMatchObject({ stores: [AURORA], addressProved: false });
    expect(account && (await passwordHashOf(users.vault, account))).toBe('hash of senha de bia');
  });

  test('does not join after the inviter has taken it back', async () => {
    const { record } = await invite();
    const token = await invitationTo('maria@casa.example');
    await users.members.remove(changing(LESTE), record.id);
    await expectRefused(accept(token), RESET_TOKEN_INVALID);
    expect(await findAccount(users.lanes, maria.record.id)).toMatchObject({ stores: [AURORA] });
  });

  test.each([
    ['while it is accepted', false],
    ['after an acceptance that a crash broke off', true],
  ])('has no part in the store where the inviter takes it back %s', async (_when, isBrokenOff) => {
    const { record } = await invite();
    const token = await invitationTo('maria@casa.example');
    const execute = users.lanes.execute.bind(users.lanes);
    const spy = jest.spyOn(users.lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      if ((command as { type: string }).type === 'acceptInvitation') {
        spy.mockRestore();
        await users.members.remove(changing(LESTE), record.id);
        if (isBrokenOff) throw new Error('crashed');
      }
      return execute(type, stream, command, envelope);
    });
    if (isBrokenOff) await expect(accept(token)).rejects.toThrow('crashed');
    await expectRefused(accept(token), RESET_TOKEN_INVALID);
    expect(await findAccount(users.lanes, maria.record.id)).toMatchObject({ stores: [AURORA] });
    await users.members.remove(changing(AURORA), maria.record.id);
    await add(LESTE, person('maria'));
  });

  test('stays where a removal is repeated that was broken off before it joined again', async () => {
    await invite();
    await accept(await invitationTo('maria@casa.example'));
    const { memberByUser } = await users.context(LESTE).current(access);
    const memberId = memberByUser.get(maria.record.id) ?? '';
    const seed = users.seed();
    const removing = () => {
      const context = users.context(LESTE, seed, true);
      return users.members.remove(changing(LESTE, undefined, ADMINISTRATOR, context), memberId);
    };
    users.crash.before = /^user-/;
    await expect(removing()).rejects.toThrow('crashed');
    users.crash.before = undefined;
    users.sent.length = 0;
    const again = await invite('de volta');
    await accept(await invitationTo('maria@casa.example'));
    await removing();
    expect(await findAccount(users.lanes, maria.record.id)).toMatchObject({ stores: [AURORA, LESTE] });
    expect((await users.members.get(users.context(LESTE), again.record.id)).record.username).toBe('maria');
  });

  test('does not join after the inviter has corrected it', async () => {
    const { record } = await invite();
    const token = await invitationTo('maria@casa.example');
    await change(LESTE, record.id, { email: 'outra@casa.example' });
    await expectRefused(accept(token), RESET_TOKEN_INVALID);
  });

  test('is invited as well when a user is changed to it', async () => {
    const { record } = await add(LESTE, person('joao'));
    await change(LESTE, record.id, { email: 'maria@casa.example' });
    await accept(await invitationTo('maria@casa.example'));
    expect((await users.members.get(users.context(LESTE), record.id)).record.username).toBe('maria');
  });

  test('does not join twice', async () => {
    await invite();
    await accept(await invitationTo('maria@casa.example'));
    const { record } = await add(LESTE, person('joao'));
    await expectRefused(change(LESTE, record.id, { email: 'maria@casa.example' }), USERNAME_TAKEN);
  });

  test('is not invited by a token of another kind', async () => {
    await expectRefused(accept('x'.repeat(43)), RESET_TOKEN_INVALID);
  });
});
