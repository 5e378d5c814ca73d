import { z } from 'zod';
import { isCnpj } from './cnpj.js';

/** Nine digits and two check digits: a person's tax number. */
const CPF = /^[0-9]{11}$/;
const PUNCTUATION = /[./-]/g;

/** Modulo 11 with weights 2, 3, 4 … from the right. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) sum += Number(digits[index]) * (digits.length + 1 - index);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

export function isCpf(text: string): boolean {
  if (!CPF.test(text) || /^(.)\1*$/.test(text)) return false;
  return checkDigit(text.slice(0, 9)) === Number(text[9]) && checkDigit(text.slice(0, 10)) === Number(text[10]);
}

/** With or without its usual punctuation; kept without. */
export const cpfOrCnpj = z
  .string()
  .max(18, { error: 'must be a CPF or CNPJ' })
  .transform((text) => text.replace(PUNCTUATION, '').toUpperCase())
  .refine((text) => isCpf(text) || isCnpj(text), { error: 'must be a CPF or CNPJ with right check digits' })
  .meta({ type: 'string', description: 'CPF or CNPJ, with or without punctuation' });
