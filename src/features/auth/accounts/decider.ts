import type { IfMatch } from '../../../kernel/events/if-match.js';
import { matches } from '../../../kernel/events/if-match.js';
import type { Decider, Moment, StreamType } from '../../../kernel/events/decider.js';
import { folding } from '../../../kernel/events/decider.js';
import { isSameJson } from '../../../kernel/values/difference.js';
import type { RejectionKind } from '../../../kernel/events/rejection.js';
import { NOT_FOUND, Rejection, STALE } from '../../../kernel/events/rejection.js';
import type { AccountEvent, PrintTarget, UiPreferences } from './events.js';
import { accountEvents } from './events.js';
import type { NameKind } from './names.js';
import { foldName } from './names.js';
import { CREDENTIAL_INVALID } from '../access/rejections.js';
import { RESET_TOKEN_INVALID, TOKEN_INVALID } from '../sign-in/rejections.js';
import { ACCOUNT_OF_ITS_HOLDER, TWO_FACTOR_ON, USERNAME_TAKEN } from './rejections.js';

export interface Profile {
  readonly username: string;
  readonly email: string;
  readonly name: string;
}

/** The reservations of the names that a change brings; `null`: the e-mail address belongs to another account, which is invited by it. */
export interface Claims {
  readonly username?: string;
  readonly email?: string | null;
}

export interface Account extends Profile {
  readonly userId: string;
  /** Whether a token that went to its e-mail address came back; without that the address opens nothing. */
  readonly addressProved: boolean;
  /** The id of its vault row. */
  readonly passwordId: string;
  readonly createdByStore: string | null;
  /** The id of the vault rows of its second factor; null without one. */
  readonly factorId: string | null;
  /** In the order in which it joined them. */
  readonly stores: readonly string[];
  /** Grows whenever all sessions are revoked: a session of an older epoch is none. */
  readonly epoch: number;
  readonly printTarget: PrintTarget;
  readonly uiPreferences: UiPreferences;
  /** The revision of its profile's last change. */
  readonly revision: number;
  /** The same of all that its holder sees and changes of it. */
  readonly ownRevision: number;
  readonly changedAt: string;
  /** Names that it held and lost before it confirmed them. */
  readonly droppedClaims: readonly string[];
  /** The last sessions that ended one by one: what somebody asked in them that is still on its way is refused. */
  readonly endedSessions: readonly string[];
}

/** What somebody showed when they asked for a change: since then it may have been revoked, or the session may have ended. */
export interface Shown {
  readonly epoch: number;
  readonly sessionId?: string | undefined;
}

/** `ended`: it will never be, or be again. */
export type AccountState = Account | 'none' | 'ended';

export type AccountCommand =
  | {
      readonly type: 'register';
      readonly userId: string;
      readonly profile: Profile;
      readonly passwordId: string;
      readonly createdByStore: string | null;
      readonly addressProved: boolean;
    }
  | { readonly type: 'proveAddress'; readonly address: string }
  /** By whoever reads the account's mail, when its address was never proved: all that opened it before is gone. */
  | { readonly type: 'takeOver'; readonly address: string; readonly passwordId: string }
  /** Comes before a name is taken from an account that does not confirm it. */
  | { readonly type: 'dropClaim'; readonly claimId: string; readonly kind: NameKind; readonly name: string }
  /** By its holder, or by a store (`byStore`) that created it while it belongs to no other. */
  | {
      readonly type: 'changeProfile';
      readonly profile: Partial<Profile>;
      readonly claims: Claims;
      readonly byStore?: string;
      readonly shown?: Shown;
      readonly ifMatch?: IfMatch;
    }
  | {
      readonly type: 'changePassword';
      readonly by: 'holder';
      readonly passwordId: string;
      readonly shown: Shown;
      readonly ifMatch?: IfMatch;
    }
  /** On the administration command line nothing is shown. */
  | { readonly type: 'changePassword'; readonly by: 'reset'; readonly passwordId: string; readonly shown?: Shown }
  | { readonly type: 'changePassword'; readonly by: 'store'; readonly byStore: string; readonly passwordId: string }
  | { readonly type: 'joinStore' | 'leaveStore'; readonly storeId: string }
  /** What is left out stays. */
  | { readonly type: 'changePrintTarget'; readonly changes: Partial<PrintTarget>; readonly ifMatch?: IfMatch }
  | { readonly type: 'changeUiPreferences'; readonly changes: Partial<UiPreferences>; readonly ifMatch?: IfMatch }
  | { readonly type: 'enableTwoFactor'; readonly factorId: string; readonly shown: Shown }
  | { readonly type: 'disableTwoFactor'; readonly shown?: Shown }
  | { readonly type: 'revokeSessions'; readonly reason: string }
  /** Fewer than are remembered: where a crash leaves their rows behind, it is what is remembered that ends them. */
  | { readonly type: 'endSessions'; readonly sessionIds: readonly string[] }
  /** Security facts that change nothing but history, and which sessions there are. */
  | { readonly type: 'note'; readonly fact: Extract<AccountEvent, { type: NotedFact }>; readonly shown?: Shown };

