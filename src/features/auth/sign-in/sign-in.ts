import { streamName } from '../../../kernel/events/decider.js';
import type { StoreDirectory, StoreFacts } from '../../contracts/feature.js';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import { defined } from '../../../kernel/values/defined.js';
import type { RejectionKind } from '../../../kernel/events/rejection.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Vault } from '../../../ports/vault.js';
import { access, activeMember } from '../access/decider.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import type { Account } from '../accounts/decider.js';
import { findAccount, findAccountByLogin } from '../accounts/directory.js';
import { foldName } from '../accounts/names.js';
import { passwordHashOf } from '../accounts/password-rows.js';
import { noteFact, onAccount } from './facts.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { ENROLLMENT_REQUIRED, NO_STORE, PASSWORD_WRONG, SIGN_IN_REFUSED, TOKEN_INVALID } from './rejections.js';
import type { Sessions, SessionTokens } from './sessions.js';
import { endWrite, firstIdOf, signedInAt } from './sessions.js';
import type { Throttle } from './throttle.js';

interface SignInServices {
  readonly lanes: CommandLanes;
  readonly vault: Vault;
  readonly hasher: PasswordHasher;
  readonly tokens: OneTimeTokens;
  readonly sessions: Sessions;
  readonly passwordThrottle: Throttle;
  readonly stores: StoreDirectory;
}

export interface SignedIn {
  readonly account: Account;
  readonly store: StoreFacts;
  readonly tokens: SessionTokens;
}

type LoginOutcome =
  | { readonly step: 'done'; readonly signedIn: SignedIn }
  | { readonly step: 'second factor' | 'enrollment'; readonly token: string };

/** What a half-finished sign-in remembers: where it leads, and as of when the password was right. */
export interface Halfway {
  readonly storeId: string;
  readonly epoch: number;
  /** The session in which it began; it must still be there, and ends when the new one begins. */
  readonly sessionId?: string;
}

type By = 'password' | 'totp' | 'backupCode' | 'enrollment';

/** Whether the account must set up a second factor before it may work in the store. */
export const lacksFactor = (account: Account, store: StoreFacts): boolean =>
  store.requireTwoFactor && account.factorId === null;

/** What was shown counts no more: the refusal is that of what never did. */
const refusedAs = (kind: RejectionKind) => (error: unknown) => {
  throw error instanceof Rejection && error.kind === CREDENTIAL_INVALID ? new Rejection(kind) : error;
};

/** From a password to a session. */
export class SignIn {
  constructor(private readonly services: SignInServices) {}

  async login(
    { username, password }: { readonly username: string; readonly password: string },
    context: RequestContext,
  ): Promise<LoginOutcome> {
    const { tokens, lanes } = this.services;
    const known = await findAccountByLogin(lanes, username);
    // By what was typed: whether two names belong to one account shows nowhere.
    const counted = `name ${foldName(username)}`;
    const account = await this.checkPassword(known, counted, password, context.client.address);
    if (!account) throw new Rejection(SIGN_IN_REFUSED);
    const store = await this.storeFor(account, context.client.storeSlug);
    const halfway: Halfway = { storeId: store.id, epoch: account.epoch };
    if (account.factorId !== null) {
      return { step: 'second factor', token: await tokens.issue('pending', account.userId, halfway) };
    }
    if (lacksFactor(account, store)) {
      return { step: 'enrollment', token: await tokens.issue('enrollment', account.userId, halfway) };
    }
    const signedIn = await this.start(account, store, 'password', context).catch(refusedAs(SIGN_IN_REFUSED));
    return { step: 'done', signedIn };
  }

  /** The second half: the token was spent, so that the rest of the credentials were right. */
  async complete(userId: string, halfway: Halfway, by: By, context: RequestContext): Promise<SignedIn> {
    const { account, store } = await this.expectMeant(userId, halfway);
    return this.enter(account, store, halfway, by, context);
  }

  /** The session in which the sign-in began ends first. */
  async enter(
    account: Account,
    store: StoreFacts,
    { sessionId }: Halfway,
    by: By,
    context: RequestContext,
  ): Promise<SignedIn> {
    if (sessionId !== undefined) {
      const rows = [endWrite({ userId: account.userId, sessionId })];
      await noteFact(context, account, store.id, { type: 'SignedOut', data: { sessionId } }, rows);
    }
    return this.start(account, store, by, context).catch(refusedAs(TOKEN_INVALID));
  }

