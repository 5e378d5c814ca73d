import { generateSync } from 'otplib';
import type { People } from './people.js';
import { ADDRESSES, callerOf, USERNAMES } from './people.js';

/** How people sign in, stay signed in, set up a second factor and give it up. */

const codeOf = ({ world }: People, secret: string): string =>
  generateSync({ secret, epoch: Math.floor(world.schedule.now / 1_000) });

function drawnLogin(people: People): { readonly name: string; readonly password: string } {
  const { draws } = people;
  const accounts = people.accounts();
  if (accounts.length === 0 || draws.chance(0.1))
    return { name: draws.of([...USERNAMES, ...ADDRESSES]), password: 'falsch' };
  const { userId, username, email } = draws.of(accounts);
  const other = draws.of(accounts).userId;
  const password = people.passwordOf(draws.chance(0.9) ? userId : other) ?? '';
  return { name: draws.chance(0.7) ? username : email, password };
}

export function login(people: People): void {
  const { name, password } = drawnLogin(people);
  logInAs(people, name, password, people.draws.chance(0.5) ? undefined : people.draws.of(people.stores).slug);
}

export function logInAs(people: People, name: string, password: string, storeSlug?: string): void {
  people.start(`login ${name} ${password}`, async (process) => {
    const { head } = people.world.log;
    const told = await people.askPublic(process, '/auth/login', { username: name, password }, { storeSlug });
    if (told.status !== 200) return told;
    const { pendingToken, enrollmentToken } = told.body;
    if (pendingToken) people.halfway.push({ kind: 'pending', token: pendingToken });
    if (enrollmentToken) people.halfway.push({ kind: 'enrollment', token: enrollmentToken });
    const given = people.note(told);
    if (given && !people.wasPassword(password, given.userId, head)) people.faults.push('a password opens that is none');
    if (given && people.statesSince(given.userId, head).every(({ factorId }) => factorId !== null))
      people.faults.push('a second factor is left out');
    return told;
  });
}

export async function verify(people: People): Promise<void> {
  const { draws, world } = people;
  const pending = people.halfway.filter(({ kind }) => kind === 'pending').slice(-3);
  const secrets = (await people.secretsOfFactors()).slice(-3);
  if (pending.length === 0 || secrets.length === 0) return;
  const { token } = draws.of(pending);
  const isOnPaper = draws.chance(0.4) && people.backupCodes.length > 0;
  const secret = draws.of(secrets);
  const code = isOnPaper ? draws.of(people.backupCodes.slice(-12)) : codeOf(people, secret);
  const path = isOnPaper ? '/auth/2fa/recover' : '/auth/2fa/verify';
  const body = isOnPaper ? { pendingToken: token, backupCode: code } : { pendingToken: token, code };
  people.start(`${path} ${code}`, async (process) => {
    const told = await people.askPublic(process, path, body);
    if (told.status !== 200) return told;
    people.once(`code ${isOnPaper ? '' : secret} ${code}`);
    people.once(`token ${token}`);
    people.note(told);
    return told;
  });
  if (draws.chance(0.2)) world.schedule.now += 31_000;
}

export function enroll(people: People): void {
  const { draws } = people;
  const open = people.halfway.filter(({ kind }) => kind === 'enrollment').slice(-2);
  const chosen = draws.chance(0.75) && open.length > 0 ? draws.of(open) : undefined;
  if (!chosen) beginEnrollment(people);
  else if (chosen.secret === undefined || draws.chance(0.2)) setUp(people, chosen.token);
  else confirm(people, chosen.token, chosen.secret);
}

export function beginEnrollment(people: People): void {
  const session = people.anySession();
  if (!session) return;
  people.start('enrollment', async (process) => {
    const asked = { method: 'post', path: '/auth/2fa/enrollment', body: {} };
    const told = await people.askIn(process, session, asked);
    if (told.status === 201) people.halfway.push({ kind: 'enrollment', token: told.body.enrollmentToken });
    return told;
  });
}

export function setUp(people: People, enrollmentToken: string): void {
  people.start('setup', async (process) => {
    const told = await people.askPublic(process, '/auth/2fa/enroll/setup', { enrollmentToken });
    const half = people.halfway.find(({ token }) => token === enrollmentToken);
    if (told.status === 200 && half) half.secret = told.body.secret;
    return told.status;
  });
}

export function confirm(people: People, enrollmentToken: string, secret: string): void {
  const body = { enrollmentToken, code: codeOf(people, secret) };
  people.start('confirm', async (process) => {
    const told = await people.askPublic(process, '/auth/2fa/enroll/confirm', body);
    if (told.status !== 200) return told;
    people.once(`token ${enrollmentToken}`);
    people.backupCodes.push(...(told.body.backupCodes as string[]));
    people.note(told);
    return told.status;
  });
}

export async function switchOff(people: People): Promise<void> {
  const { draws } = people;
  const session = people.anySession();
  const secrets = (await people.secretsOfFactors()).slice(-3);
  if (!session || secrets.length === 0) return;
  const isOnPaper = draws.chance(0.4) && people.backupCodes.length > 0;
  const code = isOnPaper ? draws.of(people.backupCodes.slice(-12)) : codeOf(people, draws.of(secrets));
  const body = { password: people.passwordOf(session.userId) ?? 'falsch', code };
  people.start('second factor off', (process) =>
    people.askIn(process, session, { method: 'delete', path: '/auth/2fa', body }),
  );
}

export function refresh(people: People): void {
  const session = people.anySession();
  if (!session) return;
  people.start(`refresh ${session.sid.slice(-4)}`, async (process) => {
    const begun = people.moment();
    const { ended } = session;
    const told = await people.askPublic(process, '/auth/refresh', undefined, { refreshToken: session.refresh });
    if (told.status !== 200) return told;
    if (ended && ended.at < begun) people.faults.push(`an ended session is renewed: ${ended.why}`);
    people.note(told);
    return told;
  });
}

export function logout(people: People): void {
  const session = people.anySession();
  if (!session) return;
  people.start(`logout ${session.sid.slice(-4)}`, async (process) => {
    const begun = people.moment();
    const told = await people.askPublic(process, '/auth/logout', undefined, callerOf(session));
    if (told.status === 200) people.end(told, (one) => one === session, begun, 'logout');
    return told;
  });
}

export function switchStore(people: People): void {
  const session = people.anySession();
  if (!session) return;
  const { slug } = people.draws.of(people.stores);
  people.start(`switch ${session.sid.slice(-4)} to ${slug}`, async (process) => {
    const begun = people.moment();
    const asked = { method: 'post', path: '/auth/switch-store', body: { storeSlug: slug } };
    const told = await people.askIn(process, session, asked);
    if (told.status !== 200) return told;
    people.note(told, session.sid);
    people.end(told, (one) => one === session, begun, 'switched');
    return told;
  });
}
