import type { Lanes } from '../../../kernel/lanes.js';
import type { Clock } from '../../../kernel/clock.js';
import { streamName } from '../../../kernel/decider.js';
import { newId } from '../../../kernel/ids.js';
import type { Vault, VaultRow, VaultWrite } from '../../../ports/vault.js';
import type { Account } from '../accounts/decider.js';
import { account as accounts } from '../accounts/decider.js';
import { issueAccessToken } from './access-tokens.js';
import type { SignInKeys } from './keys.js';
import type { RefreshState } from './refresh-tokens.js';
import { firstRefreshToken, readRefreshToken, refresh } from './refresh-tokens.js';

const KIND = 'session';
const LIVES = 30 * 24 * 3_600_000;

interface SessionValue {
  readonly storeId: string;
  /** Of the account when it signed in: once that grows, the session is none. */
  readonly epoch: number;
  readonly refresh: RefreshState;
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

export type RefreshOutcome =
  | { readonly outcome: 'refreshed'; readonly session: Session; readonly tokens: SessionTokens }
  | { readonly outcome: 'reused'; readonly userId: string; readonly sessionId: string }
  | { readonly outcome: 'refused' };

const rowId = (userId: string, sessionId: string): string => `${userId}/${sessionId}`;

export interface SessionServices {
  readonly lanes: Lanes;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly keys: SignInKeys;
}

/** Signed-in users: rows in the vault, of which the refresh tokens' hashes are a part. */
export class Sessions {
  constructor(private readonly services: SessionServices) {}

  /** `account` as it was when the credentials were checked: what was revoked since then ends this session as well. */
  async start(account: Account, storeId: string): Promise<SessionTokens> {
    const { clock, keys } = this.services;
    const now = clock.now();
    const sessionId = newId(now);
    const { userId, epoch } = account;
    const { token, state } = firstRefreshToken(keys.refreshTokens, { userId, sessionId, now });
    await this.store({ userId, sessionId, storeId, epoch, refresh: state }, 'absent');
    return this.tokens({ userId, sessionId, storeId }, token);
  }

  /** The session, when it has not ended. */
  async find(userId: string, sessionId: string): Promise<Session | undefined> {
    const row = await this.row(userId, sessionId);
    if (!row) return undefined;
    const session = { userId, sessionId, ...(row.value as SessionValue) };
    const { state } = await this.services.lanes.current(accounts, streamName(accounts.category, userId));
    return typeof state !== 'string' && state.epoch === session.epoch ? session : undefined;
  }

  async refresh(token: string): Promise<RefreshOutcome> {
    const { keys, clock } = this.services;
    const presented = readRefreshToken(keys.refreshTokens, token);
    if (!presented) return { outcome: 'refused' };
    const { userId, sessionId } = presented;
    for (;;) {
      const session = await this.find(userId, sessionId);
      const row = await this.row(userId, sessionId);
      if (!session || !row) return { outcome: 'refused' };
      const value = row.value as SessionValue;
      const refreshed = refresh(keys.refreshTokens, presented, value.refresh, clock.now());
      if (!refreshed) return { outcome: 'refused' };
      if (refreshed.outcome === 'reused') return { outcome: 'reused', userId, sessionId };
      const next = { ...session, ...value };
      if (refreshed.outcome === 'rotated') {
        const stored = await this.store({ ...next, refresh: refreshed.state }, row.version);
        if (!stored) continue; // a parallel refresh was faster: its successor is ours as well
      }
      return { outcome: 'refreshed', session: next, tokens: this.tokens(next, refreshed.token) };
    }
  }

  /** The write that ends a session; to go with the fact that says so. */
  endWrite(userId: string, sessionId: string): VaultWrite {
    return { kind: KIND, id: rowId(userId, sessionId), value: undefined, expected: 'any' };
  }

  private tokens(of: Pick<Session, 'userId' | 'sessionId' | 'storeId'>, refreshToken: string): SessionTokens {
    const { keys, clock } = this.services;
    const { userId, sessionId, storeId } = of;
    const accessToken = issueAccessToken(keys.accessTokens, { userId, sessionId, storeId }, clock.now());
    return { sessionId, accessToken, refreshToken };
  }

  private row(userId: string, sessionId: string): Promise<VaultRow | undefined> {
    return this.services.vault.get(KIND, rowId(userId, sessionId));
  }

  private store(session: Session, expected: number | 'absent'): Promise<boolean> {
    const { userId, sessionId, storeId, epoch, refresh: state } = session;
    const value: SessionValue = { storeId, epoch, refresh: state };
    const expiresAt = this.services.clock.now() + LIVES;
    return this.services.vault.write([{ kind: KIND, id: rowId(userId, sessionId), value, expected, expiresAt }]);
  }
}
