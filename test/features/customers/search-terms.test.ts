import { describe, expect, test } from '@jest/globals';
import { queryTerms, termsOf } from '../../../src/features/customers/search-terms.js';
import { wordsOf } from '../../../src/kernel/values/words.js';

const key = Buffer.alloc(32, 7);
const ana = {
  name: 'Ana Conceição de Sá-Lima',
  document: '52998224725',
  email: 'Ana.Lima@casa.example',
  phone: '+5511987654321',
};
const shop = { name: 'Padaria 24 Horas', document: '12ABC34501DE35', email: null, phone: '1133334444' };

const finds = (person: typeof ana | typeof shop, query: string): boolean => {
  const terms = new Set(termsOf(key, person).split(' '));
  return queryTerms(key, query)
    .split(' ')
    .every((term) => terms.has(term));
};

describe('a customer', () => {
  test.each([
    ['ana'],
    ['a'],
    ['CONCEICAO'],
    ['conceiç'],
    ['lima ana'],
    ['sá-lima'],
    ['529.982.247-25'],
    ['52998224725'],
    ['529982'],
    ['ana 529.982'],
    ['529'],
    ['11987654321'],
    ['(11) 98765-4321'],
    ['+55 (11) 98765-4321'],
    ['98765-4321'],
    ['ana 98765-4321'],
    ['987'],
    ['ana.lima@CASA.example'],
  ])('is found by %s', (query) => {
    expect(finds(ana, query)).toBe(true);
  });
  test.each([['na'], ['ana maria'], ['998'], ['4321'], ['casa'], ['ana@casa.example'], ['bia 529.982.247-25']])(
    'is not found by %s',
    (query) => {
      expect(finds(ana, query)).toBe(false);
    },
  );
  test.each([
    ['padaria 24'],
    ['12.ABC.345/01DE-35'],
    ['12abc34501de-35'],
    ['12 ABC 345 01DE 35'],
    ['12abc345'],
    ['horas 12.ABC.345/01DE-35'],
    ['3333-4444'],
    ['+55 (11) 3333-4444'],
    ['+551133'],
    ['24'],
  ])('that is a company is found by %s', (query) => {
    expect(finds(shop, query)).toBe(true);
  });
  test('with a name of words without an end is found by the beginning of each', () => {
    const person = { ...ana, name: `${'x'.repeat(99)} ${'y'.repeat(100)}` };
    expect(finds(person, `${'x'.repeat(30)} ${'y'.repeat(5)}`)).toBe(true);
    expect(termsOf(key, person).split(' ').length).toBeLessThan(90);
  });
});

test('terms tell nothing without the key, and are words of the index as they are', () => {
  const terms = termsOf(key, ana);
  expect(wordsOf(terms)).toEqual(terms.split(' '));
  expect(terms).toMatch(/^[0-9a-f]{12}( [0-9a-f]{12})*$/);
  const others = new Set(termsOf(Buffer.alloc(32, 8), ana).split(' '));
  expect(terms.split(' ').filter((term) => others.has(term))).toEqual([]);
});

test('a query without any word has no terms', () => {
  expect(queryTerms(key, ' - ')).toBe('');
});
