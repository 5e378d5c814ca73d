/** Barcodes: GTIN-8, -12, -13 and -14, all compared with 14 digits. */

const SHAPE = /^(?:\d{8}|\d{12,14})$/;

/** Modulo 10 with the weights 3, 1, 3 … from the right. */
function checkDigit(digits: string): string {
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

/** Of 13 digits those with 2, 02 or 04 in front, of 12 with 2 or 4, of 8 with 0 or 2: GS1 leaves them to each company or country. */
const RESTRICTED = /^0(?:2|0[24]|0{5}[02])/;

/** Whether it means the same goods everywhere; what a store or its scales made up does not. */
export const isWorldwide = (gtin: string): boolean => isGtin(gtin) && !RESTRICTED.test(paddedGtin(gtin));