type NotedFact =
  'BackupCodeUsed' | 'InvitationSent' | 'SignedIn' | 'SignedOut' | 'StoreSwitched' | 'RefreshTokenReused';

const ENDED_SESSIONS = 100;
/** So many sessions end in one command, and as many more may end before one of them is forgotten. */
export const ENDED_TOGETHER = ENDED_SESSIONS / 2;

const withoutSession = (account: Account, sessionId: string): Account => ({
  ...account,
  endedSessions: [...account.endedSessions, sessionId].slice(-ENDED_SESSIONS),
});

function evolveAccount(account: Account, event: AccountEvent, { revision, at }: Moment): Account {
  switch (event.type) {
    case 'AccountProfileChanged':
      return {
        ...account,
        ...event.data,
        addressProved: account.addressProved && confirms(account, 'email', foldName(event.data.email)),
        revision,
        ownRevision: revision,
        changedAt: at,
      };
    case 'AddressProved':
      return { ...account, addressProved: account.addressProved || confirms(account, 'email', event.data.address) };
    case 'AccountClaimDropped':
      return { ...account, droppedClaims: [...account.droppedClaims, event.data.claimId] };
    case 'PasswordChanged':
      return {
        ...account,
        passwordId: event.data.passwordId,
        addressProved: account.addressProved || event.data.by === 'reset',
      };
    case 'TwoFactorEnabled':
      return { ...account, factorId: event.data.factorId, ownRevision: revision };
    case 'TwoFactorDisabled':
      return { ...account, factorId: null, ownRevision: revision };
    case 'StoreJoined':
      // By an invitation that went to its address.
      return { ...account, addressProved: true, stores: [...account.stores, event.data.storeId] };
    case 'StoreLeft':
      return { ...account, stores: account.stores.filter((storeId) => storeId !== event.data.storeId) };
    case 'SignedOut':
    case 'StoreSwitched':
    case 'RefreshTokenReused':
      return withoutSession(account, event.data.sessionId);
    case 'SessionsRevoked':
      return { ...account, epoch: account.epoch + 1 };
    case 'PrintTargetChanged':
      return { ...account, printTarget: event.data, ownRevision: revision };
    case 'UiPreferencesChanged':
      return { ...account, uiPreferences: event.data, ownRevision: revision };
    default:
      return account;
  }
}

type Registered = Extract<AccountEvent, { type: 'AccountRegistered' }>['data'];

const born = (registered: Registered, { revision, at }: Moment): Account => ({
  ...registered,
  addressProved: false,
  factorId: null,
  stores: registered.createdByStore === null ? [] : [registered.createdByStore],
  epoch: 0,
  printTarget: { target: 'local', agentId: null, a4Sheet: false },
  uiPreferences: { navigationFavorites: [], theme: 'system' },
  revision,
  ownRevision: revision,
  changedAt: at,
  droppedClaims: [],
  endedSessions: [],
});

/** A store may change the account that it created, as long as that belongs to no other. */
export const mayBeChangedBy = ({ createdByStore, stores }: Account, store: string): boolean =>
  createdByStore === store && stores.every((storeId) => storeId === store);

