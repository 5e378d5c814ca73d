import { z } from 'zod';
import { streamName } from '../../../kernel/events/decider.js';
import type { CommandLanes } from '../../../kernel/lanes/lanes.js';
import { PERMISSIONS } from '../../permissions.js';
import { access, activeMember, permissionsOf } from '../access/decider.js';
import { ROLES } from '../../contracts/permissions.js';
import type { Account } from '../accounts/decider.js';
import { printTarget, uiPreferences } from '../accounts/events.js';

export const me = z
  .object({
    id: z.uuid(),
    username: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    kind: z.enum(['user', 'apiKey']),
    storeSlug: z.string(),
    role: z.enum(ROLES).nullable(),
    permissions: z.array(z.enum(PERMISSIONS)),
    twoFactorEnabled: z.boolean(),
    printTarget: printTarget.nullable(),
    uiPreferences: uiPreferences.nullable(),
  })
  .meta({ id: 'me' });

export type Me = z.output<typeof me>;

/** A user as they stand in a store. */
export async function describeUser(
  lanes: CommandLanes,
  account: Account,
  store: { readonly id: string; readonly slug: string },
): Promise<Me> {
  const { state } = await lanes.current(access, streamName(access.category, store.id));
  const member = activeMember(state, account.userId);
  return {
    id: account.userId,
    username: account.username,
    name: account.name,
    email: account.email,
    kind: 'user',
    storeSlug: store.slug,
    role: member?.role ?? null,
    permissions: member ? [...permissionsOf(member)] : [],
    twoFactorEnabled: account.factorId !== null,
    printTarget: account.printTarget,
    uiPreferences: account.uiPreferences,
  };
}
