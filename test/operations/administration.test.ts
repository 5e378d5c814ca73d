import { describe, expect, test } from '@jest/globals';
import { FiscalSimulator } from '../../src/adapters/fiscal-simulator/simulator.js';
import { Administration, createOwnedStoreInput } from '../../src/operations/administration.js';
import { WrongUsage, lacksPassword, parseCommand } from '../../src/operations/administration-commands.js';
import { runCommand } from '../../src/operations/administration-socket.js';
import { passwordHashOf } from '../../src/features/auth/accounts/password-rows.js';
import { findAccountByLogin } from '../../src/features/auth/accounts/directory.js';
import { DEFAULT_KEY_PERMISSIONS } from '../../src/features/permissions.js';
import type { Users } from '../support/users.js';
import { openUsers } from '../support/users.js';

const open = (): Users & { readonly administration: Administration } => {
  const users = openUsers(Date.now);
  const authority = new FiscalSimulator(users);
  return {
    ...users,
    administration: new Administration({ ...users, authority, pagesUrl: () => 'http://localhost/console' }),
  };
};

/** As it would be typed. */
const run = (administration: Administration, line: string) => {
  const { name, input } = parseCommand(line.split(' '));
  return runCommand(administration, name, input);
};
const user = '--username maria --email maria@aurora.example --password umafrasebemlonga';
const createStore = `store create --slug aurora --name Aurora ${user}`;

