import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { Map as ImmutableMap } from 'immutable';
import type { Decider, Moment, StreamType } from '../../../kernel/events/decider.js';
import { isSameJson } from '../../../kernel/values/difference.js';
import type { Permission } from '../../../kernel/values/permissions.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import type { AccessEvent, ApiKey, Rights } from './events.js';
import { accessEvents } from './events.js';
import { ALREADY_MEMBER, LAST_ADMINISTRATOR, LAST_OWNER, PERMISSION_NOT_YOURS } from './rejections.js';
import { PERMISSIONS_OF_ROLE } from '../../permissions.js';

export interface Member extends Rights {
  readonly memberId: string;
  /** Whoever accepts an invitation takes the membership over: its id stays. */
  readonly userId: string;
  /** The revision of its own last change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly changedAt: string;
}

export interface StoredKey extends ApiKey {
  readonly createdAt: string;
  /** The revision of its creation: keys do not change. */
  readonly revision: number;
}

/** Who may do what in a store. */
export interface Access {
  readonly members: ImmutableMap<string, Member>;
  readonly memberByUser: ImmutableMap<string, string>;
  readonly keys: ImmutableMap<string, StoredKey>;
}

export type AccessCommand =
  | {
      readonly type: 'addMember';
      readonly memberId: string;
      readonly userId: string;
      readonly rights: Rights;
      readonly granter: Granter;
    }
  /** `from`: the account that was made for the invited e-mail address. */
  | { readonly type: 'acceptInvitation'; readonly memberId: string; readonly from: string; readonly userId: string }
  | {
      readonly type: 'changeMember';
      readonly memberId: string;
      readonly rights: Partial<Rights>;
      readonly by: Doer;
      readonly ifMatch: IfMatch;
    }
  | { readonly type: 'removeMember'; readonly memberId: string; readonly by: Doer; readonly ifMatch: IfMatch }
  | { readonly type: 'createKey'; readonly key: ApiKey; readonly granter: Granter }
  | { readonly type: 'revokeKey'; readonly keyId: string; readonly ifMatch: IfMatch };

type Acceptance = Extract<AccessCommand, { type: 'acceptInvitation' }>;

/** What the one who grants may do themselves; the administration command line may grant everything. */
export type Granter = ReadonlySet<Permission> | 'everything';

/** Who does something to a member: what they may do themselves, and which user they are, if any. */
export interface Doer {
  readonly granter: Granter;
  readonly userId: string | undefined;
}

export const permissionsOf = ({ role, permissions }: Pick<Rights, 'role' | 'permissions'>): readonly Permission[] =>
  permissions ?? PERMISSIONS_OF_ROLE[role];

/** The member that a user is, when active. */
export function activeMember(access: Access, userId: string): Member | undefined {
  const member = access.members.get(access.memberByUser.get(userId) ?? '');
  return member?.active === true ? member : undefined;
}

/** Nobody grants a permission that they lack. */
export function expectGrantable(granter: Granter, permissions: readonly Permission[]): void {
  if (granter === 'everything') return;
  const lacking = permissions.filter((permission) => !granter.has(permission));
  if (lacking.length > 0) throw new Rejection(PERMISSION_NOT_YOURS, undefined, { permissions: lacking });
}

const isOwner = (member: Member | undefined): boolean => member?.active === true && member.role === 'OWNER';

/**
 * Whoever changes, removes or resets somebody must have all that this person may do: otherwise they could act as that person, or put
 * themselves in the place. The last owner is changed by owners alone.
 */
export function expectInReach(access: Access, member: Member, { granter, userId }: Doer): void {
  expectGrantable(granter, permissionsOf(member));
  if (granter === 'everything' || !isOwner(member) || isOwner(activeMember(access, userId ?? ''))) return;
  const others = access.members.some((other) => other.memberId !== member.memberId && isOwner(other));
  if (!others) throw new Rejection(LAST_OWNER);
}

function expectMember(access: Access, memberId: string, ifMatch?: IfMatch): Member {
  const member = access.members.get(memberId);
  if (!member) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, member.revision)) throw new Rejection(STALE);
  return member;
}

const administers = (member: Member): boolean => member.active && permissionsOf(member).includes('users.manage');

/** Somebody must be left who can manage users. */
function keepAdministrator(access: Access, before: Member, after: Member | undefined): void {
  if (!administers(before) || (after && administers(after))) return;
  const others = access.members.some((member) => member.memberId !== before.memberId && administers(member));
  if (!others) throw new Rejection(LAST_ADMINISTRATOR);
}

