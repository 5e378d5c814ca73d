import { matches } from '../../../kernel/events/if-match.js';
import { isRecent } from '../../../kernel/patterns/reservations.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import type { ListQuery } from '../../../kernel/routes/lists.js';
import { pageByIdWithin } from '../../../kernel/routes/lists.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { Clock } from '../../../kernel/values/clock.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Page } from '../../../ports/read-models.js';
import type { Vault } from '../../../ports/vault.js';
import type { Account, Profile } from '../accounts/decider.js';
import { account as accounts, confirms, mayBeChangedBy } from '../accounts/decider.js';
import type { AddressProofs } from '../sign-in/address-proofs.js';
import { accountStream, findAccountByName } from '../accounts/directory.js';
import { foldName } from '../accounts/names.js';
import { endSessionsInStore } from '../sign-in/facts.js';
import { endedSecrets } from '../accounts/ended-secrets.js';
import { passwordWrite } from '../accounts/password-rows.js';
import type { Presence } from '../accounts/presence.js';
import {
  commitChange,
  expectAccount,
  leaveStore,
  prepareChange,
  profileChangedBefore,
  registerAccount,
} from '../accounts/registration.js';
import { ACCOUNT_OF_ITS_HOLDER, USERNAME_TAKEN } from '../accounts/rejections.js';
import type { Doer, Member } from './decider.js';
import { access, expectAccountInReach, expectNewRights } from './decider.js';
import type { Rights } from './events.js';
import type { Invitations } from './invitations.js';
import { unfinishedMembership } from './unfinished-memberships.js';
import type { MemberRecord } from './member-record.js';
import { recordOf, tagOf } from './member-record.js';

/** Commands by name, so that a repeat finds what was recorded. */
const ADDITION = 'add member';
const REMOVAL = 'remove member';
const RIGHTS = 'change member';
const PASSWORD = 'password';
const WITHDRAWAL = 'withdraw member';

interface MemberServices {
  readonly lanes: CommandLanes;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly presence: Presence;
  readonly invitations: Invitations;
  readonly addressProofs: AddressProofs;
  readonly stores: StoreDirectory;
}

export interface NewMember {
  readonly profile: Profile;
  readonly password: string;
  readonly rights: Rights;
  /** Whoever gives the address vouches for it. */
  readonly addressProved?: boolean;
}

export interface MemberChange {
  readonly rights: Partial<Rights>;
  readonly profile: Partial<Profile>;
  readonly password?: string | undefined;
}

export interface Tagged {
  readonly record: MemberRecord;
  readonly tag: number;
}

interface Found {
  readonly member: Member;
  readonly account: Account;
}

/** The users of a store: memberships stand in the store's access stream, people in accounts of the installation. */
export class Members {
  constructor(private readonly services: MemberServices) {}

  /** In the order in which they came. The accounts of a page are read from their lanes, which are small. */
  async page(context: Commands, query: ListQuery): Promise<Page<MemberRecord>> {
    const { members } = await context.current(access);
    const timeZone = await timeZoneOf(this.services.stores, context.storeId);
    const listed = ({ memberId, createdAt }: Member) => ({ id: memberId, createdAt });
    const { items, nextCursor } = pageByIdWithin('users', members.values(), listed, query, timeZone);
    const seen = await this.services.presence.inStore(context.storeId);
    const found = await this.accountsOf(context, items);
    return { items: found.map(({ member, account }) => recordOf(member, account, seen(member.userId))), nextCursor };
  }

  async get(context: Commands, memberId: string): Promise<Tagged> {
    return this.tagged(context, await this.find(context, memberId));
  }

