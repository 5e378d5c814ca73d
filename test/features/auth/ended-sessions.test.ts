import { expect, jest, test } from '@jest/globals';
import { Authentication } from '../../../src/features/auth/authentication.js';
import { findAccountByLogin } from '../../../src/features/auth/accounts/directory.js';
import { endSessions } from '../../../src/features/auth/sign-in/facts.js';
import { signInKeys } from '../../../src/features/auth/sign-in/keys.js';
import { Sessions, sessionsOf } from '../../../src/features/auth/sign-in/sessions.js';
import { CommandContext } from '../../../src/kernel/lanes/command-context.js';
import { Lanes } from '../../../src/kernel/lanes/lanes.js';
import type { Principal } from '../../../src/kernel/routes/request-context.js';
import { SYSTEM } from '../../../src/kernel/routes/request-context.js';
import type { EventStore, StoredEvent } from '../../../src/ports/event-store.js';
import { UnreliableVault } from '../../support/unreliable-vault.js';
import { openUsers } from '../../support/users.js';

const STORE = '01a1fdfa-4600-7000-8000-000000000001';
const BASE = 'http://localhost/console';

/** A user who is signed in, and the process that ends the session: its vault breaks when a test says so. */
async function signedIn() {
  const users = openUsers();
  const { clock, vault, stores } = users;
  const store = Object.assign(Object.create(users.store) as EventStore, { exclusive: false });
  const lanes = new Lanes({ store, vault });
  const profile = { username: 'ana', email: 'ana@casa.example', name: 'Ana' };
  const rights = { role: 'OWNER', permissions: null, active: true } as const;
  const member = { profile, password: 'senha da ana', rights, addressProved: true };
  await users.members.add(users.context(STORE), member, 'commandLine', BASE);
  const account = await findAccountByLogin(lanes, 'ana');
  if (!account) throw new Error('no account');
  const tokenSecret = new Uint8Array(32);
  const sessions = new Sessions({ lanes, vault, clock, keys: signInKeys(tokenSecret) });
  const { userId, epoch } = account;
  const begin = async () => {
    const { tokens, row } = sessions.begin({ userId, epoch, storeId: STORE });
    await vault.write([row]);
    return tokens;
  };
  const tokens = await begin();

  const breaking = new UnreliableVault(vault, false);
  const context = new CommandContext(new Lanes({ store, vault: breaking }), {
    storeId: STORE,
    actor: SYSTEM,
    requestId: 'request',
    seed: users.seed(),
    keyed: false,
    claim: undefined,
    repeatSince: undefined,
  });
  let deliver: (event: StoredEvent) => void = () => undefined;
  const follower = {
    listen(listener: typeof deliver) {
      deliver = listener;
    },
    get provedLiveAt() {
      return clock.now();
    },
  };
  const other = new Authentication({ lanes, vault, clock, stores, tokenSecret }, follower);
  const authenticate = async () => {
    const { accessToken } = tokens;
    return other.authenticate({ accessToken, bearer: undefined, storeSlug: undefined, expectedUser: undefined });
  };
  return {
    breaking,
    begin,
    appends: jest.spyOn(store, 'append'),
    end: async () => endSessions(context, account, await sessionsOf({ lanes, vault, clock }, userId)),
    listed: () => sessionsOf({ lanes, vault, clock }, userId),
    hear: async () => {
      for (const event of await store.readAll('', 100)) deliver(event);
    },
    refresh: async () => (await sessions.refresh(tokens.refreshToken)).outcome,
    wait: (days: number) => {
      users.wait(days * 24 * 3_600_000);
    },
    authenticate,
    isReadmitted: async (principal: Principal) => (await other.readmit(principal)) !== undefined,
    isAdmitted: async () => {
      try {
        await authenticate();
        return true;
      } catch {
        return false;
      }
    },
  };
}

test('a session is over once its end is recorded, be its row still there: another process looks between the two', async () => {
  const { breaking, end, hear, isAdmitted } = await signedIn();
  expect(await isAdmitted()).toBe(true);
  const seen: boolean[] = [];
  breaking.beforeWrite = async () => {
    await hear();
    seen.push(await isAdmitted());
  };
  await end();
  expect([...seen, await isAdmitted()]).toEqual([false, false]);
});

test('a session whose row outlives its end, by a crash, opens nothing and is not renewed', async () => {
  const { breaking, end, listed, refresh, isAdmitted } = await signedIn();
  breaking.failAfterRows = 0;
  await expect(end()).rejects.toThrow('the connection broke');
  expect([await isAdmitted(), await refresh(), await listed()]).toEqual([false, 'refused', []]);
});

test('sessions end together, as each answer waits until every process has heard of it', async () => {
  const { begin, end, listed, appends } = await signedIn();
  for (let more = 0; more < 49; more++) await begin();
  appends.mockClear();
  await end();
  expect([await listed(), appends.mock.calls.length]).toEqual([[], 1]);
});

test('no session comes back by a crash, however many end', async () => {
  const { begin, breaking, end, listed } = await signedIn();
  for (let more = 0; more < 119; more++) await begin();
  breaking.failAfterRows = 0;
  await expect(end()).rejects.toThrow('the connection broke');
  expect(await listed()).toHaveLength(70);
  await end();
  expect(await listed()).toEqual([]);
});

test('who was admitted once is admitted no more when the session has ended by time alone, unless it was renewed', async () => {
  const { authenticate, isReadmitted, refresh, wait } = await signedIn();
  const principal = await authenticate();
  wait(20);
  expect([await refresh(), await isReadmitted(principal)]).toEqual(['refreshed', true]);
  wait(20);
  expect(await isReadmitted(principal)).toBe(true);
  wait(11);
  expect(await isReadmitted(principal)).toBe(false);
});