function changeMember(access: Access, command: Extract<AccessCommand, { type: 'changeMember' }>): AccessEvent[] {
  const member = expectMember(access, command.memberId, command.ifMatch);
  const { role, permissions, active } = { ...member, ...command.rights };
  const after = { ...member, role, permissions, active };
  if (isSameJson(after, member)) return [];
  const had = new Set(permissionsOf(member));
  expectGrantable(
    command.by.granter,
    active && !member.active ? permissionsOf(after) : permissionsOf(after).filter((name) => !had.has(name)),
  );
  expectGrantable(command.by.granter, permissionsOf(member));
  keepAdministrator(access, member, after);
  expectInReach(access, member, command.by);
  return [{ type: 'MemberChanged', data: { memberId: member.memberId, role, permissions, active } }];
}

function addMember(access: Access, command: Extract<AccessCommand, { type: 'addMember' }>): AccessEvent[] {
  const { memberId, userId, rights, granter } = command;
  const member = access.members.get(memberId);
  if (member?.userId === userId) return [];
  expectGrantable(granter, permissionsOf(rights));
  if (member || access.memberByUser.has(userId)) throw new Rejection(ALREADY_MEMBER);
  return [{ type: 'MemberAdded', data: { memberId, userId, ...rights } }];
}

function acceptInvitation(access: Access, { memberId, from, userId }: Acceptance): AccessEvent[] {
  const member = expectMember(access, memberId);
  if (member.userId === userId) return [];
  if (member.userId !== from) throw new Rejection(NOT_FOUND);
  if (access.memberByUser.has(userId)) throw new Rejection(ALREADY_MEMBER);
  return [{ type: 'InvitationAccepted', data: { memberId, userId } }];
}

function decide(access: Access, command: AccessCommand): AccessEvent[] {
  switch (command.type) {
    case 'addMember':
      return addMember(access, command);
    case 'acceptInvitation':
      return acceptInvitation(access, command);
    case 'changeMember':
      return changeMember(access, command);
    case 'removeMember': {
      const member = expectMember(access, command.memberId, command.ifMatch);
      expectGrantable(command.by.granter, permissionsOf(member));
      keepAdministrator(access, member, undefined);
      expectInReach(access, member, command.by);
      return [{ type: 'MemberRemoved', data: { memberId: member.memberId, userId: member.userId } }];
    }
    case 'createKey':
      if (access.keys.has(command.key.keyId)) return [];
      expectGrantable(command.granter, command.key.permissions);
      return [{ type: 'ApiKeyCreated', data: command.key }];
    case 'revokeKey': {
      const { keyId, ifMatch } = command;
      const key = access.keys.get(keyId);
      if (!key) throw new Rejection(NOT_FOUND);
      if (!matches(ifMatch, key.revision)) throw new Rejection(STALE);
      return [{ type: 'ApiKeyRevoked', data: { keyId } }];
    }
  }
}

function withMember(access: Access, member: Member): Access {
  const { memberId, userId } = member;
  const before = access.members.get(memberId);
  const byUser = before ? access.memberByUser.remove(before.userId) : access.memberByUser;
  return {
    ...access,
    members: access.members.set(memberId, member),
    memberByUser: byUser.set(userId, memberId),
  };
}

function evolve(access: Access, event: AccessEvent, { revision, at }: Moment): Access {
  switch (event.type) {
    case 'MemberAdded':
      return withMember(access, { ...event.data, revision, createdAt: at, changedAt: at });
    case 'InvitationAccepted':
    case 'MemberChanged': {
      const member = access.members.get(event.data.memberId);
      return member ? withMember(access, { ...member, ...event.data, revision, changedAt: at }) : access;
    }
    case 'MemberRemoved':
      return {
        ...access,
        members: access.members.remove(event.data.memberId),
        memberByUser: access.memberByUser.remove(event.data.userId),
      };
    case 'ApiKeyCreated':
      return { ...access, keys: access.keys.set(event.data.keyId, { ...event.data, createdAt: at, revision }) };
    case 'ApiKeyRevoked':
      return { ...access, keys: access.keys.remove(event.data.keyId) };
  }
}

const decider: Decider<Access, AccessCommand, AccessEvent> = {
  initial: { members: ImmutableMap(), memberByUser: ImmutableMap(), keys: ImmutableMap() },
  evolve,
  decide,
};

export const access: StreamType<Access, AccessCommand, AccessEvent> = {
  category: 'access',
  decider,
  events: accessEvents,
  weigh: ({ members, keys }) => members.size + keys.size,
};
