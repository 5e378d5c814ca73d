import { hasCheckDigits, taxNumber } from './modulo-11.js';

/** Twelve letters or digits and two check digits: a company's tax number. Letters came in 2026. */
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;
const HIGHEST_WEIGHT = 9;

export const isCnpj = (text: string): boolean => CNPJ.test(text) && hasCheckDigits(text, HIGHEST_WEIGHT);

export const cnpj = taxNumber('CNPJ', isCnpj);
