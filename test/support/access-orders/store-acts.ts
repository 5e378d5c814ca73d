import { permissionsOf } from '../../../src/features/auth/access/decider.js';
import type { FeatureServices } from '../../../src/features/contracts/feature.js';
import { UserAdministration } from '../../../src/operations/user-administration.js';
import type { Told } from '../request-orders/asking.js';
import { ask } from '../request-orders/asking.js';
import type { ServiceProcess } from '../request-orders/service-process.js';
import type { Given, Key, People, Store } from './people.js';
import { ADDRESSES, USERNAMES } from './people.js';

/** How a store is administered: its users, its keys, and what is done on the command line. */

const ROLES = ['OWNER', 'OWNER', 'MANAGER', 'CASHIER'] as const;

/** Whether who asks was allowed to manage users at any time since. */
function managedUsers(people: People, { storeId, userId }: Given, position: string): boolean {
  const stream = `access-${storeId}`;
  const events = people.world.log.of(stream);
  const before = events.filter((event) => event.position <= position).length;
  return Array.from({ length: events.length - before + 1 }, (_, index) => before + index).some((count) => {
    const members = [...people.accessAt(storeId, count).members.values()];
    return members.some((one) => one.userId === userId && one.active && permissionsOf(one).includes('users.manage'));
  });
}

/** Changes users as somebody who may, or must not. */
function startManaging(
  people: People,
  what: string,
  session: Given,
  asked: Parameters<People['askIn']>[2],
  done: (told: Told, begun: number) => void,
) {
  people.repeats.start(what, async (process, key) => {
    const begun = people.moment();
    const { head } = people.world.log;
    const told = await people.askIn(process, session, { ...asked, key });
    if (told.status >= 300 || !people.world.hasRecorded(told)) return told;
    if (!managedUsers(people, session, head)) people.faults.push(`who must not has: ${what}`);
    done(told, begun);
    return told;
  });
}

export function addUser(people: People): void {
  const { draws } = people;
  const session = people.anySession();
  if (!session) return;
  const username = draws.of(USERNAMES);
  const named = { username, email: draws.of(ADDRESSES), name: username };
  const body = { ...named, password: people.newPassword(), role: draws.of(ROLES) };
  const what = `add ${username} ${body.email} ${body.role}`;
  startManaging(people, what, session, { method: 'post', path: '/users', body }, () => undefined);
}

export function changeUser(people: People): void {
  const { draws } = people;
  const session = people.anySession();
  const member = session && people.anyMember(session);
  if (!session || !member) return;
  const { memberId, userId } = member;
  const body = {
    ...(draws.chance(0.4) ? { active: draws.chance(0.5) } : {}),
    ...(draws.chance(0.4) ? { role: draws.of(ROLES) } : {}),
    ...(draws.chance(0.3) ? { username: draws.of(USERNAMES) } : {}),
    ...(draws.chance(0.3) ? { email: draws.of(ADDRESSES) } : {}),
    ...(draws.chance(0.2) ? { password: people.newPassword() } : {}),
  };
  const ofUser = (one: Given) => one.userId === userId;
  const asked = { method: 'patch', path: '/users/{id}', params: { id: memberId }, body };
  startManaging(people, `change ${memberId.slice(-4)} ${JSON.stringify(body)}`, session, asked, (told, begun) => {
    if (body.active === false)
      people.end(told, (one) => ofUser(one) && one.storeId === session.storeId, begun, 'sent out');
    if (body.password !== undefined) people.end(told, ofUser, begun, 'password given by the store');
  });
}

export function removeUser(people: People): void {
  const session = people.anySession();
  const member = session && people.anyMember(session);
  if (!session || !member) return;
  const { memberId, userId } = member;
  const asked = { method: 'delete', path: '/users/{id}', params: { id: memberId } };
  startManaging(people, `remove ${memberId.slice(-4)}`, session, asked, (told, begun) => {
    people.end(told, (one) => one.userId === userId && one.storeId === session.storeId, begun, 'removed');
  });
}