describe('the administration', () => {
  test('creates a store with its first administrator', async () => {
    const { administration, lanes } = open();
    const made = await run(administration, createStore);
    expect(made).toEqual({ result: { storeId: expect.any(String), slug: 'aurora', userId: expect.any(String) } });
    const { userId, storeId } = (made as { result: { userId: string; storeId: string } }).result;
    expect(await findAccountByLogin(lanes, 'maria')).toMatchObject({ userId, stores: [storeId] });
  });

  test('gives the same answer again, and no other store that name', async () => {
    const { administration } = open();
    const made = await run(administration, createStore);
    expect(await run(administration, createStore)).toEqual(made);
    for (const other of [createStore.replaceAll('maria', 'joao'), createStore.replace('umafrase', 'outrafrase')]) {
      expect(await run(administration, other)).toEqual({ error: 'Another store has this slug' });
    }
  });

  test('creates one store of a slug that two ask for at once, with the first administrator of one of them', async () => {
    const { administration } = open();
    const asked = [createStore, createStore.replaceAll('maria', 'joao'), createStore];
    const [first, other, again] = await Promise.all(asked.map((line) => run(administration, line)));
    expect(first).toMatchObject({ result: { slug: 'aurora' } });
    expect(other).toEqual({ error: 'Another store has this slug' });
    expect(again).toEqual(first);
  });

  test.each([/^username-/, /^email-/, /^user-/, /^access-/])(
    'makes good by a second run what a crash before the append to %s left',
    async (stream) => {
      const { administration, crash } = open();
      crash.before = stream;
      expect(await run(administration, createStore)).toEqual({ error: 'crashed' });
      crash.before = undefined;
      expect(await run(administration, createStore)).toMatchObject({ result: { slug: 'aurora' } });
    },
  );

  test('creates users in a store', async () => {
    const { administration, members, context } = open();
    const made = await run(administration, createStore);
    const { storeId } = (made as { result: { storeId: string } }).result;
    const joao = user.replaceAll('maria', 'joao');
    const created = await run(administration, `user create --store aurora ${joao} --role BAKER`);
    expect(created).toEqual({ result: { userId: expect.any(String), username: 'joao' } });
    const { items } = await members.page(context(storeId), { limit: 10 });
    expect(items.map(({ username, role }) => [username, role])).toEqual([
      ['maria', 'OWNER'],
      ['joao', 'BAKER'],
    ]);
    expect(await run(administration, `user create --store leste ${joao} --role BAKER`)).toEqual({
      error: 'there is no store leste',
    });
  });

  test('a user name that is taken leaves no store behind', async () => {
    const { administration } = open();
    await run(administration, createStore);
    const again = createStore.replaceAll('aurora', 'leste');
    expect(await run(administration, again)).toEqual({
      error: 'Another account has this user name or e-mail address',
    });
    expect(await administration.storeBySlug('leste')).toBeUndefined();
    await run(administration, again.replaceAll('maria', 'ana').replace('--name', '--segment BAKERY --name'));
    expect(await administration.storeBySlug('leste')).toMatchObject({ segment: 'BAKERY' });
  });

  test('changes the plan of a store', async () => {
    const { administration } = open();
    await run(administration, createStore);
    expect(await run(administration, 'store set-plan --store aurora --plan basic')).toMatchObject({
      result: { plan: 'basic' },
    });
    expect((await administration.storeBySlug('aurora'))?.plan).toEqual({ name: 'basic', apiAccess: false });
  });

  test.each([
    'store create --slug aurora --name Aurora',
    `store create --slug Aurora! --name Aurora ${user}`,
    createStore.replace('umafrasebemlonga', 'curta'),
    `user create --store aurora ${user} --role KING`,
    'store set-plan --store aurora --plan gold',
    'store fly',
  ])('says how it is used after: %s', (line) => {
    expect(() => parseCommand(line.split(' '))).toThrow(WrongUsage);
  });

  test('lists stores, and users with what they may do', async () => {
    const { administration } = open();
    await run(administration, createStore);
    await run(administration, `user create --store aurora ${user.replaceAll('maria', 'joao')} --role BAKER`);
    expect(await run(administration, 'store list')).toMatchObject({
      result: { stores: [{ slug: 'aurora', name: 'Aurora', segment: 'RETAIL', plan: 'api' }] },
    });
    expect(await run(administration, 'user list --store aurora')).toMatchObject({
      result: {
        users: [
          { username: 'maria', role: 'OWNER', active: true, secondFactor: false },
          { username: 'joao', email: 'joao@aurora.example', role: 'BAKER', active: true },
        ],
      },
    });
  });

  test('switches users off and on, but not the last who manages users', async () => {
    const { administration } = open();
    await run(administration, createStore);
    await run(administration, `user create --store aurora ${user.replaceAll('maria', 'joao')} --role BAKER`);
    const joao = '--store aurora --username joao';
    expect(await run(administration, `user disable ${joao}`)).toMatchObject({ result: { active: false } });
    expect(await run(administration, 'user list --store aurora')).toMatchObject({
      result: { users: [{ active: true }, { active: false }] },
    });
    expect(await run(administration, `user enable ${joao}`)).toMatchObject({ result: { active: true } });
    expect(await run(administration, 'user disable --store aurora --username maria')).toEqual({
      error: 'Somebody must be left who can manage users',
    });
    expect(await run(administration, 'user disable --store aurora --username ana')).toEqual({
      error: 'there is no user ana in the store aurora',
    });
  });

  test('gives a user another password, which may come apart from the words', async () => {
    const { administration, lanes, hasher, vault } = open();
    await run(administration, createStore);
    const words = 'user reset --store aurora --username maria --remove-second-factor'.split(' ');
    expect(lacksPassword(words)).toBe(true);
    expect(() => parseCommand(words)).toThrow('password is required');
    const { name, input } = parseCommand(words, '--outra frase longa');
    expect(await runCommand(administration, name, input)).toMatchObject({ result: { username: 'maria' } });
    const maria = await findAccountByLogin(lanes, 'maria');
    const hash = maria && (await passwordHashOf(vault, maria));
    expect(await hasher.verify('--outra frase longa', hash)).toBe(true);
  });

  test('lists API keys and revokes them', async () => {
    const { administration } = open();
    await run(administration, createStore);
    const made = await run(administration, 'api-key create --store aurora --name Caixa');
    const { id, permissions } = (made as { result: { id: string; permissions: string[] } }).result;
    expect(permissions).toEqual(DEFAULT_KEY_PERMISSIONS);
    expect(await run(administration, 'api-key list --store aurora')).toMatchObject({
      result: { apiKeys: [{ id, name: 'Caixa', permissions }] },
    });
    expect(await run(administration, `api-key revoke --store aurora --id ${id}`)).toEqual({
      result: { id, revoked: true },
    });
    expect(await run(administration, 'api-key list --store aurora')).toEqual({ result: { apiKeys: [] } });
  });

  test('takes a store that asks for a second factor', () => {
    const { input } = parseCommand(`${createStore} --require-two-factor`.split(' '));
    expect(createOwnedStoreInput.parse(input).requireTwoFactor).toBe(true);
  });
});
