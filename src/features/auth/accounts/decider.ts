import type { Decider, StreamType } from '../../../kernel/decider.js';
import { NOT_FOUND, Rejection } from '../../../kernel/rejection.js';
import type { AccountEvent, PrintTarget, UiPreferences } from './events.js';
import { accountEvents } from './events.js';
import { ACCOUNT_OF_ITS_HOLDER } from './rejections.js';

export interface Profile {
  readonly username: string;
  readonly email: string;
  readonly name: string;
}

export interface Account extends Profile {
  readonly userId: string;
  readonly createdByStore: string | null;
  readonly twoFactor: boolean;
  /** In the order in which it joined them. */
  readonly stores: readonly string[];
  /** Grows whenever all sessions are revoked: a session of an older epoch is none. */
  readonly epoch: number;
  readonly printTarget: PrintTarget;
  readonly uiPreferences: UiPreferences;
}

export type AccountState = Account | 'none' | 'dropped';

export type AccountCommand =
  | {
      readonly type: 'register';
      readonly userId: string;
      readonly profile: Profile;
      readonly createdByStore: string | null;
    }
  /** Keeps an account that was never registered from being born late. */
  | { readonly type: 'dropClaim' }
  /** By its holder, or by a store (`byStore`) that created it while it belongs to no other. */
  | { readonly type: 'changeProfile'; readonly profile: Profile; readonly byStore?: string }
  | { readonly type: 'changePassword'; readonly by: 'holder' | 'reset' }
  | { readonly type: 'changePassword'; readonly by: 'store'; readonly byStore: string }
  | { readonly type: 'joinStore' | 'leaveStore'; readonly storeId: string }
  | { readonly type: 'setPrintTarget'; readonly printTarget: PrintTarget }
  | { readonly type: 'setUiPreferences'; readonly uiPreferences: UiPreferences }
  | { readonly type: 'enableTwoFactor' | 'disableTwoFactor' }
  | { readonly type: 'revokeSessions'; readonly reason: string }
  /** Security facts that change nothing but history. */
  | { readonly type: 'note'; readonly fact: Extract<AccountEvent, { type: NotedFact }> };

type NotedFact =
  'PasswordResetRequested' | 'BackupCodeUsed' | 'SignedIn' | 'SignedOut' | 'StoreSwitched' | 'RefreshTokenReused';

function evolveAccount(account: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'AccountProfileChanged':
      return { ...account, ...event.data };
    case 'TwoFactorEnabled':
      return { ...account, twoFactor: true };
    case 'TwoFactorDisabled':
      return { ...account, twoFactor: false };
    case 'StoreJoined':
      return { ...account, stores: [...account.stores, event.data.storeId] };
    case 'StoreLeft':
      return { ...account, stores: account.stores.filter((storeId) => storeId !== event.data.storeId) };
    case 'SessionsRevoked':
      return { ...account, epoch: account.epoch + 1 };
    case 'PrintTargetChanged':
      return { ...account, printTarget: event.data };
    case 'UiPreferencesChanged':
      return { ...account, uiPreferences: event.data };
    default:
      return account;
  }
}

const born = ({
  userId,
  createdByStore,
  ...profile
}: Extract<AccountEvent, { type: 'AccountRegistered' }>['data']): Account => ({
  ...profile,
  userId,
  createdByStore,
  twoFactor: false,
  stores: [],
  epoch: 0,
  printTarget: { target: 'local', agentId: null, a4Sheet: false },
  uiPreferences: { navigationFavorites: [], theme: 'system' },
});

/** A store may change the account that it created, as long as that belongs to no other. */
function mayChange(account: Account, byStore: string): void {
  const elsewhere = account.stores.some((storeId) => storeId !== byStore);
  if (account.createdByStore !== byStore || elsewhere) throw new Rejection(ACCOUNT_OF_ITS_HOLDER);
}

function decideAccount(account: Account, command: AccountCommand): AccountEvent[] {
  switch (command.type) {
    case 'register':
    case 'dropClaim':
      return [];
    case 'changeProfile': {
      if (command.byStore !== undefined) mayChange(account, command.byStore);
      const { username, email, name } = command.profile;
      const same = username === account.username && email === account.email && name === account.name;
      return same ? [] : [{ type: 'AccountProfileChanged', data: { username, email, name } }];
    }
    case 'changePassword':
      if (command.by === 'store') mayChange(account, command.byStore);
      return [
        { type: 'PasswordChanged', data: { by: command.by } },
        { type: 'SessionsRevoked', data: { reason: 'password changed' } },
      ];
    case 'joinStore':
      return account.stores.includes(command.storeId)
        ? []
        : [{ type: 'StoreJoined', data: { storeId: command.storeId } }];
    case 'leaveStore':
      return account.stores.includes(command.storeId)
        ? [{ type: 'StoreLeft', data: { storeId: command.storeId } }]
        : [];
    case 'setPrintTarget':
      return [{ type: 'PrintTargetChanged', data: command.printTarget }];
    case 'setUiPreferences':
      return [{ type: 'UiPreferencesChanged', data: command.uiPreferences }];
    case 'enableTwoFactor':
      return account.twoFactor ? [] : [{ type: 'TwoFactorEnabled', data: {} }];
    case 'disableTwoFactor':
      return account.twoFactor ? [{ type: 'TwoFactorDisabled', data: {} }] : [];
    case 'revokeSessions':
      return [{ type: 'SessionsRevoked', data: { reason: command.reason } }];
    case 'note':
      return [command.fact];
  }
}

const decider: Decider<AccountState, AccountCommand, AccountEvent> = {
  initial: 'none',
  evolve(state, event) {
    if (event.type === 'AccountRegistered') return born(event.data);
    if (event.type === 'AccountClaimDropped') return 'dropped';
    return typeof state === 'string' ? state : evolveAccount(state, event);
  },
  decide(state, command) {
    if (typeof state !== 'string') return decideAccount(state, command);
    if (command.type === 'dropClaim') return state === 'dropped' ? [] : [{ type: 'AccountClaimDropped', data: {} }];
    if (command.type !== 'register' || state === 'dropped') throw new Rejection(NOT_FOUND);
    const { userId, profile, createdByStore } = command;
    return [{ type: 'AccountRegistered', data: { userId, ...profile, createdByStore } }];
  },
};

export const account: StreamType<AccountState, AccountCommand, AccountEvent> = {
  category: 'user',
  decider,
  events: accountEvents,
};
