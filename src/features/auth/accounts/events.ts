import { z } from 'zod';
import type { EventOf } from '../../../kernel/event.js';
import { defineEvent, eventCodec } from '../../../kernel/event.js';

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

const accountRegistered = defineEvent(
  'AccountRegistered',
  1,
  profile.extend({ userId: z.string(), createdByStore: z.string().nullable() }),
);
/** A reservation of its names was given to another before the account was born: it never will be. */
const accountClaimDropped = defineEvent('AccountClaimDropped', 1, z.object({}));
const accountProfileChanged = defineEvent('AccountProfileChanged', 1, profile);
const passwordChanged = defineEvent('PasswordChanged', 1, z.object({ by: z.enum(['holder', 'reset', 'store']) }));
const passwordResetRequested = defineEvent('PasswordResetRequested', 1, z.object({}));
const twoFactorEnabled = defineEvent('TwoFactorEnabled', 1, z.object({}));
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
const storeJoined = defineEvent('StoreJoined', 1, z.object({ storeId: z.string() }));
const storeLeft = defineEvent('StoreLeft', 1, z.object({ storeId: z.string() }));
const printTargetChanged = defineEvent('PrintTargetChanged', 1, printTarget);
const uiPreferencesChanged = defineEvent('UiPreferencesChanged', 1, uiPreferences);

const definitions = [
  accountRegistered,
  accountClaimDropped,
  accountProfileChanged,
  passwordChanged,
  passwordResetRequested,
  twoFactorEnabled,
  twoFactorDisabled,
  backupCodeUsed,
  signedIn,
  signedOut,
  storeSwitched,
  refreshTokenReused,
  sessionsRevoked,
  storeJoined,
  storeLeft,
  printTargetChanged,
  uiPreferencesChanged,
] as const;

export const accountEvents = eventCodec(...definitions);
export type AccountEvent = EventOf<(typeof definitions)[number]>;
export type PrintTarget = z.output<typeof printTarget>;
export type UiPreferences = z.output<typeof uiPreferences>;

const nameHeld = defineEvent('NameHeld', 1, z.object({ ownerId: z.string() }));
const nameReleased = defineEvent('NameReleased', 1, z.object({ ownerId: z.string() }));
export const nameEvents = eventCodec(nameHeld, nameReleased);
export type NameEvent = EventOf<typeof nameHeld | typeof nameReleased>;