export function useKeys(people: People): void {
  const { draws } = people;
  const session = people.anySession();
  const known = people.keys.length > 0 ? draws.of(people.keys) : undefined;
  if (known && draws.chance(0.5)) tryKey(people, known);
  else if (!session) return;
  else if (known && known.slug === people.storeOf(session).slug && draws.chance(0.5)) revokeKey(people, session, known);
  else makeKey(people, session);
}

function tryKey(people: People, key: Key): void {
  const { id, text, slug } = key;
  people.start(`try key ${id.slice(-4)}`, async (process) => {
    const begun = people.moment();
    const { ended } = key;
    const told = await ask(process, { method: 'get', path: '/auth/me' }, { bearer: text, storeSlug: slug });
    if (ended !== undefined && ended < begun && told.status === 200) people.faults.push('a revoked key works');
    if (!key.isEnding && ![200, 503].includes(told.status))
      people.faults.push(`a key does not work: ${String(told.status)} ${told.code ?? ''}`);
    return told.status;
  });
}

function revokeKey(people: People, session: Given, known: Key): void {
  known.isEnding = true;
  people.repeats.start(`revoke key ${known.id.slice(-4)}`, async (process, key) => {
    const asked = { method: 'delete', path: '/api-keys/{id}', params: { id: known.id }, key };
    const told = await people.askIn(process, session, asked);
    if (told.status === 204) known.ended ??= people.moment();
    return told;
  });
}

function makeKey(people: People, session: Given): void {
  const { slug } = people.storeOf(session);
  people.repeats.start('new key', async (process, key) => {
    const told = await people.askIn(process, session, {
      method: 'post',
      path: '/api-keys',
      body: { name: 'Caixa' },
      key,
    });
    const { id, key: text } = told.body ?? {};
    if (told.status !== 201 || text === undefined || people.keys.some((one) => one.text === text)) return told;
    // A repeat whose answer was not kept makes a secret anew, and the first is none any more.
    for (const one of people.keys) if (one.id === id) one.isEnding = true;
    people.keys.push({ id, text, slug, isEnding: people.keys.some((one) => one.id === id) });
    return told;
  });
}

const administration = (process: ServiceProcess): UserAdministration =>
  new UserAdministration({
    ...(process.services as Pick<FeatureServices, 'lanes' | 'vault' | 'clock' | 'hasher'>),
    expectStore: (slug) => process.services.stores.bySlug(slug) as never,
    contextFor: (id) => process.contextOf(id),
  });

export function useCommandLine(people: People): void {
  const { draws } = people;
  const store = draws.of(people.stores);
  const there = people.accounts().filter(({ stores }) => stores.includes(store.id));
  if (there.length === 0) return;
  const { username, userId } = draws.of(there);
  if (draws.chance(0.5)) {
    setActive(people, store, { username, userId }, draws.chance(0.5));
    return;
  }
  const password = people.newPassword();
  const removeSecondFactor = draws.chance(0.5);
  people.start(`command line: reset ${username} ${password}`, async (process) => {
    const begun = people.moment();
    await administration(process).reset({ store: store.slug, username, password, removeSecondFactor });
    const owner = people.accounts().find((one) => people.passwordOf(one.userId) === password);
    if (owner) people.ended((one) => one.userId === owner.userId, begun, 'reset on the command line');
  });
}

function setActive(
  people: People,
  store: Store,
  user: { readonly username: string; readonly userId: string },
  active: boolean,
) {
  const { username } = user;
  people.start(`command line: ${active ? 'enable' : 'disable'} ${username} ${store.slug}`, async (process) => {
    const begun = people.moment();
    const told = (await administration(process).setActive({ store: store.slug, username }, active)) as {
      readonly id: string;
    };
    const member = people.members(store.id).find(({ memberId }) => memberId === told.id);
    if (active || !member) return told;
    people.ended((one) => one.userId === member.userId && one.storeId === store.id, begun, 'disabled');
    return told;
  });
}
