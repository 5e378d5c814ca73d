import { describe, expect, test } from '@jest/globals';
import type { AccessCommand, Doer } from '../../../src/features/auth/access/decider.js';
import { access, activeMember, permissionsOf } from '../../../src/features/auth/access/decider.js';
import type { AccessEvent, Rights } from '../../../src/features/auth/access/events.js';
import {
  ALREADY_MEMBER,
  LAST_ADMINISTRATOR,
  LAST_OWNER,
  OWNERS_MAKE_OWNERS,
  PERMISSION_NOT_YOURS,
} from '../../../src/features/auth/access/rejections.js';
import { PERMISSIONS_OF_ROLE } from '../../../src/features/permissions.js';
import { fold } from '../../support/fold.js';
import type { Permission } from '../../../src/kernel/values/permissions.js';
import { NOT_FOUND, STALE } from '../../../src/kernel/events/rejection.js';
import { given } from '../../support/given.js';

/** A key by which something is done, and what made it. */
const KEY: Doer = { kind: 'apiKey', id: 'doer' };
const keyWith = (...permissions: Permission[]): AccessEvent => ({
  type: 'ApiKeyCreated',
  data: { keyId: 'doer', name: 'PDV', permissions, expiresAt: null },
});
const keyOfManager = keyWith(...PERMISSIONS_OF_ROLE.MANAGER);
const user = (id: string): Doer => ({ kind: 'user', id });
const rights = (role: Rights['role'], permissions: Permission[] | null = null, active = true): Rights => ({
  role,
  permissions,
  active,
});
const added = (id: string, its: Rights): AccessEvent => ({
  type: 'MemberAdded',
  data: { memberId: id, userId: id, ...its },
});
const add = (id: string, its: Rights, by: Doer = 'commandLine'): AccessCommand => ({
  type: 'addMember',
  memberId: id,
  userId: id,
  rights: its,
  by,
});
const change = (memberId: string, its: Partial<Rights>, by: Doer = 'commandLine', ifMatch?: number): AccessCommand => ({
  type: 'changeMember',
  memberId,
  rights: its,
  by,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});
const changed = (memberId: string, its: Rights): AccessEvent => ({ type: 'MemberChanged', data: { memberId, ...its } });
const remove = (memberId: string, ifMatch?: number, by: Doer = 'commandLine'): AccessCommand => ({
  type: 'removeMember',
  memberId,
  by,
  ifMatch: ifMatch === undefined ? undefined : [ifMatch],
});
const removed = (id: string): AccessEvent => ({ type: 'MemberRemoved', data: { memberId: id, userId: id } });
const accept = (memberId: string, from: string, userId: string): AccessCommand => ({
  type: 'acceptInvitation',
  memberId,
  from,
  userId,
});
const accepted = (memberId: string, userId: string): AccessEvent => ({
  type: 'InvitationAccepted',
  data: { memberId, userId },
});

const owner = added('olga', rights('OWNER'));
const cashier = added('caio', rights('CASHIER'));

describe('a member', () => {
  test('is added', () => {
    given(access)
      .when(add('olga', rights('OWNER')))
      .then(owner);
  });
  test('is added once', () => {
    given(access, owner)
      .when(add('olga', rights('OWNER')))
      .thenNothing();
  });
  test('is no second member', () => {
    given(access, owner)
      .when({ ...(add('x', rights('CASHIER')) as object), userId: 'olga' } as AccessCommand)
      .thenRefused(ALREADY_MEMBER);
  });
  test('is not added with more than the one who adds may do', () => {
    const before = given(access, owner, keyWith('users.manage'));
    before.when(add('m', rights('MANAGER'), KEY)).thenRefused(PERMISSION_NOT_YOURS);
    before
      .when(add('m', rights('CASHIER', ['users.manage', 'audit.view']), KEY))
      .thenRefused(PERMISSION_NOT_YOURS, { permissions: ['audit.view'] });
    before
      .when(add('m', rights('CASHIER', ['users.manage']), KEY))
      .then(added('m', rights('CASHIER', ['users.manage'])));
  });
  test('may come back after it was removed', () => {
    given(access, owner, cashier, removed('caio'))
      .when(add('caio', rights('BAKER')))
      .then(added('caio', rights('BAKER')));
  });
  test('is nobody who is unknown', () => {
    given(access, owner)
      .when(change('x', { active: false }))
      .thenRefused(NOT_FOUND);
    given(access, owner).when(remove('x')).thenRefused(NOT_FOUND);
    given(access, owner)
      .when(accept('x', 'x', 'y'))
      .thenRefused(NOT_FOUND);
  });
});

