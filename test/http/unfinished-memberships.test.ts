import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { unfinishedMembership } from '../../src/features/auth/access/unfinished-memberships.js';
import { account } from '../../src/features/auth/accounts/decider.js';
import { accountStream, findAccountByName } from '../../src/features/auth/accounts/directory.js';
import { Browser } from '../support/browser.js';
import { mailedToken } from '../support/outbox.js';
import { expectOk, newPerson, signedIn } from '../support/people.js';
import type { Person } from '../support/people.js';
import { until } from '../support/until.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/**
 * Who is in a store stands in the store's stream and in the account's. Here the process ends in the middle of requests that write to both; some
 * time later the service runs again, and nobody asks for the same once more.
 */

let dying: World;
let before: StoreClient;
let later: World;
let other: StoreClient;

type IsLast = (command: { readonly type: string }) => boolean;

/** Nothing is recorded any more from a command on. */
async function cutOffAt(isLast: IsLast, ask: () => Promise<Pick<Answer, 'status'>>): Promise<void> {
  const { lanes } = dying.service.core;
  const execute = lanes.execute.bind(lanes);
  let hasDied = false;
  const dies = jest.spyOn(lanes, 'execute').mockImplementation((type, stream, command, envelope) => {
    hasDied ||= isLast(command as { readonly type: string });
    if (hasDied) return Promise.reject(new Error('the process has ended'));
    return execute(type, stream, command, envelope);
  });
  try {
    expect((await ask()).status).toBe(500);
  } finally {
    dies.mockRestore();
  }
}

const ofType =
  (type: string): IsLast =>
  (command) =>
    command.type === type;

/** Where rows are stored apart from facts, a process may end between the end of an account and the end of its password. */
async function cutOffBeforeSecrets(username: string, ask: () => Promise<Answer>): Promise<void> {
  const { lanes, engines } = dying.service.core;
  const ended = await findAccountByName(lanes, username);
  if (!ended) throw new Error(`there is no ${username}`);
  const password = await engines.vault.get('password', ended.passwordId);
  await cutOffAt(ofType('release'), ask);
  const { storeId } = before;
  const context = { recordUntil: () => undefined };
  await engines.vault.write([
    { kind: 'password', id: ended.passwordId, value: password?.value, expected: 'absent' },
    unfinishedMembership(context, { now: () => Date.now() }, { storeId, userId: ended.userId, account: ended }),
  ]);
}

const userOf = (username: string, email = `${username}@casa.example`) => ({
  username,
  email,
  name: 'Ana',
  password: 'a senha que a loja deu',
  role: 'CASHIER',
});

const added = async (username: string, store = before): Promise<string> =>
  ((await expectOk(store.call('POST', '/users', userOf(username)))) as { readonly id: string }).id;

async function passwordOf(username: string): Promise<string> {
  const found = await findAccountByName(dying.service.core.lanes, username);
  if (!found) throw new Error(`there is no ${username}`);
  return found.passwordId;
}

let invited: Person;
let token: string;
let forgotten: readonly string[];

beforeAll(async () => {
  dying = await openWorld();
  before = await dying.newStore();
  await cutOffAt(ofType('addMember'), () => before.call('POST', '/users', userOf('quase-dentro')));
  const [leaving, left] = [await added('quase-fora'), await added('fora')];
  forgotten = [await passwordOf('quase-dentro'), await passwordOf('quase-fora'), await passwordOf('fora')];
  await cutOffAt(ofType('leaveStore'), () => before.call('DELETE', `/users/${leaving}`));
  await cutOffBeforeSecrets('fora', () => before.call('DELETE', `/users/${left}`));
  invited = await newPerson(dying, await dying.newStore());
  await expectOk(before.call('POST', '/users', userOf('convite', invited.email)));
  token = await mailedToken(dying.dataDir, invited.email);
  const accept = () => new Browser(dying.url).post('/users/invitations/accept', { token });
  await cutOffAt(ofType('acceptInvitation'), accept);
  await dying.close('keep');
  later = await openWorld({ dataDir: dying.dataDir, clock: { now: () => Date.now() + 120_000 } });
  other = await later.newStore();
  await until('all that was begun was looked at', async () => {
    const rows = await later.service.core.engines.vault.list('memberships', { limit: 1 });
    return rows.length === 0;
  });
});
afterAll(() => later.close());

test.each(['quase-dentro', 'quase-fora', 'fora'])('the names of %s are free for another store', async (username) => {
  expect((await other.call('POST', '/users', userOf(username))).status).toBe(201);
});

test('no password is kept of who is in no store', async () => {
  const rows = await later.service.core.engines.vault.getMany('password', forgotten);
  expect(rows.map(({ id }) => id)).toEqual([]);
});

test('who was to join is in no store more than before, and joins with the same invitation', async () => {
  const state = await later.service.features.contextOf(other.storeId).currentOn(account, accountStream(invited.userId));
  expect(state).toMatchObject({ stores: [expect.any(String)] });
  await expectOk(new Browser(later.url).post('/users/invitations/accept', { token }));
  expect(await expectOk((await signedIn(later, invited)).get('/auth/my-stores'))).toHaveLength(2);
});
