import { z } from 'zod';
import type { Permission } from '../../../kernel/values/permissions.js';
import { PERMISSIONS } from '../../permissions.js';
import type { Account } from '../accounts/decider.js';
import type { Seen } from '../accounts/presence.js';
import type { Member } from './decider.js';
import { permissionsOf } from './decider.js';
import { ROLES } from '../../contracts/permissions.js';

const permissionName = z.enum(PERMISSIONS);

export const memberRecord = z
  .object({
    id: z.uuid(),
    username: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    permissions: z.array(permissionName).meta({ description: 'What the user may do in this store' }),
    customPermissions: z
      .array(permissionName)
      .nullable()
      .meta({ description: 'What was set in place of the permissions of the role' }),
    active: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable(),
    online: z.boolean(),
  })
  .meta({ id: 'User' });

export type MemberRecord = z.output<typeof memberRecord>;

/** Every list of permissions in one order, whatever order it was given in. */
export const inOrder = (permissions: Iterable<Permission>): Permission[] => {
  const given = new Set(permissions);
  return PERMISSIONS.filter((permission) => given.has(permission));
};

/** What the store says of a user; who it is stands in the account. */
export const membershipOf = (member: Member) => ({
  id: member.memberId,
  role: member.role,
  permissions: inOrder(permissionsOf(member)),
  customPermissions: member.permissions === null ? null : inOrder(member.permissions),
  active: member.active,
  createdAt: member.createdAt,
  updatedAt: member.changedAt,
});

export function recordOf(member: Member, { username, email, name, changedAt }: Account, seen: Seen): MemberRecord {
  const { id, ...membership } = membershipOf(member);
  const updatedAt = member.changedAt > changedAt ? member.changedAt : changedAt;
  return { id, username, email, name, ...membership, updatedAt, ...seen };
}

// An account of ten million events would only share a tag with its own distant past.
const ACCOUNT_REVISIONS = 10_000_000;

/** A user's record stands in two streams, the store's members and the account: one number names the revisions of both. */
export const tagOf = (member: Member, { revision }: Account): number =>
  member.revision * ACCOUNT_REVISIONS + (revision % ACCOUNT_REVISIONS);
