import { access } from '../../../src/features/auth/access/decider.js';
import type { Member } from '../../../src/features/auth/access/decider.js';
import { memberServices } from '../../../src/features/auth/access/services.js';
import type { Account } from '../../../src/features/auth/accounts/decider.js';
import { account } from '../../../src/features/auth/accounts/decider.js';
import { readAccessToken } from '../../../src/features/auth/sign-in/access-tokens.js';
import { signInKeys } from '../../../src/features/auth/sign-in/keys.js';
import type { Asked, Caller, Told } from '../request-orders/asking.js';
import { ask } from '../request-orders/asking.js';
import { TOKEN_SECRET } from '../request-orders/ground.js';
import { Repeats } from '../request-orders/repeats.js';
import { hashed } from '../request-orders/ports.js';
import { MAIL } from '../request-orders/service-process.js';
import type { ServiceProcess } from '../request-orders/service-process.js';
import type { World } from '../request-orders/world.js';
import type { Listener } from './listening.js';

const KEYS = signInKeys(TOKEN_SECRET);

export interface Store {
  readonly id: string;
  readonly slug: string;
}

/** A session that somebody was given, and, once that was answered, why it must open nothing any more. */
export interface Given {
  readonly sid: string;
  readonly userId: string;
  readonly storeId: string;
  /** The one that it came from by switching stores. */
  readonly from: string | undefined;
  readonly givenAt: number;
  access: string;
  refresh: string;
  ended?: { readonly at: number; readonly why: string };
}

/** A token of a sign-in that is half done, and the secret that it was shown with. */
interface Halfway {
  readonly kind: 'pending' | 'enrollment';
  readonly token: string;
  secret?: string;
}

export interface Key {
  readonly id: string;
  readonly text: string;
  readonly slug: string;
  /** Whether somebody has begun to revoke it. */
  isEnding: boolean;
  /** When its revocation was answered. */
  ended?: number;
}

export const USERNAMES = ['ana', 'bia', 'caio', 'duda', 'elza', 'fabi'];
export const ADDRESSES = ['a@x.br', 'b@x.br', 'c@x.br', 'd@x.br'];

/** People of two stores, what they were given, and what must not work any more. */
export class People {
  readonly faults: string[] = [];
  readonly stores: Store[] = [];
  readonly sessions: Given[] = [];
  readonly halfway: Halfway[] = [];
  readonly backupCodes: string[] = [];
  readonly keys: Key[] = [];
  readonly listeners: Listener[] = [];
  /** Nobody can show the secret of a key again: whose answer was not kept gets another. */
  readonly repeats: Repeats;
  private readonly uses = new Set<string>();
  /** The text of every password that was ever stored, by the id of its row. */
  private readonly passwordTexts = new Map<string, string>();
  private moments = 0;
  private names = 0;

  constructor(readonly world: World) {
    this.repeats = new Repeats(world, this.faults, ({ body }) => body?.key === undefined);
    const { vault } = world;
    const write = vault.write.bind(vault);
    vault.write = (rows) => {
      for (const { kind, id, value } of rows)
        if (kind === 'password' && value !== undefined)
          this.passwordTexts.set(id, hashed((value as { readonly hash: string }).hash));
      return write(rows);
    };
  }

  get draws() {
    return this.world.draws;
  }

  /** Moments follow one another, whatever the clock says. */
  moment(): number {
    this.moments += 1;
    return this.moments;
  }

  newName(of: string): string {
    this.names += 1;
    return `${of}-${String(this.names)}`;
  }

  readonly newPassword = (): string => this.newName('Segredo-forte');

  async addByCommandLine(store: Store, username: string, email: string, role: 'OWNER' | 'MANAGER' | 'CASHIER') {
    const { world } = this;
    const process = world.any();
    const { members } = memberServices(process.services);
    const profile = { username, email, name: username };
    const rights = { role, permissions: null, active: true };
    const member = { profile, password: this.newPassword(), rights, addressProved: true };
    await world.done(members.add(process.contextOf(store.id), member, 'commandLine', undefined));
  }

  // What there is, by the log and the vault.

  accounts(): readonly Account[] {
    const states = this.world.log.named('user').map((stream) => this.world.state(account, stream));
    return states.filter((state) => typeof state === 'object');
  }

  /** After so many of its events. */
  accessAt(storeId: string, count?: number) {
    return this.world.state(access, `access-${storeId}`, count);
  }

  members(storeId: string): readonly Member[] {
    return [...this.accessAt(storeId).members.values()];
  }

  passwordOf(userId: string): string | undefined {
    const found = this.accounts().find((one) => one.userId === userId);
    return found && this.passwordTexts.get(found.passwordId);
  }

  /** What an account's states were since a position of the log, that at the position included. */
  statesSince(userId: string, position: string): readonly Account[] {
    const events = this.world.log.of(`user-${userId}`);
    const before = events.filter((event) => event.position <= position).length;
    const counts = Array.from({ length: events.length - before + 1 }, (_, index) => before + index);
    const states = counts.map((count) => this.world.state(account, `user-${userId}`, count));
    return states.filter((state) => typeof state === 'object');
  }

