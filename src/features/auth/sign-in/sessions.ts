import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { defined } from '../../../kernel/values/defined.js';
import { rowsOf } from '../../../kernel/patterns/vault-rows.js';
import { newId, timeOfId } from '../../../kernel/values/ids.js';
import type { Vault, VaultWrite } from '../../../ports/vault.js';
import type { Account } from '../accounts/decider.js';
import { findAccount } from '../accounts/directory.js';
import { issueAccessToken } from './access-tokens.js';
import type { SignInKeys } from './keys.js';
import type { RefreshState } from './refresh-tokens.js';
import { firstRefreshToken, readRefreshToken, refresh } from './refresh-tokens.js';

const KIND = 'session';
const DAY = 24 * 3_600_000;
/** A session that is not renewed ends after so long. */
const LIVES = 30 * DAY;
/** It ends after so long, however often it is renewed. */
const LONGEST = 90 * DAY;
const LONGEST_USER_AGENT = 200;

interface SessionValue {
  readonly storeId: string;
  /** The account's epoch when it signed in: once that grows, the session is none. */
  readonly epoch: number;
  readonly refresh: RefreshState;
  /** When its user last showed credentials, which switching stores does not change. Absent in rows of earlier releases. */
  readonly signedInAt?: number;
  /** The session in which its user signed in, where it came from that one by switching stores. */
  readonly firstId?: string;
  /** As the browser calls itself. */
  readonly userAgent?: string;
}

export interface Session extends SessionValue {
  readonly userId: string;
  readonly sessionId: string;
}

export interface SessionTokens {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface NewSession {
  readonly tokens: SessionTokens;
  /** To go with the fact that says so. */
  readonly row: VaultWrite;
}

type RefreshOutcome =
  | { readonly outcome: 'refreshed'; readonly session: Session; readonly tokens: SessionTokens }
  | { readonly outcome: 'reused'; readonly userId: string; readonly sessionId: string }
  | { readonly outcome: 'refused' };

/** A session's id begins with the moment in which it was made. */
export const signedInAt = ({ sessionId, signedInAt: known }: Session): number => known ?? timeOfId(sessionId);

/** The same for all that follow from one another by switching stores. */
export const firstIdOf = ({ sessionId, firstId }: Session): string => firstId ?? sessionId;

const endOf = (session: Session): number => signedInAt(session) + LONGEST;

/** When it ends unless it is renewed before. */
export const endsAt = (session: Session): number => Math.min(session.refresh.rotatedAt + LIVES, endOf(session));

/** Where rows are stored apart from events a session's row is deleted after the fact that ended it, if no crash comes between: the fact counts. */
const standsBehind = (account: Account | undefined, { epoch, sessionId }: Session): boolean =>
  account?.epoch === epoch && !account.endedSessions.includes(sessionId);

const rowId = (userId: string, sessionId: string): string => `${userId}/${sessionId}`;

export interface SessionServices {
  readonly lanes: CommandLanes;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly keys: SignInKeys;
}

/** Those of a user that have not ended, the newest first. Rows that outlived their sessions go: an account does not remember for ever what has ended. */
export async function sessionsOf(
  { vault, lanes, clock }: Pick<SessionServices, 'vault' | 'lanes' | 'clock'>,
  userId: string,
): Promise<readonly Session[]> {
  const rows = await rowsOf(vault, KIND, `${userId}/`);
  const account = await findAccount(lanes, userId);
  const now = clock.now();
  const sessions = rows.map(({ id, value }) => ({
    userId,
    sessionId: id.slice(userId.length + 1),
    ...(value as SessionValue),
  }));
  const left = sessions.filter((session) => !standsBehind(account, session));
  if (left.length > 0) await vault.write(left.map(endWrite));
  return sessions
    .filter((session) => standsBehind(account, session) && endOf(session) > now)
    .sort((a, b) => signedInAt(b) - signedInAt(a));
}

/** The write that ends a session; to go with the fact that says so. */
export const endWrite = ({ userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>): VaultWrite => ({
  kind: KIND,
  id: rowId(userId, sessionId),
  value: undefined,
  expected: 'any',
});

/** Signed-in users: rows in the vault, of which the refresh tokens' hashes are a part. */
export class Sessions {
  constructor(private readonly services: SessionServices) {}

  /** `epoch` as it was when the credentials were checked: what was revoked since then ends this session as well. */
  begin(of: Omit<Session, 'sessionId' | 'refresh'>): NewSession {
    const { userId, epoch, storeId, signedInAt, firstId, userAgent } = of;
    const { clock, keys } = this.services;
    const now = clock.now();
    const sessionId = newId(now);
    const { token, state } = firstRefreshToken(keys.refreshTokens, { userId, sessionId, now });
    const session: Session = {
      userId,
      sessionId,
      storeId,
      epoch,
      refresh: state,
      signedInAt: signedInAt ?? now,
      ...defined({ firstId }),
      ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, LONGEST_USER_AGENT) }),
    };
    return { tokens: this.tokens(session, token), row: this.rowOf(session, 'absent') };
  }

  /** Takes away the rows that outlived their sessions, before the account forgets that those have ended. */
  async sweep(userId: string): Promise<void> {
    await sessionsOf(this.services, userId);
  }

  /** The session, when it has not ended. */
  async find(userId: string, sessionId: string): Promise<Session | undefined> {
    return (await this.read(userId, sessionId))?.session;
  }

  async refresh(token: string): Promise<RefreshOutcome> {
    const { keys, clock, vault } = this.services;
    const presented = readRefreshToken(keys.refreshTokens, token);
    if (!presented) return { outcome: 'refused' };
    const { userId, sessionId } = presented;
    for (;;) {
      const found = await this.read(userId, sessionId);
      const refreshed = found && refresh(keys.refreshTokens, presented, found.session.refresh, clock.now());
      if (!found || !refreshed) return { outcome: 'refused' };
      if (refreshed.outcome === 'reused') return { outcome: 'reused', userId, sessionId };
      const { session, version } = found;
      if (refreshed.outcome === 'rotated') {
        const stored = await vault.write([this.rowOf({ ...session, refresh: refreshed.state }, version)]);
        if (!stored) continue; // a parallel refresh was faster: its successor is ours as well
      }
      return { outcome: 'refreshed', session, tokens: this.tokens(session, refreshed.token) };
    }
  }

  private async read(
    userId: string,
    sessionId: string,
  ): Promise<{ readonly session: Session; readonly version: number } | undefined> {
    const { vault, lanes } = this.services;
    const row = await vault.get(KIND, rowId(userId, sessionId));
    if (!row) return undefined;
    const session = { userId, sessionId, ...(row.value as SessionValue) };
    if (endOf(session) <= this.services.clock.now()) return undefined;
    const account = await findAccount(lanes, userId);
    return standsBehind(account, session) ? { session, version: row.version } : undefined;
  }

  private tokens(session: Session, refreshToken: string): SessionTokens {
    const { userId, sessionId, storeId } = session;
    const { keys, clock } = this.services;
    const claims = { userId, sessionId, storeId };
    const accessToken = issueAccessToken(keys.accessTokens, claims, clock.now(), endOf(session));
    return { sessionId, accessToken, refreshToken };
  }

  private rowOf(session: Session, expected: number | 'absent'): VaultWrite {
    const { userId, sessionId, ...value } = session;
    const expiresAt = endsAt(session);
    return { kind: KIND, id: rowId(userId, sessionId), value, expected, expiresAt, endsWhenRefused: true };
  }
}
