import { permissionsOf } from '../../../src/features/auth/access/decider.js';
import { memberServices } from '../../../src/features/auth/access/services.js';
import type { Account } from '../../../src/features/auth/accounts/decider.js';
import { findAccountByName } from '../../../src/features/auth/accounts/directory.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import type { VaultRow } from '../../../src/ports/vault.js';
import type { People, Store } from './people.js';
import { USERNAMES } from './people.js';

/** What must not be once everything has come to rest. */
export async function faultsIn(people: People): Promise<readonly string[]> {
  const { world } = people;
  const accounts = people.accounts();
  const [passwords, totps, codes, sessions, keys] = await Promise.all(
    ['password', 'totp', 'backup-codes', 'session', 'api-key'].map((kind) => world.vault.list(kind, { limit: 10_000 })),
  );
  const rows = { passwords: passwords ?? [], totps: totps ?? [], codes: codes ?? [], keys: keys ?? [] };
  return [
    ...faultsOfSecrets(people, accounts, rows),
    ...people.stores.flatMap((store) => faultsOfStore(people, store, accounts, rows.keys)),
    ...faultsOfSessions(people, accounts, sessions ?? []),
    ...(await faultsOfNames(people, accounts)),
    ...world.errors.map((error) => `logged: ${stackOf(error)}`),
  ];
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' | ') : String(error);

type Rows = Readonly<Record<'passwords' | 'totps' | 'codes' | 'keys', readonly VaultRow[]>>;
type Fault = readonly [boolean, string];

const told = (faults: readonly Fault[]): string[] => faults.filter(([is]) => is).map(([, fault]) => fault);

function faultsOfSecrets({ world }: People, accounts: readonly Account[], { passwords, totps, codes }: Rows): string[] {
  const has = (rows: readonly VaultRow[], wanted: string) => rows.some(({ id }) => id === wanted);
  const lacking = accounts.flatMap(({ passwordId, factorId }) =>
    told([
      [!has(passwords, passwordId), 'an account has no password'],
      [factorId !== null && !has(totps, factorId), 'a second factor has no secret'],
      [factorId !== null && !has(codes, factorId), 'a second factor has no codes'],
    ]),
  );
  // Where rows are stored apart from events, what a process has put that died stays: nobody names it.
  if (world.areServers && !world.isWhole) return lacking;
  const isOfNobody = (wanted: (one: Account) => string | null) => (row: VaultRow) =>
    !accounts.some((one) => wanted(one) === row.id);
  const factor = ({ factorId }: Account) => factorId;
  return [
    ...lacking,
    ...passwords
      .filter(isOfNobody(({ passwordId }) => passwordId))
      .map(({ id }) => `a password of nobody stays: ${id}`),
    ...totps.filter(isOfNobody(factor)).map(({ id }) => `a secret of no factor stays: ${id}`),
    ...codes.filter(isOfNobody(factor)).map(({ id }) => `codes of no factor stay: ${id}`),
  ];
}

function faultsOfStore(
  people: People,
  store: Store,
  accounts: readonly Account[],
  rows: readonly VaultRow[],
): string[] {
  const { world } = people;
  const { members, memberByUser, keys } = people.accessAt(store.id);
  const all = [...members.values()];
  const ofMembers = all.flatMap(({ memberId, userId }) => {
    const held = accounts.find((one) => one.userId === userId);
    return told([
      [!held, 'a member has no account'],
      [held !== undefined && !held.stores.includes(store.id), 'the account of a member does not know the store'],
      [memberByUser.get(userId) !== memberId, 'a member is not found by its account'],
    ]);
  });
  const isLeftOver = ({ id, value }: VaultRow) =>
    (value as { readonly storeId: string }).storeId === store.id && !keys.has(id);
  const isNoMember = ({ userId, stores }: Account) =>
    stores.includes(store.id) && !all.some((member) => member.userId === userId);
  return [
    ...ofMembers,
    ...told([
      [[...keys.keys()].some((id) => !rows.some((row) => row.id === id)), 'a key has no secret'],
      [!world.areServers && rows.some(isLeftOver), 'the secret of a key that is none stays'],
      [
        !all.some((one) => one.active && permissionsOf(one).includes('users.manage')),
        `nobody administers ${store.slug}`,
      ],
      [accounts.some(isNoMember), 'an account knows a store that does not know it'],
    ]),
  ];
}

const ENDS = ['SignedOut', 'StoreSwitched', 'RefreshTokenReused'];

function faultsOfSessions(
  { world, sessions }: People,
  accounts: readonly Account[],
  rows: readonly VaultRow[],
): string[] {
  const facts = world.log.events.map(({ type, stream, data }) => ({ type, stream, data: JSON.parse(data) }));
  const isBegun = (sid: string) =>
    facts.some(
      ({ type, data }) =>
        (type === 'SignedIn' && data.sessionId === sid) || (type === 'StoreSwitched' && data.newSessionId === sid),
    );
  const begunByNobody = rows.filter(({ id, value }) => {
    const [userId, sid = ''] = id.split('/');
    const held = accounts.find((one) => one.userId === userId);
    const { epoch } = value as { readonly epoch: number };
    return held?.epoch === epoch && !held.endedSessions.includes(sid) && !isBegun(sid);
  });
  const lost = sessions.filter(({ ended, userId, sid }) => {
    if (ended || rows.some(({ id }) => id === `${userId}/${sid}`)) return false;
    const isToldOf = facts.some(
      ({ type, stream, data }) =>
        (ENDS.includes(type) && data.sessionId === sid) || (type === 'SessionsRevoked' && stream === `user-${userId}`),
    );
    return !isToldOf && accounts.some((one) => one.userId === userId);
  });
  return told([
    [world.isWhole && begunByNobody.length > 0, 'there is a session that nobody began'],
    [lost.length > 0, 'a session is gone, and nothing tells of it'],
  ]);
}

/** Longer than a name is held for a request that is under way. */
const GRACE = 10_000;

/** Every name has one owner, who is found by it, and what nobody has can be had. */
async function faultsOfNames(people: People, accounts: readonly Account[]): Promise<string[]> {
  const { world, stores } = people;
  const [process] = world.processes;
  const [store] = stores;
  if (!process || !store) return [];
  const faults: string[] = [];
  world.schedule.now += GRACE;
  for (const { username, userId } of accounts) {
    const found = await world.done(findAccountByName(process.services.lanes, username));
    if (found?.userId !== userId) faults.push(`${username} has two owners, or is not found`);
  }
  const { members } = memberServices(process.services);
  const free = USERNAMES.filter((name) => !accounts.some(({ username }) => username === name));
  for (const username of free) {
    const profile = { username, email: `${username}@livre.br`, name: username };
    const rights = { role: 'CASHIER', permissions: null, active: true } as const;
    const member = { profile, password: people.newPassword(), rights, addressProved: true };
    const adding = members.add(process.contextOf(store.id), member, 'commandLine', undefined);
    await world.done(adding).catch((error: unknown) => {
      faults.push(`a free user name cannot be had: ${error instanceof Rejection ? error.kind.code : String(error)}`);
    });
  }
  return faults;
}