  /** Whether a password was the account's at any time since. */
  wasPassword(text: string, userId: string, position: string): boolean {
    return this.statesSince(userId, position).some(({ passwordId }) => this.passwordTexts.get(passwordId) === text);
  }

  /** Whether a session has not ended, whoever was told so. */
  async isStanding({ userId, sid }: Given): Promise<boolean> {
    const row = await this.world.vault.get('session', `${userId}/${sid}`);
    const held = this.accounts().find((one) => one.userId === userId);
    const { epoch } = (row?.value ?? {}) as { readonly epoch?: number };
    return held !== undefined && held.epoch === epoch && !held.endedSessions.includes(sid);
  }

  async tokensMailed(subject: string): Promise<readonly string[]> {
    const rows = await this.world.vault.list(MAIL, { limit: 1_000 });
    const mails = rows.map(
      ({ value }) => (value as { readonly mail: { readonly subject: string; readonly text: string } }).mail,
    );
    const wanted = mails.filter((mail) => mail.subject.startsWith(subject));
    return wanted.flatMap(({ text }) => /[A-Za-z0-9_-]{43}/.exec(text)?.[0] ?? []);
  }

  secretsOfFactors(): Promise<readonly string[]> {
    return this.world.vault
      .list('totp', { limit: 1_000 })
      .then((rows) => rows.map(({ value }) => (value as { readonly secret: string }).secret));
  }

  // What is asked, and what the answers mean.

  start(what: string, work: (process: ServiceProcess) => Promise<unknown>): void {
    this.world.begin(this.world.any(), what, work);
  }

  askPublic(process: ServiceProcess, path: string, body: object | undefined, caller: Caller = {}): Promise<Told> {
    return ask(process, { method: 'post', path, body }, caller);
  }

  /** What somebody asks in a session: once that has ended, it is refused. */
  async askIn(process: ServiceProcess, session: Given, asked: Asked): Promise<Told> {
    const { ended } = session;
    const begun = this.moment();
    const told = await ask(process, asked, callerOf(session));
    const isOver = ended !== undefined && ended.at < begun;
    if (isOver && told.status !== 401 && told.status !== 503)
      this.faults.push(`an ended session works: ${ended.why}, ${asked.method} ${asked.path} ${String(told.status)}`);
    return told;
  }

  /** Remembers the session of an answer. */
  note({ session }: Told, from?: string): Given | undefined {
    if (!session || session === 'ended') return undefined;
    const claims = readAccessToken(KEYS.accessTokens, session.access, this.world.schedule.now);
    if (!claims) return undefined;
    const { sessionId: sid, userId, storeId } = claims;
    const known = this.sessions.find((one) => one.sid === sid);
    const given = known ?? { sid, userId, storeId, from, givenAt: this.moment(), ...session };
    Object.assign(given, session);
    if (!known) this.sessions.push(given);
    return given;
  }

  /**
   * The answer says that sessions have ended: those that were given before it was asked for must open nothing from now on. Where somebody
   * else was faster, that one's answer says so.
   */
  end(told: Pick<Told, 'requestId'>, which: (session: Given) => boolean, askedAt: number, why: string): void {
    if (this.world.hasRecorded(told)) this.ended(which, askedAt, why);
  }

  ended(which: (session: Given) => boolean, askedAt: number, why: string): void {
    const at = this.moment();
    for (const session of this.sessions)
      if (!session.ended && session.givenAt < askedAt && which(session)) session.ended = { at, why };
  }

  /** What works once worked. */
  once(what: string): void {
    if (this.uses.has(what)) this.faults.push(`used twice: ${what}`);
    this.uses.add(what);
  }

  /** Sessions that came from one another by switching stores. */
  chainOf(sid: string): ReadonlySet<string> {
    const chain = new Set([sid]);
    for (let size = 0; size !== chain.size;) {
      size = chain.size;
      for (const { sid: own, from } of this.sessions) {
        if (from === undefined || !(chain.has(from) || chain.has(own))) continue;
        chain.add(own).add(from);
      }
    }
    return chain;
  }

  /** One of the last, mostly one that has not ended. */
  anySession(): Given | undefined {
    const list = this.draws.chance(0.75) ? this.sessions.filter(({ ended }) => !ended) : this.sessions;
    return list.length === 0 ? undefined : this.draws.of(list.slice(-8));
  }

  storeOf({ storeId }: Given): Store {
    const found = this.stores.find(({ id }) => id === storeId);
    if (!found) throw new Error('there is no such store');
    return found;
  }

  anyMember({ storeId }: Given): Member | undefined {
    const members = this.members(storeId);
    return members.length === 0 ? undefined : this.draws.of(members);
  }
}

export const callerOf = ({ access, refresh }: Given): Caller => ({ accessToken: access, refreshToken: refresh });
