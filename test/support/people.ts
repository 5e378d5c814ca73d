import { generateSync } from 'otplib';
import { createUserInput } from '../../src/operations/administration.js';
import type { Role } from '../../src/features/contracts/permissions.js';
import type { StoredEvent } from '../../src/ports/event-store.js';
import { START } from '../../src/ports/event-store.js';
import type { Visit } from './browser.js';
import { Browser } from './browser.js';
import { mailedToken } from './outbox.js';
import type { Answer, StoreClient, World } from './world.js';

/** A clock that stands still unless it is told how long to wait. */
export class SetClock {
  private time = Date.parse('2026-03-02T12:00:00Z');

  readonly now = (): number => this.time;

  wait(milliseconds: number): void {
    this.time += milliseconds;
  }
}

export interface Person {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

let people = 0;

/** Somebody with an account in a store, made as the administration makes it. */
export async function newPerson(world: World, store: StoreClient, role: Role = 'OWNER'): Promise<Person> {
  const username = `pessoa-${String(++people)}`;
  const person = { username, email: `${username}@casa.example`, password: `senha de ${username} x7` };
  const { userId } = await world.service.core.administration.createUser(
    createUserInput.parse({ store: store.slug, ...person, role, name: 'Ana Lima' }),
  );
  return { userId, ...person };
}

/** Makes the person a member of another store as well, by invitation. */
export async function joinStore(
  world: World,
  person: Pick<Person, 'email'>,
  store: StoreClient,
  role: Role = 'CASHIER',
): Promise<void> {
  const username = `convite-${String(++people)}`;
  const invitation = { username, email: person.email, name: 'x', password: 'nunca usada 123', role };
  await expectOk(store.call('POST', '/users', invitation));
  const token = await mailedToken(world.dataDir, person.email);
  await expectOk(new Browser(world.url).post('/users/invitations/accept', { token }));
}

export const login = (browser: Browser, { username, password }: Person): Promise<Answer> =>
  browser.post('/auth/login', { username, password });

/** A browser in which the person is signed in. */
export async function signedIn(world: World, person: Person, visit?: Visit): Promise<Browser> {
  const browser = new Browser(world.url, visit);
  await expectOk(login(browser, person));
  return browser;
}

export const codeAt = (secret: string, now: number): string => generateSync({ secret, epoch: Math.floor(now / 1000) });

/** Six digits that are not the code of any step around. */
export function wrongCodeAt(secret: string, now: number): string {
  const near = [-60_000, -30_000, 0, 30_000, 60_000].map((distance) => codeAt(secret, now + distance));
  for (let number = 0; ; number++) {
    const code = String(number).padStart(6, '0');
    if (!near.includes(code)) return code;
  }
}

export interface Enrolled {
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** Sets up a second factor for who is signed in; a step of the code passes. */
export async function enroll(browser: Browser, clock: SetClock): Promise<Enrolled> {
  const { enrollmentToken } = (await expectOk(browser.post('/auth/2fa/enrollment'))) as { enrollmentToken: string };
  return finishEnrollment(browser, clock, enrollmentToken);
}

export async function finishEnrollment(browser: Browser, clock: SetClock, enrollmentToken: string): Promise<Enrolled> {
  const { secret } = (await expectOk(browser.post('/auth/2fa/enroll/setup', { enrollmentToken }))) as Enrolled;
  const confirmation = { enrollmentToken, code: codeAt(secret, clock.now()) };
  const { backupCodes } = (await expectOk(browser.post('/auth/2fa/enroll/confirm', confirmation))) as Enrolled;
  clock.wait(30_000);
  return { secret, backupCodes };
}

/** The first half of a sign-in. */
export async function pendingToken(browser: Browser, person: Person): Promise<string> {
  const answer = (await expectOk(login(browser, person))) as { pendingToken: string };
  return answer.pendingToken;
}

export async function expectOk(asked: Promise<Answer>): Promise<unknown> {
  const { status, text, body } = await asked;
  if (status >= 300) throw new Error(`answered ${String(status)}: ${text}`);
  return body as unknown;
}

/** Status and code: what a refusal is. */
export const refusal = ({ status, body }: Answer): readonly unknown[] => [
  status,
  (body as { code?: string } | undefined)?.code,
];

/** Every event that was ever recorded. */
export async function wholeLog(world: World): Promise<readonly StoredEvent[]> {
  const { eventStore } = world.service.core.engines;
  const all: StoredEvent[] = [];
  for (let after = START; ;) {
    const events = await eventStore.readAll(after, 1_000);
    const last = events.at(-1);
    if (!last) return all;
    all.push(...events);
    after = last.position;
  }
}

/** What a person's own history says, by type. */
export async function historyOf(world: World, { userId }: Person): Promise<readonly string[]> {
  return (await wholeLog(world)).filter(({ stream }) => stream === `user-${userId}`).map(({ type }) => type);
}
