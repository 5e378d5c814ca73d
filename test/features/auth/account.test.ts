import type { IfMatch } from '../../../src/kernel/events/if-match.js';
import { describe, expect, test } from '@jest/globals';
import type { AccountCommand, Claims, Profile, Shown } from '../../../src/features/auth/accounts/decider.js';
import { account } from '../../../src/features/auth/accounts/decider.js';
import type { AccountEvent, PrintTarget, UiPreferences } from '../../../src/features/auth/accounts/events.js';
import {
  ACCOUNT_OF_ITS_HOLDER,
  TWO_FACTOR_ON,
  USERNAME_TAKEN,
} from '../../../src/features/auth/accounts/rejections.js';
import { CREDENTIAL_INVALID } from '../../../src/features/auth/access/rejections.js';
import { RESET_TOKEN_INVALID, TOKEN_INVALID } from '../../../src/features/auth/sign-in/rejections.js';
import { fold } from '../../support/fold.js';
import type { RejectionKind } from '../../../src/kernel/events/rejection.js';
import { NOT_FOUND, STALE } from '../../../src/kernel/events/rejection.js';
import { given, NOON } from '../../support/given.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

const profile: Profile = { username: 'Maria', email: 'maria@aurora.example', name: 'Maria Souza' };
const registered = (createdByStore: string | null = 'aurora'): AccountEvent => ({
  type: 'AccountRegistered',
  data: { userId: 'u1', ...profile, passwordId: 'p1', createdByStore },
});
const register: AccountCommand = {
  type: 'register',
  userId: 'u1',
  profile,
  passwordId: 'p1',
  createdByStore: 'aurora',
  addressProved: false,
};
const joined = (storeId: string): AccountEvent => ({ type: 'StoreJoined', data: { storeId } });
const left = (storeId: string): AccountEvent => ({ type: 'StoreLeft', data: { storeId } });
const ended: AccountEvent = { type: 'AccountEnded', data: {} };
const dropped = (claimId: string): AccountEvent => ({ type: 'AccountClaimDropped', data: { claimId } });
const dropClaim = (claimId: string, name: string): AccountCommand => ({
  type: 'dropClaim',
  claimId,
  kind: 'username',
  name,
});
const change = (
  changes: Partial<Profile>,
  claims: Claims = {},
  more: { readonly byStore?: string; readonly ifMatch?: IfMatch; readonly shown?: Shown } = {},
): AccountCommand => ({ type: 'changeProfile', profile: changes, claims, ...more });
const changed = (changes: Partial<Profile>): AccountEvent => ({
  type: 'AccountProfileChanged',
  data: { ...profile, ...changes },
});
const printTarget = (data: PrintTarget): AccountEvent => ({ type: 'PrintTargetChanged', data });
const preferences = (data: UiPreferences): AccountEvent => ({ type: 'UiPreferencesChanged', data });
/** What is shown by who is signed in, before anything is revoked. */
const SHOWN: Shown = { epoch: 0, sessionId: 's1' };
const passwordChanged = (by: 'holder' | 'reset' | 'store'): AccountEvent[] => [
  { type: 'PasswordChanged', data: { by, passwordId: 'p2' } },
  { type: 'SessionsRevoked', data: { reason: 'password changed' } },
];

describe('what a holder prefers', () => {
  const agent = { target: 'agent', agentId: 'caixa-1', a4Sheet: false } as const;
  const dark = { navigationFavorites: ['/orders'], theme: 'dark' } as const;
  test('is changed where a change says so, and stays elsewhere', () => {
    given(account, registered(), printTarget(agent))
      .when({ type: 'changePrintTarget', changes: { a4Sheet: true } })
      .then(printTarget({ ...agent, a4Sheet: true }));
    given(account, registered(), preferences({ ...dark, navigationFavorites: [] }))
      .when({ type: 'changeUiPreferences', changes: { navigationFavorites: ['/orders'] } })
      .then(preferences({ ...dark, navigationFavorites: ['/orders'] }));
  });
  test('is changed once', () => {
    given(account, registered(), printTarget(agent))
      .when({ type: 'changePrintTarget', changes: { target: 'agent', agentId: 'caixa-1' } })
      .then();
  });
});

describe('an account', () => {
  test('is registered', () => {
    given(account).when(register).then(registered());
  });
  test('belongs to the store that created it', () => {
    expect(fold(account.decider, [registered()])).toMatchObject({ stores: ['aurora'], passwordId: 'p1' });
  });
  test('belongs to no store when none created it', () => {
    expect(fold(account.decider, [registered(null)])).toMatchObject({ stores: [] });
  });
  test('is registered once', () => {
    given(account, registered()).when(register).thenNothing();
  });
  test('is never born when a name that it held was given to another', () => {
    given(account, dropped('c1')).when(register).thenRefused(USERNAME_TAKEN);
  });
  test.each<AccountCommand>([
    change({ name: 'X' }),
    { type: 'changePassword', by: 'reset', passwordId: 'p2', shown: SHOWN },
    { type: 'joinStore', storeId: 'aurora' },
    { type: 'enableTwoFactor', factorId: 'f1', shown: SHOWN },
  ])('that does not exist takes no $type', (command) => {
    given(account).when(command).thenRefused(NOT_FOUND);
    given(account, registered(), left('aurora'), ended).when(command).thenRefused(NOT_FOUND);
  });
  test('survives as a snapshot', () => {
    const state = fold(account.decider, [registered(), joined('leste')]);
    expect(throughSnapshot(account, state)).toEqual(state);
  });
});