  /**
   * Makes an account for the user and adds it to the store. Where the e-mail address belongs to an account already, its holder is invited to
   * take the membership over; to the one who adds, both look the same.
   */
  async add(
    context: Commands,
    { profile, password, rights, addressProved = false }: NewMember,
    by: Doer,
    pagesUrl: string | undefined,
  ): Promise<Tagged> {
    const userId = context.newId();
    if (await this.renamedSince(context, userId, profile)) return this.get(context, userId);
    const passwordHash = await this.services.hasher.hash(password, context.storeId);
    // It is asked before the account is made, which would be left over.
    expectNewRights(await context.current(access), by, rights);
    for (const login of [profile.username, profile.email]) await this.clearLeftOver(context, userId, login);
    await this.expectFreeAddress(context, userId, profile.email);
    const { storeId } = context;
    await this.services.vault.write([unfinishedMembership(context, this.services.clock, { storeId, userId })]);
    const invited = await registerAccount(context, {
      userId,
      profile,
      passwordHash,
      addressProved,
      createdByStore: storeId,
    });
    await this.join(context, { memberId: userId, userId, rights, by });
    if (await this.withdrawn(context, userId)) throw new Rejection(USERNAME_TAKEN);
    const { invitations, addressProofs } = this.services;
    if (invited) await invitations.send(context, { memberId: userId, userId }, invited, pagesUrl);
    else if (!addressProved) await addressProofs.send(context, userId, pagesUrl);
    return this.get(context, userId);
  }

  async change(context: RequestContext, memberId: string, change: MemberChange): Promise<Tagged> {
    const { ifMatch, storeId: byStore } = context;
    const by = context.actor;
    const { pagesUrl } = context.client;
    const { rights, profile, password } = change;
    const { member, account } = await this.find(context, memberId);
    const isSeen = matches(ifMatch, tagOf(member, account)) || (await this.changedBefore(context, account));
    if (!isSeen) throw new Rejection(STALE);
    await this.expectChangeable(context, { member, account }, change);
    if (profile.email !== undefined && !(await profileChangedBefore(context, account.userId)))
      await this.expectFreeAddress(context, account.userId, profile.email);
    const passwordHash = password === undefined ? undefined : await this.services.hasher.hash(password, byStore);
    // Hashing takes its time, in which either may have been given or lost rights.
    if (passwordHash !== undefined) await this.expectChangeable(context, await this.find(context, memberId), change);
    const seen = ifMatch && [account.revision];
    const prepared = await prepareChange(context, account, { changes: profile, byStore, ifMatch: seen });
    if (Object.keys(rights).length > 0) {
      const ofMember = ifMatch && [member.revision];
      await context.execute(
        access,
        { type: 'changeMember', memberId, rights, by, ifMatch: ofMember },
        { name: RIGHTS },
      );
      if (rights.active === false) await endSessionsInStore(this.services, context, account);
    }
    if (Object.keys(profile).length > 0) await commitChange(context, prepared);
    if (passwordHash !== undefined) await this.setPassword(context, account.userId, passwordHash);
    const { invitations, addressProofs } = this.services;
    if (prepared.invited) await invitations.send(context, member, prepared.invited, pagesUrl);
    else if (prepared.newAddress) await addressProofs.send(context, account.userId, pagesUrl);
    return this.get(context, memberId);
  }

  async remove(context: RequestContext, memberId: string): Promise<void> {
    const { ifMatch, storeId } = context;
    const removedBefore = await context.recordedBefore(access, REMOVAL);
    const found = removedBefore ? undefined : await this.find(context, memberId);
    if (found && !matches(ifMatch, tagOf(found.member, found.account))) throw new Rejection(STALE);
    const seen = ifMatch && found && [found.member.revision];
    if (found) {
      const leaving = { storeId, userId: found.member.userId, account: found.account };
      await this.services.vault.write([unfinishedMembership(context, this.services.clock, leaving)]);
    }
    const command = { type: 'removeMember', memberId, by: context.actor, ifMatch: seen } as const;
    const [removed] = (await context.execute(access, command, { name: REMOVAL })).events;
    if (removed?.type !== 'MemberRemoved') throw new Error(`member ${memberId} was not removed`);
    const { userId } = removed.data;
    // Before a repeat they may have been invited once more, and have joined.
    if ((await context.current(access)).memberByUser.has(userId)) return;
    const account = await context.currentOn(accounts, accountStream(userId));
    if (typeof account !== 'string') await endSessionsInStore(this.services, context, account);
    await leaveStore(context, userId, storeId);
    await this.services.presence.forget(storeId, userId);
  }

  /** Who may not add anybody any more leaves no account behind: its names would be nobody's. */
  private async join(
    context: Commands,
    member: Pick<Member, 'memberId' | 'userId'> & { readonly rights: Rights; readonly by: Doer },
  ) {
    try {
      await context.execute(access, { type: 'addMember', ...member }, { name: ADDITION });
    } catch (error) {
      if (error instanceof Rejection) await leaveStore(context, member.userId, context.storeId);
      throw error;
    }
  }

