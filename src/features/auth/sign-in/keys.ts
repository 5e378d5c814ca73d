import type { KeyObject } from 'node:crypto';
import { createSecretKey, hkdfSync } from 'node:crypto';

export interface SignInKeys {
  readonly accessTokens: KeyObject;
  readonly refreshTokens: KeyObject;
  readonly throttle: KeyObject;
}

/** One configured secret, a key of its own for each purpose. */
export function signInKeys(secret: Uint8Array): SignInKeys {
  const keyFor = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `sign-in ${purpose}`, 32)));
  return {
    accessTokens: keyFor('access tokens'),
    refreshTokens: keyFor('refresh tokens'),
    throttle: keyFor('throttle'),
  };
}