describe('the names of an account', () => {
  test('change when they are claimed', () => {
    given(account, registered())
      .when(change({ username: 'maria.s', email: 'm@s.example' }, { username: 'c2', email: 'c3' }))
      .then(changed({ username: 'maria.s', email: 'm@s.example' }));
  });
  test('do not change without a claim', () => {
    given(account, registered())
      .when(change({ username: 'maria.s' }))
      .thenRefused(USERNAME_TAKEN);
    given(account, registered())
      .when(change({ email: 'm@s.example' }, { username: 'c2' }))
      .thenRefused(USERNAME_TAKEN);
  });
  test('do not change by a claim that was dropped', () => {
    given(account, registered(), dropped('c2'))
      .when(change({ username: 'maria.s' }, { username: 'c2' }))
      .thenRefused(USERNAME_TAKEN);
  });
  test('change by a later claim on the same name', () => {
    given(account, registered(), dropped('c2'))
      .when(change({ username: 'maria.s' }, { username: 'c3' }))
      .then(changed({ username: 'maria.s' }));
  });
  test('take another spelling without a claim', () => {
    given(account, registered())
      .when(change({ username: 'MARIA' }))
      .then(changed({ username: 'MARIA' }));
  });
  test('may be an e-mail address of another account, which is then invited', () => {
    given(account, registered())
      .when(change({ email: 'joao@leste.example' }, { email: null }))
      .then(changed({ email: 'joao@leste.example' }));
  });
  test('stay when they are given again', () => {
    given(account, registered()).when(change(profile)).thenNothing();
  });
  test('do not change for a client that saw an older record', () => {
    given(account, registered(), changed({ name: 'M' }))
      .when(change({ name: 'Mariana' }, {}, { ifMatch: [0] }))
      .thenRefused(STALE);
    given(account, registered(), changed({ name: 'M' }))
      .when(change({ name: 'Mariana' }, {}, { ifMatch: [1] }))
      .then(changed({ name: 'Mariana' }));
  });
});

describe('an address', () => {
  const prove = (address = 'maria@aurora.example'): AccountCommand => ({ type: 'proveAddress', address });
  const proved: AccountEvent = { type: 'AddressProved', data: { address: 'maria@aurora.example' } };
  const reset: AccountEvent = { type: 'PasswordChanged', data: { by: 'reset', passwordId: 'p2' } };

  test('is proved once, from the start where whoever registers it vouches for it', () => {
    given(account, registered()).when(prove()).then(proved);
    given(account, registered(), proved).when(prove()).thenNothing();
    given(account)
      .when({ ...register, addressProved: true })
      .then(registered(), proved);
  });
  test('is not proved for an account that has another', () => {
    given(account, registered()).when(prove('joao@aurora.example')).thenRefused(NOT_FOUND);
  });
  test('counts as proved where its mail replaced the password or brought the account into a store', () => {
    for (const before of [reset, joined('leste')]) given(account, registered(), before).when(prove()).thenNothing();
  });
  test('is still to be proved after another name of the person, and a new password by its holder or a store', () => {
    for (const before of [[changed({ name: 'M' })], passwordChanged('holder'), passwordChanged('store')]) {
      given(account, registered(), ...before)
        .when(prove())
        .then(proved);
    }
  });
  test('is to be proved again after it changed, but not after another spelling', () => {
    const other = { email: 'outra@aurora.example' };
    given(account, registered(), proved, changed(other))
      .when(prove(other.email))
      .then({ type: 'AddressProved', data: { address: other.email } });
    given(account, registered(), proved, changed({ email: 'MARIA@aurora.example' }))
      .when(prove())
      .thenNothing();
  });
});

describe('a claim on a name', () => {
  test('ends an account that was never born', () => {
    given(account).when(dropClaim('c1', 'maria')).then(dropped('c1'));
  });
  test('is dropped when the account goes by another name', () => {
    given(account, registered()).when(dropClaim('c2', 'maria.s')).then(dropped('c2'));
  });
  test('is not dropped when the account goes by the name', () => {
    given(account, registered()).when(dropClaim('c1', 'maria')).thenNothing();
  });
  test('is dropped once', () => {
    given(account, registered(), dropped('c2')).when(dropClaim('c2', 'maria.s')).thenNothing();
    given(account, dropped('c1')).when(dropClaim('c1', 'maria')).thenNothing();
  });
});