  /** Whether an earlier run of the request has added the user, who was named anew since: others may have the names that a repeat would claim. */
  private async renamedSince(context: Commands, userId: string, { username, email }: Profile): Promise<boolean> {
    if (!(await context.recordedBefore(access, ADDITION))) return false;
    const state = await context.currentOn(accounts, accountStream(userId));
    return (
      typeof state === 'string' ||
      !confirms(state, 'username', foldName(username)) ||
      !confirms(state, 'email', foldName(email))
    );
  }

  /** Whether an earlier run of the request has changed the member itself. */
  private async changedBefore(context: Commands, { userId }: Account): Promise<boolean> {
    if (await context.recordedBefore(access, RIGHTS)) return true;
    return profileChangedBefore(context, userId);
  }

  private async find(context: Commands, memberId: string): Promise<Found> {
    const member = (await context.current(access)).members.get(memberId);
    if (!member) throw new Rejection(NOT_FOUND);
    return { member, account: await expectAccount(context, member.userId) };
  }

  private async tagged(context: Commands, { member, account }: Found): Promise<Tagged> {
    const seen = await this.services.presence.of(context.storeId, member.userId);
    return { record: recordOf(member, account, seen), tag: tagOf(member, account) };
  }

  private async accountsOf(context: Commands, members: readonly Member[]): Promise<readonly Found[]> {
    const states = await Promise.all(members.map(({ userId }) => context.currentOn(accounts, accountStream(userId))));
    return members.flatMap((member, index) => {
      const state = states[index];
      return state === undefined || typeof state === 'string' ? [] : [{ member, account: state }];
    });
  }

  /** No two users of a store have one address, be it that of an account that exists or not. */
  private async expectFreeAddress(context: Commands, userId: string, email: string): Promise<void> {
    const { members } = await context.current(access);
    const others = [...members.values()].filter((member) => member.userId !== userId);
    const address = foldName(email);
    const known = await this.accountsOf(context, others);
    if (known.some(({ account }) => foldName(account.email) === address)) throw new Rejection(USERNAME_TAKEN);
  }

  /** A crash may leave an account that was made for this store and is no member of it: its names must not be lost. */
  private async clearLeftOver(context: Commands, userId: string, login: string): Promise<void> {
    const { storeId } = context;
    const found = await findAccountByName(this.services.lanes, login);
    if (!found || found.userId === userId) return;
    if (!mayBeChangedBy(found, storeId) || isRecent(found.changedAt, context.at)) return;
    const { memberByUser } = await context.current(access);
    if (memberByUser.has(found.userId)) return;
    await leaveStore(context, found.userId, storeId);
    await this.withdrawn(context, found.userId);
  }

  /** Whoever adds a user slowly, and whoever takes the names over meanwhile, both look: nobody is a member whose account has ended. */
  private async withdrawn(context: Commands, userId: string): Promise<boolean> {
    const account = await context.currentOn(accounts, accountStream(userId));
    if (typeof account !== 'string') return false;
    await context.execute(access, { type: 'withdrawMember', memberId: userId, userId }, { name: WITHDRAWAL });
    return true;
  }

  private async expectChangeable(
    context: RequestContext,
    { member, account }: Found,
    { profile, password }: MemberChange,
  ): Promise<void> {
    if (Object.keys(profile).length === 0 && password === undefined) return;
    if (!mayBeChangedBy(account, context.storeId)) throw new Rejection(ACCOUNT_OF_ITS_HOLDER);
    expectAccountInReach(await context.current(access), member, context.actor);
  }

  private async setPassword(context: Commands, userId: string, hash: string): Promise<void> {
    const { storeId } = context;
    const passwordId = context.newId();
    const stream = accountStream(userId);
    // The password that the account has by now is this one, or a newer one.
    if (await context.recordedBefore(accounts, PASSWORD, stream)) return;
    await context.executeOn(
      accounts,
      stream,
      { type: 'changePassword', by: 'store', byStore: storeId, passwordId },
      { storeId, rows: [passwordWrite(passwordId, hash)], ends: endedSecrets, name: PASSWORD },
    );
  }
}
