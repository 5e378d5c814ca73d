import { z } from 'zod';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { BackgroundWork } from '../../../kernel/reactors/background.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Steps } from '../../../kernel/reactors/second-look.js';
import { SecondLook, secondLookRow } from '../../../kernel/reactors/second-look.js';
import type { Clock } from '../../../kernel/values/clock.js';
import type { VaultWrite } from '../../../ports/vault.js';
import type { FeatureServices } from '../../contracts/feature.js';
import type { Account } from '../accounts/decider.js';
import { account as accounts } from '../accounts/decider.js';
import { accountStream } from '../accounts/directory.js';
import { Presence } from '../accounts/presence.js';
import { endedSecrets } from '../accounts/ended-secrets.js';
import { leaveStore } from '../accounts/registration.js';
import { endSessionsInStore } from '../sign-in/facts.js';
import { access } from './decider.js';

const task = z.object({
  storeId: z.string(),
  userId: z.string(),
  /** By which what the account keeps in the vault is found, also when it has ended. */
  secrets: z.object({ passwordId: z.string(), factorId: z.string().nullable() }).optional(),
});
type Task = z.output<typeof task>;

export const MEMBERSHIPS: Steps<Task> = {
  name: 'memberships',
  task,
  idOf: ({ storeId, userId }) => `${storeId}/${userId}`,
};

/** Comes before an account enters a store or leaves it, each of which is a fact in the account's stream and one in the store's. */
export const unfinishedMembership = (
  context: Pick<Commands, 'recordUntil'>,
  clock: Clock,
  { storeId, userId, account }: { readonly storeId: string; readonly userId: string; readonly account?: Account },
): VaultWrite => {
  const secrets = account && { passwordId: account.passwordId, factorId: account.factorId };
  return secondLookRow(MEMBERSHIPS, context, { storeId, userId, secrets }, clock);
};

type MembershipServices = Pick<
  FeatureServices,
  'vault' | 'lanes' | 'clock' | 'holder' | 'alone' | 'onError' | 'onWorked' | 'contextOf'
>;

/** An account whose store does not have it as a member, since a request died in between, leaves the store: who is in is what the store says. */
export function unfinishedMemberships(services: MembershipServices): BackgroundWork {
  const { vault, clock } = services;
  const presence = new Presence(vault, clock);

  async function finish(context: RequestContext, { storeId, userId, secrets }: Task): Promise<void> {
    if ((await context.current(access)).memberByUser.has(userId)) return;
    const state = await context.currentOn(accounts, accountStream(userId));
    if (state === 'ended' && secrets) await vault.write(endedSecrets(secrets, state));
    if (typeof state === 'string') return;
    await endSessionsInStore(services, context, state);
    await leaveStore(context, userId, storeId);
    await presence.forget(storeId, userId);
  }

  return new SecondLook({ ...MEMBERSHIPS, finish }, services).background;
}
