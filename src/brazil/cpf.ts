import { isCnpj } from './cnpj.js';
import { hasCheckDigits, taxNumber } from './modulo-11.js';

/** Nine digits and two check digits: a person's tax number. */
const CPF = /^[0-9]{11}$/;
const HIGHEST_WEIGHT = 11;

export const isCpf = (text: string): boolean => CPF.test(text) && hasCheckDigits(text, HIGHEST_WEIGHT);

export const cpfOrCnpj = taxNumber('CPF or CNPJ', (text) => isCpf(text) || isCnpj(text));
