import type { IfMatch } from '../../../kernel/events/if-match.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import type { Account, Profile, Shown } from '../accounts/decider.js';
import { expectSeen } from '../accounts/decider.js';
import { findAccount } from '../accounts/directory.js';
import { passwordWrite } from '../accounts/password-rows.js';
import { commitChange, prepareChange, profileChangedBefore } from '../accounts/registration.js';
import { onAccount } from './facts.js';
import type { AuthServices } from './services.js';
import type { Session } from './sessions.js';
import type { SignedIn } from './sign-in.js';

/** The account of who is signed in. */
export async function ownAccount({ lanes }: Pick<AuthServices, 'lanes'>, context: RequestContext): Promise<Account> {
  const account = context.session && (await findAccount(lanes, context.session.userId));
  if (!account) throw new Rejection(CREDENTIAL_INVALID);
  return account;
}

/** The session in which somebody asks, by which a change is refused that was overtaken by its end. */
export async function shownSession(
  { sessions }: Pick<AuthServices, 'sessions'>,
  { session }: RequestContext,
): Promise<Session> {
  const found = session && (await sessions.find(session.userId, session.sessionId));
  if (!found) throw new Rejection(CREDENTIAL_INVALID);
  return found;
}

interface OwnChange {
  readonly profile: Partial<Profile>;
  readonly password?: string | undefined;
  /** Needed for everything but the name. */
  readonly currentPassword?: string | undefined;
}

/** Gives a new session when the password was changed, which ends all that there were. */
export async function changeOwnAccount(
  services: AuthServices,
  { profile, password, currentPassword }: OwnChange,
  context: RequestContext,
): Promise<SignedIn | undefined> {
  const { signIn, hasher, addressProofs } = services;
  const { pagesUrl } = context.client;
  const account = await ownAccount(services, context);
  // A repeat comes to an account that its first run has changed already.
  const ifMatch = (await profileChangedBefore(context, account.userId)) ? undefined : context.ifMatch;
  expectSeen(account, ifMatch);
  const shown = await shownSession(services, context);
  if (currentPassword !== undefined) {
    await signIn.expectPassword(account, currentPassword, context.client.address);
  }
  const hash = password === undefined ? undefined : await hasher.hash(password);
  const changesProfile = Object.keys(profile).length > 0;
  if (changesProfile) {
    const prepared = await prepareChange(context, account, { changes: profile, shown, ifMatch });
    await commitChange(context, prepared);
    if (prepared.newAddress) await addressProofs.send(context, account.userId, pagesUrl);
  }
  if (hash === undefined) return undefined;
  const seen = changesProfile ? undefined : ifMatch;
  return replacePassword(services, account, { hash, shown, ifMatch: seen }, context);
}

async function replacePassword(
  { signIn, lanes }: AuthServices,
  before: Account,
  { hash, ...asked }: { readonly hash: string; readonly shown: Shown; readonly ifMatch: IfMatch },
  context: RequestContext,
): Promise<SignedIn> {
  const passwordId = context.newId();
  const rows = [passwordWrite(passwordId, hash)];
  await onAccount(context, before, null, { type: 'changePassword', by: 'holder', passwordId, ...asked }, rows);
  const account = await findAccount(lanes, before.userId);
  const store = account && (await signIn.memberStore(account, context.storeId));
  // A reset that followed at once has ended what this change would begin.
  if (!store || account.epoch !== asked.shown.epoch + 1) throw new Rejection(CREDENTIAL_INVALID);
  return signIn.start(account, store, 'password', context);
}
