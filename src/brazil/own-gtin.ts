import { uuidV5 } from '../kernel/values/ids.js';
import { withCheckDigit } from './gtin.js';

// Scales print 20 and 21 (scale-label.ts), so a store's own codes are kept apart at the other end of prefix 2.
const OWN_PREFIX = '29';
const OWN_DIGITS = 10;

export const isOwnGtin = (gtin: string): boolean => gtin.length === 13 && gtin.startsWith(OWN_PREFIX);

/** A store's own EAN-13: the same for the same claim and name, and most likely another for any other. */
export function ownGtin(claimId: string, name: string): string {
  const hexadecimal = uuidV5(claimId, name).replaceAll('-', '').slice(16);
  const number = BigInt(`0x${hexadecimal}`) % 10n ** BigInt(OWN_DIGITS);
  return withCheckDigit(OWN_PREFIX + number.toString().padStart(OWN_DIGITS, '0'));
}