describe('the rights of a member', () => {
  test('change', () => {
    given(access, owner, cashier)
      .when(change('caio', { role: 'BAKER' }))
      .then(changed('caio', rights('BAKER')));
    given(access, owner, cashier)
      .when(change('caio', { permissions: ['audit.view'] }))
      .then(changed('caio', rights('CASHIER', ['audit.view'])));
  });
  test('are those of the role unless there are own ones', () => {
    expect(permissionsOf(rights('BAKER'))).toBe(PERMISSIONS_OF_ROLE.BAKER);
    expect(permissionsOf(rights('BAKER', []))).toEqual([]);
  });
  test('stay when they are given again', () => {
    given(access, owner, cashier)
      .when(change('caio', rights('CASHIER')))
      .thenNothing();
  });
  test('do not change for a client that saw an older record', () => {
    given(access, owner, cashier)
      .when(change('caio', { role: 'BAKER' }, 'commandLine', 0))
      .thenRefused(STALE);
    given(access, owner, cashier)
      .when(change('caio', { role: 'BAKER' }, 'commandLine', 1))
      .then(changed('caio', rights('BAKER')));
  });
  test('do not grow beyond what the one who changes them may do', () => {
    given(access, owner, cashier, keyOfManager)
      .when(change('caio', { role: 'OWNER' }, KEY))
      .thenRefused(PERMISSION_NOT_YOURS);
  });
  test('are changed and taken by nobody who may do less', () => {
    const before = given(access, owner, added('ana', rights('OWNER')), keyOfManager);
    before.when(change('ana', { role: 'MANAGER' }, KEY)).thenRefused(PERMISSION_NOT_YOURS);
    before.when(remove('ana', undefined, KEY)).thenRefused(PERMISSION_NOT_YOURS);
  });
  test('of the last owner are taken by an owner alone', () => {
    const before = given(
      access,
      added('o', rights('OWNER')),
      added('ana', rights('MANAGER', [...PERMISSIONS_OF_ROLE.OWNER])),
    );
    before.when(remove('o', undefined, user('ana'))).thenRefused(LAST_OWNER);
    before.when(remove('o', undefined, user('o'))).then(removed('o'));
    given(access, added('o', rights('OWNER')), added('ana', rights('OWNER')), keyWith(...PERMISSIONS_OF_ROLE.OWNER))
      .when(remove('o', undefined, KEY))
      .then(removed('o'));
  });
  test('of an owner are given by owners, keys that may do everything and the command line', () => {
    const before = given(
      access,
      owner,
      cashier,
      added('ana', rights('MANAGER', [...PERMISSIONS_OF_ROLE.OWNER])),
      keyWith(...PERMISSIONS_OF_ROLE.OWNER),
    );
    const granted = changed('caio', rights('OWNER'));
    before.when(change('caio', { role: 'OWNER' }, user('ana'))).thenRefused(OWNERS_MAKE_OWNERS);
    before.when(change('ana', { role: 'OWNER' }, user('ana'))).thenRefused(OWNERS_MAKE_OWNERS);
    before.when(add('m', rights('OWNER', ['users.manage']), user('ana'))).thenRefused(OWNERS_MAKE_OWNERS);
    for (const doer of [user('olga'), KEY, 'commandLine'] as const) {
      before.when(change('caio', { role: 'OWNER' }, doer)).then(granted);
    }
  });
  test('of an owner are more than the name of the role', () => {
    given(
      access,
      owner,
      added('o', rights('OWNER', ['users.manage'])),
      added('ana', rights('MANAGER', [...PERMISSIONS_OF_ROLE.OWNER])),
    )
      .when(remove('olga', undefined, user('ana')))
      .thenRefused(LAST_OWNER);
  });
  test('of an owner come back to nobody, be it from the role alone or from a rest, by one who is none', () => {
    const before = given(
      access,
      owner,
      added('o', rights('OWNER', ['users.manage'])),
      added('i', rights('OWNER', null, false)),
      added('ana', rights('MANAGER', [...PERMISSIONS_OF_ROLE.OWNER])),
    );
    before.when(change('o', { permissions: null }, user('ana'))).thenRefused(OWNERS_MAKE_OWNERS);
    before.when(change('i', { active: true }, user('ana'))).thenRefused(OWNERS_MAKE_OWNERS);
    before.when(change('i', { active: true }, user('olga'))).then(changed('i', rights('OWNER')));
    const fewer = changed('o', rights('OWNER', []));
    before.when(change('o', { permissions: [] }, user('ana'))).then(fewer);
  });
  test('of a key that may do everything are given by owners, such keys and the command line', () => {
    const everything = [...PERMISSIONS_OF_ROLE.OWNER];
    const before = given(access, owner, added('ana', rights('MANAGER', everything)), keyWith(...everything));
    const create = (permissions: Permission[], by: Doer): AccessCommand => ({
      type: 'createKey',
      key: { keyId: 'k', name: 'PDV', permissions, expiresAt: null },
      by,
    });
    before.when(create(everything, user('ana'))).thenRefused(OWNERS_MAKE_OWNERS);
    const made = (permissions: Permission[]): AccessEvent => ({
      type: 'ApiKeyCreated',
      data: { keyId: 'k', name: 'PDV', permissions, expiresAt: null },
    });
    for (const doer of [user('olga'), KEY, 'commandLine'] as const) {
      before.when(create(everything, doer)).then(made(everything));
    }
    before.when(create(everything.slice(1), user('ana'))).then(made(everything.slice(1)));
  });
  test('are judged by what the one who changes them may do at present', () => {
    given(access, owner, cashier, changed('olga', rights('BAKER')))
      .when(change('caio', { active: false }, user('olga')))
      .thenRefused(PERMISSION_NOT_YOURS);
    given(access, owner, cashier, added('ana', rights('OWNER')), removed('ana'))
      .when(change('caio', { active: false }, user('ana')))
      .thenRefused(PERMISSION_NOT_YOURS);
    given(access, owner, keyWith(...PERMISSIONS_OF_ROLE.OWNER), { type: 'ApiKeyRevoked', data: { keyId: 'doer' } })
      .when({ type: 'createKey', key: { keyId: 'k', name: 'PDV', permissions: [], expiresAt: null }, by: KEY })
      .thenRefused(PERMISSION_NOT_YOURS, { permissions: ['apiKeys.manage'] });
  });
  test('come back as a whole only from one who has them all', () => {
    const inactive = added('ana', rights('OWNER', null, false));
    given(access, owner, inactive, keyOfManager)
      .when(change('ana', { active: true }, KEY))
      .thenRefused(PERMISSION_NOT_YOURS);
    given(access, owner, inactive)
      .when(change('ana', { active: true }))
      .then(changed('ana', rights('OWNER')));
  });
  test('count only while the member is active', () => {
    expect(activeMember(fold(access.decider, [owner]), 'olga')?.memberId).toBe('olga');
    expect(activeMember(fold(access.decider, [owner, changed('olga', rights('OWNER', null, false))]), 'olga')).toBe(
      undefined,
    );
    expect(activeMember(fold(access.decider, [owner, removed('olga')]), 'olga')).toBe(undefined);
  });
});

