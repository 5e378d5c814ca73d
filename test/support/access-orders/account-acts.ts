import type { Given, People } from './people.js';
import { ADDRESSES, USERNAMES } from './people.js';

/** What people do to their sessions and accounts, signed in or with what was mailed to them. */

export function endOne(people: People): void {
  const session = people.anySession();
  const own = people.sessions.filter(({ userId }) => userId === session?.userId);
  if (!session || own.length === 0) return;
  const other = people.draws.of(own.slice(-4));
  people.repeats.start(`end session ${other.sid.slice(-4)}`, async (process, key) => {
    const begun = people.moment();
    const asked = { method: 'delete', path: '/auth/sessions/{id}', params: { id: other.sid }, key };
    const told = await people.askIn(process, session, asked);
    const chain = people.chainOf(other.sid);
    if (told.status === 204) people.end(told, ({ sid }) => chain.has(sid), begun, 'ended from afar');
    return told;
  });
}

export function endOthers(people: People): void {
  const session = people.anySession();
  if (!session) return;
  const isMeant = (one: Given) => one.userId === session.userId && one !== session;
  people.repeats.start(`end sessions beside ${session.sid.slice(-4)}`, async (process, key) => {
    const begun = people.moment();
    const told = await people.askIn(process, session, { method: 'delete', path: '/auth/sessions', key });
    if (told.status === 204) people.end(told, isMeant, begun, 'all ended from afar');
    return told;
  });
}

export function listSessions(people: People): void {
  const session = people.anySession();
  if (!session) return;
  const { sid, userId } = session;
  people.start('sessions', async (process) => {
    const { head } = people.world.log;
    const isMeant = await people.isStanding(session);
    const told = await people.askIn(process, session, { method: 'get', path: '/auth/sessions' });
    const ids = told.status === 200 ? (told.body.items as { readonly id: string }[]).map(({ id }) => id) : [sid];
    const mayHaveEnded = !isMeant || people.statesSince(userId, head).length > 1;
    if (!ids.includes(sid) && !mayHaveEnded) people.faults.push('a session does not list itself');
    return told.status;
  });
}

export function probe(people: People): void {
  const session = people.anySession();
  if (!session) return;
  people.start(`probe ${session.sid.slice(-4)}`, async (process) => {
    const told = await people.askIn(process, session, { method: 'get', path: '/auth/me' });
    if (told.status === 200 && told.body.id !== session.userId) people.faults.push('a session is somebody else');
    return told.status;
  });
}

const currentPassword = (people: People, { userId }: Given): string =>
  (people.draws.chance(0.9) ? people.passwordOf(userId) : undefined) ?? 'falsch';

export function changePassword(people: People): void {
  const session = people.anySession();
  if (!session) return;
  const body = { password: people.newPassword(), currentPassword: currentPassword(people, session) };
  people.repeats.start(`password ${body.password}`, async (process, key) => {
    const begun = people.moment();
    const told = await people.askIn(process, session, { method: 'patch', path: '/auth/me', body, key });
    if (told.status !== 200) return told;
    people.end(told, ({ userId }) => userId === session.userId, begun, 'password changed');
    people.note(told);
    return told;
  });
}

export function changeNames(people: People): void {
  const { draws } = people;
  const session = people.anySession();
  if (!session) return;
  const body = {
    currentPassword: currentPassword(people, session),
    ...(draws.chance(0.6) ? { username: draws.of(USERNAMES) } : {}),
    ...(draws.chance(0.5) ? { email: draws.of(ADDRESSES) } : {}),
  };
  people.repeats.start(`names ${JSON.stringify(body)}`, (process, key) =>
    people.askIn(process, session, { method: 'patch', path: '/auth/me', body, key }),
  );
}

export function askForReset(people: People): void {
  const email = people.draws.of(ADDRESSES);
  people.start(`ask for a reset of ${email}`, (process) =>
    people.askPublic(process, '/auth/forgot-password', { email }),
  );
}

export async function reset(people: People): Promise<void> {
  const tokens = await people.tokensMailed('Redefini');
  if (tokens.length === 0) return;
  const token = people.draws.of(tokens.slice(-3));
  const password = people.newPassword();
  people.start(`reset ${password}`, async (process) => {
    const begun = people.moment();
    const told = await people.askPublic(process, '/auth/reset-password', { token, password });
    if (told.status !== 200) return told;
    people.once(`token ${token}`);
    const owner = people.accounts().find(({ userId }) => people.passwordOf(userId) === password);
    if (owner) people.end(told, ({ userId }) => userId === owner.userId, begun, 'reset');
    return told;
  });
}

export async function accept(people: People): Promise<void> {
  const tokens = await people.tokensMailed('Convite');
  if (tokens.length === 0) return;
  const token = people.draws.of(tokens.slice(-3));
  const body = { token, ...(people.draws.chance(0.4) ? { password: people.newPassword() } : {}) };
  people.start(`accept ${token.slice(0, 4)}`, async (process) => {
    const told = await people.askPublic(process, '/users/invitations/accept', body);
    if (told.status === 200) people.once(`token ${token}`);
    return told;
  });
}

export async function prove(people: People): Promise<void> {
  const tokens = await people.tokensMailed('Confirme');
  if (tokens.length === 0) return;
  const token = people.draws.of(tokens.slice(-3));
  people.start(`prove ${token.slice(0, 4)}`, async (process) => {
    const told = await people.askPublic(process, '/auth/email-verifications/confirm', { token });
    if (told.status === 200) people.once(`token ${token}`);
    return told;
  });
}
