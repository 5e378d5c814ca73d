import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import { Map as ImmutableMap } from 'immutable';
import type { Decider, Moment, StreamType } from '../../../kernel/events/decider.js';
import type { Actor } from '../../../kernel/events/event.js';
import { isSameJson } from '../../../kernel/values/difference.js';
import type { Permission } from '../../../kernel/values/permissions.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import type { AccessEvent, ApiKey, Rights } from './events.js';
import { accessEvents } from './events.js';
import {
  ALREADY_MEMBER,
  LAST_ADMINISTRATOR,
  LAST_OWNER,
  OWNERS_MAKE_OWNERS,
  PERMISSION_NOT_YOURS,
} from './rejections.js';
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
  /** As they were called then: who made it may be no member any more. */
  readonly createdBy: Actor;
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
      readonly by: Doer;
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
  /** Of a member whose account has ended before it was one. */
  | { readonly type: 'withdrawMember'; readonly memberId: string; readonly userId: string }
  | { readonly type: 'createKey'; readonly key: ApiKey; readonly by: Doer }
  | { readonly type: 'revokeKey'; readonly keyId: string; readonly ifMatch: IfMatch };

type Acceptance = Extract<AccessCommand, { type: 'acceptInvitation' }>;

/** Who does something to a member or makes a key; whoever has the administration command line may do everything. */
export type Doer = Pick<Actor, 'kind' | 'id'> | 'commandLine';

export const permissionsOf = ({ role, permissions }: Pick<Rights, 'role' | 'permissions'>): readonly Permission[] =>
  permissions ?? PERMISSIONS_OF_ROLE[role];

/** The member that a user is, when active. */
export function activeMember(access: Access, userId: string): Member | undefined {
  const member = access.members.get(access.memberByUser.get(userId) ?? '');
  return member?.active === true ? member : undefined;
}

/** What the doer may do at present: their rights may have been taken while the request was on its way. */
function rightsOfDoer(access: Access, { kind, id }: Exclude<Doer, 'commandLine'>): readonly Permission[] {
  if (kind === 'apiKey') return access.keys.get(id)?.permissions ?? [];
  const member = activeMember(access, id);
  return member ? permissionsOf(member) : [];
}

/** Nobody grants a permission that they lack. `needed` is what doing it takes. */
function expectGrantable(
  access: Access,
  doer: Doer,
  permissions: readonly Permission[],
  needed: Permission = 'users.manage',
): void {
  if (doer === 'commandLine') return;
  const has = new Set(rightsOfDoer(access, doer));
  const lacking = [...new Set([needed, ...permissions])].filter((permission) => !has.has(permission));
  if (lacking.length > 0) throw new Rejection(PERMISSION_NOT_YOURS, undefined, { permissions: lacking });
}

const mayEverything = (permissions: readonly Permission[]): boolean =>
  PERMISSIONS_OF_ROLE.OWNER.every((permission) => permissions.includes(permission));

/** The role alone makes none: somebody who may hardly do anything could bear it. */
const isOwnerOnceActive = ({ role, permissions }: Pick<Rights, 'role' | 'permissions'>): boolean =>
  role === 'OWNER' && mayEverything(permissionsOf({ role, permissions }));

const isOwner = (rights: Rights | undefined): boolean => rights?.active === true && isOwnerOnceActive(rights);

/** Who may do as much as an owner without being one could make themselves the other owner. Keys that may do everything are made by owners alone. */
function expectOwner(access: Access, doer: Doer): void {
  if (doer === 'commandLine' || doer.kind === 'apiKey') return;
  if (!isOwner(activeMember(access, doer.id))) throw new Rejection(OWNERS_MAKE_OWNERS);
}

function expectRoleGrantable(access: Access, before: Rights | undefined, after: Rights, doer: Doer): void {
  const getsRole = after.role === 'OWNER' && before?.role !== 'OWNER';
  const becomesOwner = isOwner(after) && !isOwner(before);
  if (getsRole || becomesOwner) expectOwner(access, doer);
}

/** What a new member gets must be the doer's to give. */
export function expectNewRights(access: Access, doer: Doer, rights: Rights): void {
  expectGrantable(access, doer, permissionsOf(rights));
  expectRoleGrantable(access, undefined, rights, doer);
}

/**
 * Whoever changes, removes or resets somebody must have all that this person may do: otherwise they could act as that person, or put
 * themselves in the place. The last owner is changed by owners alone.
 */
function expectInReach(access: Access, member: Member, doer: Doer): void {
  expectGrantable(access, doer, permissionsOf(member));
  if (doer === 'commandLine' || !isOwner(member)) return;
  if (doer.kind === 'user' && isOwner(activeMember(access, doer.id))) return;
  const others = access.members.some((other) => other.memberId !== member.memberId && isOwner(other));
  if (!others) throw new Rejection(LAST_OWNER);
}

/** The same of somebody's account: who sets an owner's password or address can sign in as one. */
export function expectAccountInReach(access: Access, member: Member, doer: Doer): void {
  expectInReach(access, member, doer);
  if (isOwnerOnceActive(member)) expectOwner(access, doer);
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
  expectGrantable(access, command.by, [...permissionsOf(member), ...permissionsOf(after)]);
  expectRoleGrantable(access, member, after, command.by);
  keepAdministrator(access, member, after);
  expectInReach(access, member, command.by);
  return [{ type: 'MemberChanged', data: { memberId: member.memberId, role, permissions, active } }];
}

function addMember(access: Access, command: Extract<AccessCommand, { type: 'addMember' }>): AccessEvent[] {
  const { memberId, userId, rights, by } = command;
  const member = access.members.get(memberId);
  if (member?.userId === userId) return [];
  expectNewRights(access, by, rights);
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
      expectGrantable(access, command.by, permissionsOf(member));
      keepAdministrator(access, member, undefined);
      expectInReach(access, member, command.by);
      return [{ type: 'MemberRemoved', data: { memberId: member.memberId, userId: member.userId } }];
    }
    case 'withdrawMember': {
      const { memberId, userId } = command;
      const isThere = access.members.get(memberId)?.userId === userId;
      return isThere ? [{ type: 'MemberRemoved', data: { memberId, userId } }] : [];
    }
    case 'createKey':
      if (access.keys.has(command.key.keyId)) return [];
      expectGrantable(access, command.by, command.key.permissions, 'apiKeys.manage');
      if (mayEverything(command.key.permissions)) expectOwner(access, command.by);
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

function evolve(access: Access, event: AccessEvent, { revision, at, actor }: Moment): Access {
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
      return {
        ...access,
        keys: access.keys.set(event.data.keyId, { ...event.data, createdAt: at, createdBy: actor, revision }),
      };
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
