import { z } from 'zod';
import { reservationEvents } from '../../../kernel/patterns/reservation.js';
import type { EventOf } from '../../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../kernel/events/event.js';

/** One person's account, whatever stores it belongs to. Secrets are nowhere here: they lie in the vault. */

export const printTarget = z.object({
  target: z.enum(['local', 'agent']),
  agentId: z.string().nullable(),
  a4Sheet: z.boolean(),
});

export const uiPreferences = z.object({
  navigationFavorites: z.array(z.string()),
  theme: z.enum(['light', 'dark', 'system']),
});

const profile = z.object({ username: z.string(), email: z.string(), name: z.string() });

/** `passwordId` names the vault row with the password's hash, so that a row without its event opens nothing. */
const accountRegistered = defineEvent(
  'AccountRegistered',
  1,
  profile.extend({ userId: z.string(), passwordId: z.string(), createdByStore: z.string().nullable() }),
);
/** A name that the account held without ever confirming it was given to another: a late confirmation is refused. */
const accountClaimDropped = defineEvent('AccountClaimDropped', 1, z.object({ claimId: z.string() }));
/** An account ends with its last store; its names are free again. */
const accountEnded = defineEvent('AccountEnded', 1, z.object({}));
const accountProfileChanged = defineEvent('AccountProfileChanged', 1, profile);
const passwordChanged = defineEvent(
  'PasswordChanged',
  1,
  z.object({ by: z.enum(['holder', 'reset', 'store']), passwordId: z.string() }),
);
/** Somebody who reads the mail of this address, in its folded form, said so with a token that went there. */
const addressProved = defineEvent('AddressProved', 1, z.object({ address: z.string() }));
/** Recorded by earlier releases: that a reset is asked for stands in no log any more, since whoever sees it grow would learn who has an account. */
const passwordResetRequested = defineEvent('PasswordResetRequested', 1, z.object({}));
/** `factorId` names the vault rows with its secret and codes, so that rows without their event open nothing. */
const twoFactorEnabled = defineEvent('TwoFactorEnabled', 1, z.object({ factorId: z.string() }));
const twoFactorDisabled = defineEvent('TwoFactorDisabled', 1, z.object({}));
const backupCodeUsed = defineEvent('BackupCodeUsed', 1, z.object({ remaining: z.int() }));
const signedIn = defineEvent(
  'SignedIn',
  1,
  z.object({
    sessionId: z.string(),
    storeId: z.string(),
    by: z.enum(['password', 'totp', 'backupCode', 'enrollment']),
  }),
);
const signedOut = defineEvent('SignedOut', 1, z.object({ sessionId: z.string() }));
const storeSwitched = defineEvent(
  'StoreSwitched',
  1,
  z.object({ sessionId: z.string(), newSessionId: z.string(), storeId: z.string() }),
);
/** Somebody showed a refresh token that had been replaced: its session has ended. */
const refreshTokenReused = defineEvent('RefreshTokenReused', 1, z.object({ sessionId: z.string() }));
const sessionsRevoked = defineEvent('SessionsRevoked', 1, z.object({ reason: z.string() }));
/** By e-mail, to take over a membership that was made with its address. */
const invitationSent = defineEvent('InvitationSent', 1, z.object({ storeId: z.string(), memberId: z.string() }));
const storeJoined = defineEvent('StoreJoined', 1, z.object({ storeId: z.string() }));
const storeLeft = defineEvent('StoreLeft', 1, z.object({ storeId: z.string() }));
const printTargetChanged = defineEvent('PrintTargetChanged', 1, printTarget);
const uiPreferencesChanged = defineEvent('UiPreferencesChanged', 1, uiPreferences);

const definitions = [
  accountRegistered,
  accountClaimDropped,
  accountEnded,
  accountProfileChanged,
  passwordChanged,
  addressProved,
  passwordResetRequested,
  twoFactorEnabled,
  twoFactorDisabled,
  backupCodeUsed,
  signedIn,
  signedOut,
  storeSwitched,
  refreshTokenReused,
  sessionsRevoked,
  invitationSent,
  storeJoined,
  storeLeft,
  printTargetChanged,
  uiPreferencesChanged,
] as const;

export const accountEvents = eventCodec(...definitions);
export type AccountEvent = EventOf<(typeof definitions)[number]>;
export type PrintTarget = z.output<typeof printTarget>;
export type UiPreferences = z.output<typeof uiPreferences>;

export const nameEvents = reservationEvents('NameHeld', 'NameReleased');
