import { z } from 'zod';

const PUNCTUATION = /[./-]/g;

/** Modulo 11 over the characters' distance from the digit 0, with weights from 2 up to the highest, again and again, from the right. */
function checkDigit(text: string, highestWeight: number): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % (highestWeight - 1)));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** Whether the last two characters check those before them; the same character throughout is no number. */
export function hasCheckDigits(text: string, highestWeight: number): boolean {
  if (/^(.)\1*$/.test(text)) return false;
  return [text.length - 2, text.length - 1].every(
    (place) => checkDigit(text.slice(0, place), highestWeight) === Number(text[place]),
  );
}

/** A number in a request: with or without its usual punctuation; kept without. */
export const taxNumber = (what: string, isValid: (text: string) => boolean) =>
  z
    .string()
    .max(18, { error: `must be a ${what}` })
    .transform((text) => text.replace(PUNCTUATION, '').toUpperCase())
    .refine(isValid, { error: `must be a ${what} with right check digits` })
    .meta({ type: 'string', description: `${what}, with or without punctuation` });
