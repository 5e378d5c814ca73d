import { createHmac } from 'node:crypto';
import { isCnpj } from '../../brazil/cnpj.js';
import { foldText, wordsOf } from '../../kernel/values/words.js';
import type { Person } from './sealing.js';

/**
 * Customers are found by terms that tell nothing without the store's key: an HMAC of every beginning of every word. The beginning
 * of a word that somebody types is one of them, so that searching is a look-up of whole terms.
 */

const LONGEST_BEGINNING = 20;
const SHORTEST_OF_NUMBER = 3;
const TERM_DIGITS = 12;

const keyed = (key: Buffer, purpose: string, text: string): string =>
  createHmac('sha256', key).update(`${purpose}/${text}`).digest('hex');

const termOf = (key: Buffer, beginning: string): string => keyed(key, 'word', beginning).slice(0, TERM_DIGITS);

/** By which a document is looked up and held, whole. */
export const documentTerm = (key: Buffer, document: string): string => keyed(key, 'document', document);

function beginningsOf(word: string, shortest: number): string[] {
  const signs = Array.from(word).slice(0, LONGEST_BEGINNING);
  const beginnings: string[] = [];
  for (let length = shortest; length <= signs.length; length++) beginnings.push(signs.slice(0, length).join(''));
  return beginnings;
}

const NATIONAL = /^55(\d{10,11})$/;
const WITH_AREA = /^\d{2}(\d{8,9})$/;

/** As people give it: with the country, with the area, and without. */
function phoneForms(phone: string): string[] {
  const digits = phone.replace(/\D/g, '');
  const national = NATIONAL.exec(digits)?.[1] ?? digits;
  const local = WITH_AREA.exec(national)?.[1] ?? national;
  return [...new Set([digits, national, local])];
}

type SearchedPerson = Pick<Person, 'name' | 'document' | 'email' | 'phone'>;

/** All terms by which a person is found, for the word index. */
export function termsOf(key: Buffer, { name, document, email, phone }: SearchedPerson): string {
  const numbers = [...(document === null ? [] : [foldText(document)]), ...(phone === null ? [] : phoneForms(phone))];
  const beginnings = new Set([
    ...wordsOf(name).flatMap((word) => beginningsOf(word, 1)),
    ...numbers.flatMap((number) => beginningsOf(number, SHORTEST_OF_NUMBER)),
    ...(email === null ? [] : [foldText(email)]),
  ]);
  return [...beginnings].map((beginning) => termOf(key, beginning)).join(' ');
}

const PUNCTUATION = /[\s.()+/-]/g;
/** The country of a number that was written down without it; such a number is found by the rest. */
const COUNTRY = /^\s*\+\s*55(?=\D*\d)/;

/** The words of a query. What is written with the punctuation of a document or phone is one word. */
function queryWords(query: string): string[] {
  const folded = foldText(query);
  const compact = folded.replace(COUNTRY, '').replace(PUNCTUATION, '');
  if (/^\d+$/.test(compact) || isCnpj(compact.toUpperCase())) return [compact];
  return folded.split(' ').flatMap((piece) => {
    if (piece.includes('@')) return [piece];
    const isNumber = /^[\d.()+/-]+$/.test(piece) || (/\d/.test(piece) && /[./]/.test(piece));
    return isNumber ? [piece.replace(PUNCTUATION, '')] : wordsOf(piece);
  });
}

/** The terms that a person's must all hold to be found. */
export const queryTerms = (key: Buffer, query: string): string =>
  queryWords(query)
    .filter((word) => word !== '')
    .map((word) => termOf(key, word.includes('@') ? word : Array.from(word).slice(0, LONGEST_BEGINNING).join('')))
    .join(' ');