function expectChangeableBy(account: Account, store: string): void {
  if (!mayBeChangedBy(account, store)) throw new Rejection(ACCOUNT_OF_ITS_HOLDER);
}

/** Whether the account uses the name, so that nobody may take it. */
export const confirms = (account: Account, kind: NameKind, name: string): boolean => foldName(account[kind]) === name;

/** A new name counts only while its claim does. */
function expectClaimed(account: Account, kind: NameKind, wanted: string | undefined, claims: Claims): void {
  if (wanted === undefined || confirms(account, kind, foldName(wanted))) return;
  const claimId = claims[kind];
  if (claimId === null) return;
  if (claimId === undefined || account.droppedClaims.includes(claimId)) throw new Rejection(USERNAME_TAKEN);
}

function expectStanding({ epoch, endedSessions }: Account, shown: Shown | undefined, refusal: RejectionKind): void {
  if (!shown) return;
  const hasEnded = shown.sessionId !== undefined && endedSessions.includes(shown.sessionId);
  if (shown.epoch !== epoch || hasEnded) throw new Rejection(refusal);
}

/** Whether its holder changes what they have seen. */
export function expectSeen({ ownRevision }: Account, ifMatch: IfMatch): void {
  if (!matches(ifMatch, ownRevision)) throw new Rejection(STALE);
}

function changeProfile(account: Account, command: Extract<AccountCommand, { type: 'changeProfile' }>): AccountEvent[] {
  const { byStore, shown, ifMatch, claims, profile } = command;
  if (byStore !== undefined) expectChangeableBy(account, byStore);
  expectStanding(account, shown, CREDENTIAL_INVALID);
  // A store sees less of the account than its holder.
  if (byStore === undefined) expectSeen(account, ifMatch);
  else if (!matches(ifMatch, account.revision)) throw new Rejection(STALE);
  expectClaimed(account, 'username', profile.username, claims);
  expectClaimed(account, 'email', profile.email, claims);
  const { username, email, name } = { ...account, ...command.profile };
  const same = username === account.username && email === account.email && name === account.name;
  return same ? [] : [{ type: 'AccountProfileChanged', data: { username, email, name } }];
}

function proveAddress(account: Account, address: string): AccountEvent[] {
  if (!confirms(account, 'email', address)) throw new Rejection(NOT_FOUND);
  return account.addressProved ? [] : [{ type: 'AddressProved', data: { address } }];
}

function takeOver(account: Account, { address, passwordId }: Extract<AccountCommand, { type: 'takeOver' }>) {
  const proved = proveAddress(account, address);
  if (proved.length === 0) return [];
  const withoutFactor: AccountEvent[] = account.factorId === null ? [] : [{ type: 'TwoFactorDisabled', data: {} }];
  return [
    ...proved,
    { type: 'PasswordChanged', data: { by: 'reset', passwordId } } as const,
    ...withoutFactor,
    revoked('account taken over by the holder of its address'),
  ];
}

const revoked = (reason: string): AccountEvent => ({ type: 'SessionsRevoked', data: { reason } });

function enableTwoFactor(
  account: Account,
  { factorId, shown }: Extract<AccountCommand, { type: 'enableTwoFactor' }>,
): AccountEvent[] {
  if (account.factorId === factorId) return [];
  expectStanding(account, shown, TOKEN_INVALID);
  if (account.factorId !== null) throw new Rejection(TWO_FACTOR_ON);
  return [{ type: 'TwoFactorEnabled', data: { factorId } }];
}

function leaveStore({ stores }: Account, storeId: string): AccountEvent[] {
  if (!stores.includes(storeId)) return [];
  const left: AccountEvent = { type: 'StoreLeft', data: { storeId } };
  return stores.length > 1 ? [left] : [left, { type: 'AccountEnded', data: {} }];
}

