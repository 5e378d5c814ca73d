import { uuidV5 } from '../kernel/values/ids.js';

/** Barcodes: GTIN-8, -12, -13 and -14, all compared with 14 digits. */

const SHAPE = /^(?:\d{8}|\d{12,14})$/;

/** Modulo 10 with the weights 3, 1, 3 … from the right. */
export function checkDigit(digits: string): string {
  let sum = 0;
  let weight = 3;
  for (let index = digits.length - 1; index >= 0; index--) {
    sum += Number(digits[index]) * weight;
    weight = 4 - weight;
  }
  return String((10 - (sum % 10)) % 10);
}

export const withCheckDigit = (digits: string): string => digits + checkDigit(digits);

export const isGtin = (code: string): boolean => SHAPE.test(code) && withCheckDigit(code.slice(0, -1)) === code;

export const paddedGtin = (gtin: string): string => gtin.padStart(14, '0');

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
