import type { IfMatch } from '../../../kernel/events/if-match.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import { defined } from '../../../kernel/values/defined.js';
import type { ClaimOutcome } from './name-reservations.js';
import { emails, usernames } from './name-reservations.js';
import type { Account, Claims, Profile, Shown } from './decider.js';
import { account, confirms, mayBeChangedBy } from './decider.js';
import { accountStream } from './directory.js';
import { endedSecrets } from './ended-secrets.js';
import { foldName } from './names.js';
import { passwordWrite } from './password-rows.js';
import { USERNAME_TAKEN } from './rejections.js';

/** Accounts and their names, which stand in streams of their own: hold a name, confirm it in the account, release the old one. */

/** The command that changes a profile. */
const PROFILE_CHANGE = 'change profile';

/** Whether an earlier run of the same request has changed the account's profile. */
export const profileChangedBefore = (context: Commands, userId: string): Promise<boolean> =>
  context.recordedBefore(account, PROFILE_CHANGE, accountStream(userId));

interface Registration {
  readonly userId: string;
  readonly profile: Profile;
  readonly passwordHash: string;
  readonly createdByStore: string | null;
  /** Whoever gives the address vouches for it. */
  readonly addressProved: boolean;
}

/**
 * Gives the account that the e-mail address belongs to when that is another: it keeps its address, and the new account
 * lives without one until the other's holder takes over.
 */
export async function registerAccount(context: Commands, registration: Registration): Promise<Account | undefined> {
  const { userId, profile, passwordHash, createdByStore } = registration;
  // Drawn before anything can differ between a run and its repeat.
  const [passwordId, usernameClaim, emailClaim] = [context.newId(), context.newId(), context.newId()];
  const named = await usernames.claim(context, profile.username, { ownerId: userId, claimId: usernameClaim });
  if (named !== 'claimed') throw new Rejection(USERNAME_TAKEN);
  const addressed = await emails.claim(context, profile.email, { ownerId: userId, claimId: emailClaim });
  if (addressed === 'pending' || isOwn(addressed, createdByStore)) {
    await usernames.release(context, profile.username, usernameClaim);
    throw new Rejection(USERNAME_TAKEN);
  }
  await context.executeOn(
    account,
    accountStream(userId),
    {
      type: 'register',
      userId,
      profile,
      passwordId,
      createdByStore,
      addressProved: registration.addressProved && addressed === 'claimed',
    },
    { storeId: null, rows: [passwordWrite(passwordId, passwordHash)] },
  );
  return addressed === 'claimed' ? undefined : addressed;
}

/** An account that the store knows already: nobody needs to be invited. */
const isOwn = (outcome: ClaimOutcome, store: string | null): boolean =>
  typeof outcome !== 'string' && store !== null && mayBeChangedBy(outcome, store);

interface ProfileChange {
  readonly changes: Partial<Profile>;
  /** The store that changes it; its holder otherwise. */
  readonly byStore?: string;
  /** What its holder showed. */
  readonly shown?: Shown;
  /** The record as its reader saw it. */
  readonly ifMatch?: IfMatch;
}

/** What a change needs before it is decided: the new names held, and the old ones known. */
interface PreparedChange extends ProfileChange {
  readonly userId: string;
  readonly claims: Claims;
  /** Another account that the new e-mail address belongs to. */
  readonly invited: Account | undefined;
  /** Whether the account gets an address that it must prove. */
  readonly newAddress: boolean;
  /** Frees what the account no longer uses. */
  readonly releaseOld: () => Promise<void>;
}

/** What a change that takes no name has to claim. */
const NO_NAMES = { claims: {}, invited: undefined, newAddress: false, releaseOld: () => Promise.resolve() };

export async function prepareChange(
  context: Commands,
  before: Account,
  change: ProfileChange,
): Promise<PreparedChange> {
  const { userId } = before;
  const { changes, byStore } = change;
  const [usernameClaim, emailClaim] = [context.newId(), context.newId()];
  // The account may have other names since, which are not the request's to free.
  if (await profileChangedBefore(context, userId)) return { ...change, ...NO_NAMES, userId };
  const newUsername = changes.username !== undefined && !confirms(before, 'username', foldName(changes.username));
  const newEmail = changes.email !== undefined && !confirms(before, 'email', foldName(changes.email));
  const oldUsername = newUsername ? await usernames.claimOf(context, before.username, userId) : undefined;
  const oldEmail = newEmail ? await emails.claimOf(context, before.email, userId) : undefined;
  let claims: Claims = {};
  let invited: Account | undefined;
  if (newUsername) {
    const named = await usernames.claim(context, changes.username, { ownerId: userId, claimId: usernameClaim });
    if (named !== 'claimed') throw new Rejection(USERNAME_TAKEN);
    claims = { username: usernameClaim };
  }
  if (newEmail) {
    const addressed = await emails.claim(context, changes.email, { ownerId: userId, claimId: emailClaim });
    // A store does not learn whose address it is; a holder cannot be invited to their own account.
    const refused = addressed !== 'claimed' && (byStore === undefined || isOwn(addressed, byStore));
    // The user name stays held: another change of the account may be about to confirm it. Otherwise the hold lapses.
    if (addressed === 'pending' || refused) throw new Rejection(USERNAME_TAKEN);
    claims = { ...claims, email: addressed === 'claimed' ? emailClaim : null };
    invited = addressed === 'claimed' ? undefined : addressed;
  }
  const releaseOld = async () => {
    await usernames.release(context, before.username, oldUsername);
    await emails.release(context, before.email, oldEmail);
  };
  return { ...change, userId, claims, invited, newAddress: newEmail, releaseOld };
}

export async function commitChange(context: Commands, prepared: PreparedChange): Promise<void> {
  const { userId, changes: profile, claims, byStore, shown, ifMatch, releaseOld } = prepared;
  await context.executeOn(
    account,
    accountStream(userId),
    { type: 'changeProfile', profile, claims, ifMatch, ...defined({ byStore, shown }) },
    { storeId: null, name: PROFILE_CHANGE },
  );
  await releaseOld();
}

/** Ends the account with its last store, forgets its secrets and frees its names. */
export async function leaveStore(context: Commands, userId: string, storeId: string): Promise<void> {
  const before = await context.currentOn(account, accountStream(userId));
  if (typeof before === 'string') return;
  const usernameClaim = await usernames.claimOf(context, before.username, userId);
  const emailClaim = await emails.claimOf(context, before.email, userId);
  await context.executeOn(
    account,
    accountStream(userId),
    { type: 'leaveStore', storeId },
    { storeId: null, name: 'leave', ends: endedSecrets },
  );
  if ((await context.currentOn(account, accountStream(userId))) !== 'ended') return;
  await usernames.release(context, before.username, usernameClaim);
  await emails.release(context, before.email, emailClaim);
}

export async function expectAccount(context: Commands, userId: string): Promise<Account> {
  const state = await context.currentOn(account, accountStream(userId));
  if (typeof state === 'string') throw new Rejection(NOT_FOUND);
  return state;
}