function decideAccount(account: Account, command: AccountCommand): AccountEvent[] {
  switch (command.type) {
    case 'register':
      return [];
    case 'dropClaim': {
      const { claimId, kind, name } = command;
      const settled = confirms(account, kind, name) || account.droppedClaims.includes(claimId);
      return settled ? [] : [{ type: 'AccountClaimDropped', data: { claimId } }];
    }
    case 'changeProfile':
      return changeProfile(account, command);
    case 'changePassword': {
      const { by, passwordId } = command;
      if (by === 'holder') expectSeen(account, command.ifMatch);
      if (by === 'store') expectChangeableBy(account, command.byStore);
      else expectStanding(account, command.shown, by === 'reset' ? RESET_TOKEN_INVALID : CREDENTIAL_INVALID);
      return [{ type: 'PasswordChanged', data: { by, passwordId } }, revoked('password changed')];
    }
    case 'proveAddress':
      return proveAddress(account, command.address);
    case 'takeOver':
      return takeOver(account, command);
    case 'joinStore':
      return account.stores.includes(command.storeId)
        ? []
        : [{ type: 'StoreJoined', data: { storeId: command.storeId } }];
    case 'leaveStore':
      return leaveStore(account, command.storeId);
    case 'changePrintTarget': {
      expectSeen(account, command.ifMatch);
      const data = { ...account.printTarget, ...command.changes };
      return isSameJson(account.printTarget, data) ? [] : [{ type: 'PrintTargetChanged', data }];
    }
    case 'changeUiPreferences': {
      expectSeen(account, command.ifMatch);
      const data = { ...account.uiPreferences, ...command.changes };
      return isSameJson(account.uiPreferences, data) ? [] : [{ type: 'UiPreferencesChanged', data }];
    }
    case 'enableTwoFactor':
      return enableTwoFactor(account, command);
    case 'disableTwoFactor':
      expectStanding(account, command.shown, CREDENTIAL_INVALID);
      return account.factorId !== null ? [{ type: 'TwoFactorDisabled', data: {} }] : [];
    case 'revokeSessions':
      return [revoked(command.reason)];
    case 'endSessions':
      return command.sessionIds
        .filter((sessionId) => !account.endedSessions.includes(sessionId))
        .map((sessionId) => ({ type: 'SignedOut', data: { sessionId } }));
    case 'note':
      expectStanding(account, command.shown, CREDENTIAL_INVALID);
      return [command.fact];
  }
}

/** No account is there: it may be registered, kept from ever being, or have left already. */
function decideWithout(state: 'none' | 'ended', command: AccountCommand): AccountEvent[] {
  switch (command.type) {
    case 'dropClaim':
      return state === 'none' ? [{ type: 'AccountClaimDropped', data: { claimId: command.claimId } }] : [];
    case 'leaveStore':
      return [];
    case 'register': {
      if (state === 'ended') throw new Rejection(USERNAME_TAKEN);
      const { userId, profile, passwordId, createdByStore, addressProved } = command;
      const registered: AccountEvent = {
        type: 'AccountRegistered',
        data: { userId, ...profile, passwordId, createdByStore },
      };
      const address = foldName(profile.email);
      return addressProved ? [registered, { type: 'AddressProved', data: { address } }] : [registered];
    }
    default:
      throw new Rejection(NOT_FOUND);
  }
}

function evolve(state: AccountState, event: AccountEvent, moment: Moment): AccountState {
  if (event.type === 'AccountRegistered') return born(event.data, moment);
  if (event.type === 'AccountEnded') return 'ended';
  if (state === 'none' && event.type === 'AccountClaimDropped') return 'ended';
  return typeof state === 'string' ? state : evolveAccount(state, event, moment);
}

const decider: Decider<AccountState, AccountCommand, AccountEvent> = {
  initial: 'none',
  evolve,
  decide: (state, command) =>
    typeof state === 'string' ? decideWithout(state, command) : decideAccount(state, command),
};

export const account: StreamType<AccountState, AccountCommand, AccountEvent> = {
  category: 'user',
  decider,
  events: accountEvents,
  // Sign-ins make the stream long and leave the state as small as it was.
  snapshot: {
    version: 5,
    save: (state) => [state],
    load: folding<AccountState>('none', (_, state) => state as AccountState),
  },
};