  /** What was revoked since the first half stays revoked. */
  async expectMeant(
    userId: string,
    { storeId, epoch, sessionId }: Halfway,
  ): Promise<{ readonly account: Account; readonly store: StoreFacts }> {
    const { lanes, sessions } = this.services;
    const account = await findAccount(lanes, userId);
    const store = account && (await this.memberStore(account, storeId));
    const ended = sessionId !== undefined && !(await sessions.find(userId, sessionId));
    if (!store || account.epoch !== epoch || ended) throw new Rejection(TOKEN_INVALID);
    return { account, store };
  }

  /** Asks who is signed in already for the password, before something that a borrowed session must not do. */
  async expectPassword(account: Account, password: string, address: string): Promise<void> {
    const right = await this.checkPassword(account, `holder ${account.userId}`, password, address);
    if (!right) throw new Rejection(PASSWORD_WRONG);
  }

  /** Costs the same whether the account exists or not, and is counted before it is checked. */
  private checkPassword(
    account: Account | undefined,
    counted: string,
    password: string,
    address: string,
  ): Promise<Account | undefined> {
    const { passwordThrottle, vault, hasher } = this.services;
    return passwordThrottle.guard({ account: counted, address }, async () => {
      const kept = account && (await passwordHashOf(vault, account));
      return (await hasher.verify(password, kept)) ? account : undefined;
    });
  }

  /** The stores that an account can sign in to, in the order in which it joined them. */
  async storesOf(account: Account): Promise<readonly StoreFacts[]> {
    const found = await Promise.all(account.stores.map((storeId) => this.memberStore(account, storeId)));
    return found.filter((store) => store !== undefined);
  }

  async memberStore(account: Account, storeId: string): Promise<StoreFacts | undefined> {
    const { state } = await this.services.lanes.current(access, streamName(access.category, storeId));
    return activeMember(state, account.userId) ? this.services.stores.byId(storeId) : undefined;
  }

  /** A new session in another store; the one before it ends. */
  async switchStore(storeId: string | undefined, context: RequestContext): Promise<SignedIn> {
    const { lanes, sessions } = this.services;
    const { session } = context;
    const account = session && (await findAccount(lanes, session.userId));
    const store = account && storeId !== undefined ? await this.memberStore(account, storeId) : undefined;
    if (!session || !account || !store) throw new Rejection(NO_STORE);
    if (lacksFactor(account, store)) throw new Rejection(ENROLLMENT_REQUIRED);
    // The epoch of the session, not of the account: it may have been revoked a moment ago.
    const current = await sessions.find(session.userId, session.sessionId);
    if (!current) throw new Rejection(CREDENTIAL_INVALID);
    await sessions.sweep(session.userId);
    const { tokens, row } = sessions.begin({
      ...current,
      signedInAt: signedInAt(current),
      firstId: firstIdOf(current),
      storeId: store.id,
    });
    const data = { sessionId: session.sessionId, newSessionId: tokens.sessionId, storeId: store.id };
    const fact = { type: 'StoreSwitched', data } as const;
    // Whoever ends the session meanwhile, from afar or in another tab, ends what would follow from it.
    await onAccount(context, account, store.id, { type: 'note', fact, shown: current }, [row, endWrite(session)]);
    return { account, store, tokens };
  }

  private async storeFor(account: Account, slug: string | undefined): Promise<StoreFacts> {
    const stores = await this.storesOf(account);
    const wanted = slug === undefined ? stores[0] : stores.find((store) => store.slug === slug);
    if (!wanted) throw new Rejection(NO_STORE);
    return wanted;
  }

  async start(account: Account, store: StoreFacts, by: By, context: RequestContext): Promise<SignedIn> {
    const { sessions } = this.services;
    const { userId, epoch } = account;
    await sessions.sweep(userId);
    const { tokens, row } = sessions.begin({
      userId,
      epoch,
      storeId: store.id,
      ...defined({ userAgent: context.client.userAgent }),
    });
    const data = { sessionId: tokens.sessionId, storeId: store.id, by };
    const fact = { type: 'SignedIn', data } as const;
    // Whoever changed the password since it was checked has ended what would begin.
    await onAccount(context, account, store.id, { type: 'note', fact, shown: { epoch } }, [row]);
    return { account, store, tokens };
  }
}