describe('the last one who can manage users', () => {
  const others = [
    ['nobody else', []],
    ['a cashier', [cashier]],
    ['an inactive owner', [added('ana', rights('OWNER', null, false))]],
    ['an owner without it', [added('ana', rights('OWNER', ['sales.view']))]],
  ] as const;
  test.each(others)('stays when there is %s', (_, also) => {
    given(access, owner, ...also)
      .when(remove('olga'))
      .thenRefused(LAST_ADMINISTRATOR);
    given(access, owner, ...also)
      .when(change('olga', { active: false }))
      .thenRefused(LAST_ADMINISTRATOR);
    given(access, owner, ...also)
      .when(change('olga', { role: 'CASHIER' }))
      .thenRefused(LAST_ADMINISTRATOR);
    given(access, owner, ...also)
      .when(change('olga', { permissions: ['sales.view'] }))
      .thenRefused(LAST_ADMINISTRATOR);
  });
  test('goes when another one is there', () => {
    given(access, owner, added('m', rights('CASHIER', ['users.manage'])))
      .when(remove('olga'))
      .then(removed('olga'));
  });
  test('may be changed as long as that stays', () => {
    given(access, owner)
      .when(change('olga', { role: 'MANAGER' }))
      .then(changed('olga', rights('MANAGER')));
  });
  test('is not the one who cannot', () => {
    given(access, owner, cashier).when(remove('caio')).then(removed('caio'));
  });
});

