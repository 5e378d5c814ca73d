import { z } from 'zod';
import type { Actor } from '../../../kernel/events/event.js';
import type { PasswordHasher } from '../../../ports/password-hasher.js';
import type { Clock } from '../../../kernel/values/clock.js';
import type { Vault } from '../../../ports/vault.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import { streamName } from '../../../kernel/events/decider.js';
import type { StoreDirectory, StoreFacts } from '../../contracts/feature.js';
import type { OutgoingMail } from '../../../kernel/reactors/mail-queue.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { Account } from '../accounts/decider.js';
import { account as accounts } from '../accounts/decider.js';
import { accountStream } from '../accounts/directory.js';
import { foldName } from '../accounts/names.js';
import { endedSecrets } from '../accounts/ended-secrets.js';
import { passwordHashOf, passwordWrite } from '../accounts/password-rows.js';
import { expectAccount, leaveStore } from '../accounts/registration.js';
import { invitationMail } from '../sign-in/mails.js';
import type { OneTimeTokens } from '../sign-in/one-time-tokens.js';
import type { MailLimit } from '../sign-in/mail-limit.js';
import { PASSWORD_UNFIT, RESET_TOKEN_INVALID } from '../sign-in/rejections.js';
import type { Member } from './decider.js';
import { access } from './decider.js';
import { unfinishedMembership } from './unfinished-memberships.js';

const invitation = z.object({ storeId: z.string(), memberId: z.string(), madeFor: z.string(), address: z.string() });
type Invitation = z.output<typeof invitation>;

interface InvitationServices {
  readonly tokens: OneTimeTokens;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly mailLimit: MailLimit;
  readonly mail: OutgoingMail;
  readonly stores: StoreDirectory;
}

const unfit = (message: string): Rejection =>
  new Rejection(PASSWORD_UNFIT, undefined, { errors: [{ path: 'password', message }] });

/** How an account that exists joins a store: a member is made for its e-mail address, and its holder takes the membership over. */
export class Invitations {
  constructor(private readonly services: InvitationServices) {}

  /** `invited`: the account that the e-mail address of the member's account belongs to. */
  async send(
    context: Commands,
    { memberId, userId }: Pick<Member, 'memberId' | 'userId'>,
    invited: Account,
    pagesUrl: string | undefined,
  ): Promise<void> {
    const { storeId } = context;
    const { tokens, mail, mailLimit, stores } = this.services;
    const id = context.newId();
    if (!(await mailLimit.take(invited.email, storeId))) return;
    const value: Invitation = { storeId, memberId, madeFor: userId, address: foldName(invited.email) };
    const { token, rows } = tokens.make('invitation', invited.userId, value);
    const store = await stores.byId(storeId);
    const letter = invitationMail({
      id,
      to: { name: invited.name, address: invited.email },
      pagesUrl,
      token,
      storeName: store?.tradeName ?? '',
      inviterName: context.actor.kind === 'system' ? 'A administração' : context.actor.name,
    });
    // In no store's history: what is there would show the inviter that the account exists.
    await context.executeOn(
      accounts,
      accountStream(invited.userId),
      { type: 'note', fact: { type: 'InvitationSent', data: { storeId, memberId } } },
      { storeId: null, rows: [...rows, mail.row(letter)] },
    );
    mail.wake();
  }