describe('a store', () => {
  test('changes the account that it created', () => {
    given(account, registered())
      .when(change({ name: 'Mariana' }, {}, { byStore: 'aurora' }))
      .then(changed({ name: 'Mariana' }));
    given(account, registered())
      .when({ type: 'changePassword', by: 'store', byStore: 'aurora', passwordId: 'p2' })
      .then(...passwordChanged('store'));
  });
  test.each([
    ['that it did not create', [registered('leste'), joined('aurora'), left('leste')]],
    ['that nobody but the command line created', [registered(null), joined('aurora')]],
    ['that belongs to another store as well', [registered(), joined('leste')]],
  ])('does not change an account %s', (_, history) => {
    given(account, ...history)
      .when(change({ name: 'Mariana' }, {}, { byStore: 'aurora' }))
      .thenRefused(ACCOUNT_OF_ITS_HOLDER);
    given(account, ...history)
      .when({ type: 'changePassword', by: 'store', byStore: 'aurora', passwordId: 'p2' })
      .thenRefused(ACCOUNT_OF_ITS_HOLDER);
  });
  test('may change it again once it has left the other', () => {
    given(account, registered(), joined('leste'), left('leste'))
      .when(change({ name: 'Mariana' }, {}, { byStore: 'aurora' }))
      .then(changed({ name: 'Mariana' }));
  });
  test('is joined and left once', () => {
    given(account, registered()).when({ type: 'joinStore', storeId: 'leste' }).then(joined('leste'));
    given(account, registered()).when({ type: 'joinStore', storeId: 'aurora' }).thenNothing();
    given(account, registered(), joined('leste')).when({ type: 'leaveStore', storeId: 'aurora' }).then(left('aurora'));
    given(account, registered()).when({ type: 'leaveStore', storeId: 'leste' }).thenNothing();
  });
  test('that is the last ends the account with it', () => {
    given(account, registered()).when({ type: 'leaveStore', storeId: 'aurora' }).then(left('aurora'), ended);
    given(account, registered(), left('aurora'), ended).when({ type: 'leaveStore', storeId: 'aurora' }).thenNothing();
  });
});

describe('the security of an account', () => {
  test.each(['holder', 'reset'] as const)('a new password by %s ends its sessions', (by) => {
    given(account, registered(), joined('leste'))
      .when({ type: 'changePassword', by, passwordId: 'p2', shown: SHOWN })
      .then(...passwordChanged(by));
    expect(fold(account.decider, [registered(), ...passwordChanged(by)])).toMatchObject({ epoch: 1, passwordId: 'p2' });
  });
  const asked: readonly (readonly [AccountCommand, RejectionKind])[] = [
    [{ type: 'changePassword', by: 'holder', passwordId: 'p2', shown: SHOWN }, CREDENTIAL_INVALID],
    [{ type: 'changePassword', by: 'reset', passwordId: 'p2', shown: SHOWN }, RESET_TOKEN_INVALID],
    [{ type: 'enableTwoFactor', factorId: 'f1', shown: SHOWN }, TOKEN_INVALID],
    [{ type: 'disableTwoFactor', shown: SHOWN }, CREDENTIAL_INVALID],
    [change({ email: 'eva@casa.example' }, { email: 'c9' }, { shown: SHOWN }), CREDENTIAL_INVALID],
  ];
  test.each(asked)(
    '%j is refused once what was shown for it is revoked, or its session has ended',
    (command, refusal) => {
      given(account, registered(), ...passwordChanged('reset'))
        .when(command)
        .thenRefused(refusal);
      for (const type of ['SignedOut', 'RefreshTokenReused'] as const) {
        given(account, registered(), { type, data: { sessionId: 's1' } })
          .when(command)
          .thenRefused(refusal);
      }
      const elsewhere: AccountEvent = { type: 'SignedOut', data: { sessionId: 's2' } };
      const state = fold(account.decider, [registered(), elsewhere]);
      expect(() => account.decider.decide(state, command, NOON)).not.toThrow();
    },
  );
  test('two-factor is switched on and off once', () => {
    const on: AccountEvent = { type: 'TwoFactorEnabled', data: { factorId: 'f1' } };
    const off: AccountEvent = { type: 'TwoFactorDisabled', data: {} };
    given(account, registered()).when({ type: 'enableTwoFactor', factorId: 'f1', shown: SHOWN }).then(on);
    given(account, registered(), on).when({ type: 'enableTwoFactor', factorId: 'f1', shown: SHOWN }).thenNothing();
    given(account, registered(), on)
      .when({ type: 'enableTwoFactor', factorId: 'f2', shown: SHOWN })
      .thenRefused(TWO_FACTOR_ON);
    given(account, registered(), on).when({ type: 'disableTwoFactor' }).then(off);
    given(account, registered()).when({ type: 'disableTwoFactor' }).thenNothing();
  });
  test('every revocation counts', () => {
    const revoked: AccountEvent = { type: 'SessionsRevoked', data: { reason: 'asked' } };
    given(account, registered(), revoked).when({ type: 'revokeSessions', reason: 'asked' }).then(revoked);
    expect(fold(account.decider, [registered(), revoked, revoked])).toMatchObject({ epoch: 2 });
  });
  test('facts are noted and change nothing else', () => {
    const fact = { type: 'BackupCodeUsed', data: { remaining: 3 } } as const;
    given(account, registered()).when({ type: 'note', fact }).then(fact);
    expect(fold(account.decider, [registered(), fact])).toEqual(fold(account.decider, [registered()]));
  });
});