describe('an invitation', () => {
  test('gives the membership to the account that accepts it', () => {
    given(access, owner, cashier)
      .when(accept('caio', 'caio', 'carla'))
      .then(accepted('caio', 'carla'));
    const state = fold(access.decider, [owner, cashier, accepted('caio', 'carla')]);
    expect(activeMember(state, 'carla')).toMatchObject({ memberId: 'caio', role: 'CASHIER' });
    expect(activeMember(state, 'caio')).toBe(undefined);
  });
  test('is accepted once', () => {
    given(access, owner, cashier, accepted('caio', 'carla'))
      .when(accept('caio', 'caio', 'carla'))
      .thenNothing();
  });
  test('is not accepted by a second account', () => {
    given(access, owner, cashier, accepted('caio', 'carla'))
      .when(accept('caio', 'caio', 'dora'))
      .thenRefused(NOT_FOUND);
  });
  test('is not accepted by a member', () => {
    given(access, owner, cashier)
      .when(accept('caio', 'caio', 'olga'))
      .thenRefused(ALREADY_MEMBER);
  });
  test('ends with the member', () => {
    given(access, owner, cashier, removed('caio'))
      .when(accept('caio', 'caio', 'carla'))
      .thenRefused(NOT_FOUND);
  });
  test('leaves a member who can be removed', () => {
    given(access, owner, cashier, accepted('caio', 'carla'))
      .when(remove('caio'))
      .then({ type: 'MemberRemoved', data: { memberId: 'caio', userId: 'carla' } });
  });
});

describe('an API key', () => {
  const key = { keyId: 'k', name: 'PDV', permissions: ['sales.manage' as const], expiresAt: null };
  const created: AccessEvent = { type: 'ApiKeyCreated', data: key };
  const revoked: AccessEvent = { type: 'ApiKeyRevoked', data: { keyId: 'k' } };

  const revoke = (ifMatch?: number): AccessCommand => ({
    type: 'revokeKey',
    keyId: 'k',
    ifMatch: ifMatch === undefined ? undefined : [ifMatch],
  });

  test('is created', () => {
    given(access, owner).when({ type: 'createKey', key, by: 'commandLine' }).then(created);
  });
  test('is created once', () => {
    given(access, owner, created).when({ type: 'createKey', key, by: 'commandLine' }).thenNothing();
  });
  test('may do no more than its creator', () => {
    given(access, owner, keyWith('apiKeys.manage', 'sales.view'))
      .when({ type: 'createKey', key, by: KEY })
      .thenRefused(PERMISSION_NOT_YOURS, { permissions: ['sales.manage'] });
  });
  test('is revoked, once', () => {
    given(access, owner, created).when(revoke()).then(revoked);
    given(access, owner, created, revoked).when(revoke()).thenRefused(NOT_FOUND);
  });
  test('is not revoked by a client that saw another', () => {
    given(access, owner, created).when(revoke(0)).thenRefused(STALE);
    given(access, owner, created).when(revoke(1)).then(revoked);
  });
});