  /** Every step may be repeated, so that a crash between two of them is made good by the same token. */
  async accept(context: Commands, token: string, password: string | undefined): Promise<StoreFacts> {
    await this.expectPasswordWhereNeeded(context, token, password);
    const attempt = await this.services.tokens.tryOnce('invitation', token);
    if (!attempt) throw new Rejection(RESET_TOKEN_INVALID);
    const invitedId = attempt.owner;
    const hash = await this.hashToTake(context, invitedId, password);
    const { storeId, memberId, madeFor, address } = invitation.parse(attempt.value);
    const invited = await context.currentOn(accounts, accountStream(invitedId));
    const members = (await context.currentOn(access, streamName(access.category, storeId))).members;
    const member = members.get(memberId);
    const store = await this.services.stores.byId(storeId);
    const stillMeant =
      typeof invited !== 'string' &&
      foldName(invited.email) === address &&
      (member?.userId === invitedId || (member?.userId === madeFor && (await this.bears(context, madeFor, address))));
    if (!stillMeant || !store) return this.refuse(context, invitedId, storeId);
    const actor = { kind: 'user' as const, id: invitedId, name: invited.name };
    const nowhere = { storeId: null, actor };
    if (password !== undefined) await this.settlePassword(context, invited, { password, hash }, actor);
    const { vault, clock } = this.services;
    const made = await context.currentOn(accounts, accountStream(madeFor));
    const leaving = typeof made === 'string' ? [] : [{ storeId, userId: madeFor, account: made }];
    const begun = [{ storeId, userId: invitedId }, ...leaving];
    await vault.write(begun.map((each) => unfinishedMembership(context, clock, each)));
    await context.executeOn(accounts, accountStream(invitedId), { type: 'joinStore', storeId }, nowhere);
    try {
      await context.executeOn(
        access,
        streamName(access.category, storeId),
        { type: 'acceptInvitation', memberId, from: madeFor, userId: invitedId },
        { storeId, actor },
      );
    } catch (error) {
      if (error instanceof Rejection && error.kind === NOT_FOUND) return await this.refuse(context, invitedId, storeId);
      throw error;
    }
    await leaveStore(context, madeFor, storeId);
    if (!(await attempt.spend())) throw new Rejection(RESET_TOKEN_INVALID);
    return store;
  }

  /** The inviter may have taken it back when the account had joined already: it would be of a store in which it is no member. */
  private async refuse(context: Commands, invitedId: string, storeId: string): Promise<never> {
    const { memberByUser } = await context.currentOn(access, streamName(access.category, storeId));
    if (!memberByUser.has(invitedId)) await leaveStore(context, invitedId, storeId);
    throw new Rejection(RESET_TOKEN_INVALID);
  }

  /** Counts no try: whoever forgot the password may send it after all. */
  private async expectPasswordWhereNeeded(context: Commands, token: string, password: string | undefined) {
    if (password !== undefined) return;
    const issued = await this.services.tokens.look('invitation', token);
    const invited = issued && (await context.currentOn(accounts, accountStream(issued.owner)));
    if (typeof invited === 'object' && !invited.addressProved) throw unfit('is required: the account gets it');
  }

  /** Made before anything is asked of the invitation: it takes a while, in which the inviter may take it back, and then no password changes. */
  private async hashToTake(context: Commands, invitedId: string, password: string | undefined) {
    if (password === undefined) return undefined;
    const invited = await context.currentOn(accounts, accountStream(invitedId));
    if (typeof invited === 'string' || invited.addressProved) return undefined;
    return this.services.hasher.hash(password);
  }

  /**
   * An account whose address was never proved may have been made by somebody else, who knows its password: it gets the one of whoever reads
   * its mail. One that was proved keeps its own, which a repeat of the same acceptance shows again.
   */
  private async settlePassword(
    context: Commands,
    invited: Account,
    { password, hash }: { readonly password: string; readonly hash: string | undefined },
    actor: Actor,
  ): Promise<void> {
    const { userId, email } = invited;
    if (hash === undefined) return this.expectOwnPassword(invited, password);
    const passwordId = context.newId();
    const { events } = await context.executeOn(
      accounts,
      accountStream(userId),
      { type: 'takeOver', address: foldName(email), passwordId },
      { storeId: null, actor, rows: [passwordWrite(passwordId, hash)], ends: endedSecrets },
    );
    // The address may have been proved in another way since.
    if (events.length === 0) await this.expectOwnPassword(await expectAccount(context, userId), password);
  }

  private async expectOwnPassword(invited: Account, password: string): Promise<void> {
    const { vault, hasher } = this.services;
    if (await hasher.verify(password, await passwordHashOf(vault, invited))) return;
    throw unfit('is not taken: the account has its own');
  }

  /** Whether the member's account still has the address that was invited: the inviter may have corrected it. */
  private async bears(context: Commands, userId: string, address: string): Promise<boolean> {
    const state = await context.currentOn(accounts, accountStream(userId));
    return typeof state !== 'string' && foldName(state.email) === address;
  }
}
