import { afterAll, expect, test } from '@jest/globals';
import { loseAnswer } from '../support/lost-answer.js';
import { expectOk, login, newPerson, refusal } from '../support/people.js';
import { Browser } from '../support/browser.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A change of a user whose answer got lost is repeated, also when the user has changed since: nothing is done again. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

let made = 0;
const PASSWORD = 'senha de antes x7';
const bodyOf = (username: string, email = `${username}@loja.example`) => ({
  username,
  email,
  name: 'Bia',
  password: PASSWORD,
  role: 'CASHIER',
});
const fresh = (): string => `usuario-${String(++made)}`;
const create = (username: string): Promise<Answer> => store.call('POST', '/users', bodyOf(username));
const newUser = async (username = fresh()) => {
  const { id } = (await expectOk(create(username))) as { readonly id: string };
  return { username, path: `/users/${id}` };
};
const signIn = async (username: string, password: string): Promise<number> =>
  (await login(new Browser(world.url), { userId: '', email: '', username, password })).status;

const lost = async (path: string, changes: object) => (await loseAnswer(world, store, 'PATCH', path, changes)).repeat;
const lostCreation = (username: string) => loseAnswer(world, store, 'POST', '/users', bodyOf(username));

test('a password that was set opens the account also after a repeat', async () => {
  const { username, path } = await newUser();
  const password = 'senha de agora x7';
  const repeat = await lost(path, { password });
  await repeat();
  expect(await signIn(username, password)).toBe(200);
});

test('a password that came after the one of a repeated change stays', async () => {
  const { username, path } = await newUser();
  const repeat = await lost(path, { password: 'senha do meio x8' });
  await expectOk(store.call('PATCH', path, { password: PASSWORD }));
  await repeat();
  expect(await signIn(username, PASSWORD)).toBe(200);
});

test('a repeat that also names the user anew sets no password again', async () => {
  const { path } = await newUser();
  const username = fresh();
  const repeat = await lost(path, { username, email: `${username}@outra.example`, password: 'senha do meio x7' });
  const password = 'senha de agora x7';
  await expectOk(store.call('PATCH', path, { password }));
  await repeat();
  expect(await signIn(username, password)).toBe(200);
});

test('the name that a user got since stays their own', async () => {
  const { path } = await newUser();
  const [second, third] = [fresh(), fresh()];
  const repeat = await lost(path, { username: second });
  await expectOk(store.call('PATCH', path, { username: third }));
  await repeat();
  expect(refusal(await create(third))).toEqual([409, 'USERNAME_TAKEN']);
  expect((await create(second)).status).toBe(201);
});

test('a repeat is answered when somebody else has the name by now', async () => {
  const { username, path } = await newUser();
  const second = fresh();
  const repeat = await lost(path, { username: second });
  await expectOk(store.call('PATCH', path, { username }));
  expect((await create(second)).status).toBe(201);
  await repeat();
});

test('a repeat invites nobody again', async () => {
  const other = await world.newStore();
  const { email } = await newPerson(world, other);
  const { path } = await newUser();
  const repeat = await lost(path, { email });
  await repeat();
});

test('a repeated creation leaves the user their name when somebody else has the address by now', async () => {
  const username = fresh();
  const { first, repeat } = await lostCreation(username);
  const { id, email } = first.body as { readonly id: string; readonly email: string };
  await expectOk(store.call('PATCH', `/users/${id}`, { email: `outra-${email}` }));
  await expectOk(store.call('POST', '/users', bodyOf(fresh(), email)));
  await repeat();
  expect(refusal(await create(username))).toEqual([409, 'USERNAME_TAKEN']);
});

test('a repeated creation is answered when somebody else has the name by now', async () => {
  const username = fresh();
  const { first, repeat } = await lostCreation(username);
  await expectOk(store.call('PATCH', `/users/${first.body.id as string}`, { username: fresh() }));
  await expectOk(store.call('POST', '/users', bodyOf(username, `${fresh()}@loja.example`)));
  await repeat();
});
