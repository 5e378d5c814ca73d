import { z } from 'zod';

/** Twelve letters or digits and two check digits: a company's tax number. Letters came in 2026. */
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;
const PUNCTUATION = /[./-]/g;

/** Modulo 11 over the characters' distance from the digit 0, with weights 2 to 9 from the right. */
function checkDigit(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % 8));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

export function isCnpj(text: string): boolean {
  if (!CNPJ.test(text) || /^(.)\1*$/.test(text)) return false;
  return checkDigit(text.slice(0, 12)) === Number(text[12]) && checkDigit(text.slice(0, 13)) === Number(text[13]);
}

/** With or without its usual punctuation; kept without. */
export const cnpj = z
  .string()
  .max(18, { error: 'must be a CNPJ' })
  .transform((text) => text.replace(PUNCTUATION, '').toUpperCase())
  .refine(isCnpj, { error: 'must be a CNPJ with right check digits' })
  .meta({ type: 'string', description: 'CNPJ, with or without punctuation' });
