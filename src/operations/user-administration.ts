import { z } from 'zod';
import { keyDeletion } from '../features/auth/access/api-keys.js';
import type { Access, Member } from '../features/auth/access/decider.js';
import { access } from '../features/auth/access/decider.js';
import { inOrder } from '../features/auth/access/member-record.js';
import type { Account } from '../features/auth/accounts/decider.js';
import { account as accounts } from '../features/auth/accounts/decider.js';
import { accountStream, findAccount, findAccountByLogin } from '../features/auth/accounts/directory.js';
import { newPassword } from '../features/auth/accounts/fields.js';
import { endedSecrets } from '../features/auth/accounts/ended-secrets.js';
import { passwordWrite } from '../features/auth/accounts/password-rows.js';
import { endSessionsInStore } from '../features/auth/sign-in/facts.js';
import type { FeatureServices } from '../features/contracts/feature.js';
import type { StoreRecord } from '../features/stores/events.js';
import { NOT_FOUND, Rejection } from '../kernel/events/rejection.js';
import type { Commands } from '../kernel/lanes/commands.js';

/** What operators do with the users and keys of a store that is there. */

const store = z.string();

export const ofStoreInput = z.strictObject({ store });
export const userInput = z.strictObject({ store, username: z.string() });
export const resetUserInput = userInput.extend({
  password: newPassword,
  removeSecondFactor: z.boolean().default(false),
});
export const revokeKeyInput = z.strictObject({ store, id: z.string() });

interface UserAdministrationServices extends Pick<FeatureServices, 'lanes' | 'vault' | 'clock' | 'hasher'> {
  expectStore(slug: string): Promise<StoreRecord>;
  contextFor(storeId: string): Commands;
}

interface Found {
  readonly context: Commands;
  readonly member: Member;
  readonly account: Account;
}

export class UserAdministration {
  constructor(private readonly services: UserAdministrationServices) {}

  async list(input: z.output<typeof ofStoreInput>): Promise<{ users: readonly object[] }> {
    const { members } = await this.accessOf(input.store);
    const users = await Promise.all(
      [...members.values()].map(async ({ memberId, userId, role, active }) => {
        const found = await findAccount(this.services.lanes, userId);
        const { username, email, name: called } = found ?? { username: null, email: null, name: null };
        return {
          id: memberId,
          username,
          email,
          name: called,
          role,
          active,
          secondFactor: (found?.factorId ?? null) !== null,
        };
      }),
    );
    return { users };
  }

  async setActive(input: z.output<typeof userInput>, active: boolean): Promise<object> {
    const { context, member, account } = await this.find(input);
    const { memberId } = member;
    const rights = { active };
    await context.execute(access, {
      type: 'changeMember',
      memberId,
      rights,
      by: 'commandLine',
      ifMatch: undefined,
    });
    if (!active) await endSessionsInStore(this.services, context, account);
    return { id: memberId, username: input.username, active };
  }

  /** For who can no longer sign in: a new password, all sessions ended and, if that is wanted, no second factor. */
  async reset({ password, removeSecondFactor, ...input }: z.output<typeof resetUserInput>): Promise<object> {
    // First, as it takes its time, in which the account may get another password.
    const hash = await this.services.hasher.hash(password);
    const { context, member, account } = await this.find(input);
    const passwordId = context.newId();
    const ending = { storeId: null, ends: endedSecrets };
    const stream = accountStream(account.userId);
    await context.executeOn(
      accounts,
      stream,
      { type: 'changePassword', by: 'reset', passwordId },
      { ...ending, rows: [passwordWrite(passwordId, hash)] },
    );
    if (removeSecondFactor) {
      await context.executeOn(accounts, stream, { type: 'disableTwoFactor' }, { ...ending, name: 'second factor' });
    }
    return { id: member.memberId, username: input.username };
  }

  async listKeys(input: z.output<typeof ofStoreInput>): Promise<{ apiKeys: readonly object[] }> {
    const { keys } = await this.accessOf(input.store);
    const apiKeys = [...keys.values()].map(({ keyId, name: called, permissions, createdAt, expiresAt }) => ({
      id: keyId,
      name: called,
      permissions: inOrder(permissions),
      createdAt,
      expiresAt,
    }));
    return { apiKeys };
  }

  async revokeKey(input: z.output<typeof revokeKeyInput>): Promise<object> {
    const keyId = input.id;
    const { id: storeId } = await this.services.expectStore(input.store);
    const command = { type: 'revokeKey', keyId, ifMatch: undefined } as const;
    await this.services.contextFor(storeId).execute(access, command, { rows: [keyDeletion(keyId)] });
    return { id: keyId, revoked: true };
  }

  private async accessOf(slug: string): Promise<Access> {
    const { id } = await this.services.expectStore(slug);
    return this.services.contextFor(id).current(access);
  }

  private async find({ store: slug, username }: z.output<typeof userInput>): Promise<Found> {
    const context = this.services.contextFor((await this.services.expectStore(slug)).id);
    const account = await findAccountByLogin(this.services.lanes, username);
    const { members, memberByUser } = await context.current(access);
    const member = account && members.get(memberByUser.get(account.userId) ?? '');
    if (!account || !member) throw new Rejection(NOT_FOUND, `there is no user ${username} in the store ${slug}`);
    return { context, member, account };
  }
}
