import { expect, test } from '@jest/globals';
import { ruleFinder } from '../../../src/features/fiscal/domain/fitting-rules.js';
import type { TaxRule } from '../../../src/features/fiscal/domain/tax-rules.js';
import { ruleFor } from '../../support/fiscal/notes.js';

const rule = (id: string, ncmPrefix: string, ownProduction: boolean | null): TaxRule => ({
  ...ruleFor('SIMPLES'),
  id,
  match: { ncmPrefix, ownProduction },
});

const rules = [
  rule('own', '', true),
  rule('bought', '', false),
  rule('bread, later', '1905', null),
  rule('bread', '1905', null),
  rule('own bread', '1905', true),
  rule('french bread', '19059090', null),
];
const goods = { taxRuleId: null, ncm: null, ownProduction: false };

test.each([
  ['the one that the product names', { taxRuleId: 'own', ncm: '19059090' }, 'own'],
  ['none that the store does not have', { taxRuleId: 'gone', ncm: '19059090' }, 'french bread'],
  [
    'the longest prefix, before one that names own production',
    { ncm: '19059090', ownProduction: true },
    'french bread',
  ],
  ['among the same prefixes one that names own production', { ncm: '19050000', ownProduction: true }, 'own bread'],
  ['among equals the lowest id', { ncm: '19050000' }, 'bread'],
  ['one for all goods where no prefix fits', { ncm: '22021000', ownProduction: true }, 'own'],
  ['one for all goods where there is no NCM', {}, 'bought'],
])('the rule that counts: %s', (_, of, id) => {
  expect(ruleFinder(rules)({ ...goods, ...of })?.id).toBe(id);
});

test('goods that no rule fits have none', () => {
  expect(ruleFinder([rule('own', '', true), rule('bread', '1905', null)])({ ...goods, ncm: '2202' })).toBeUndefined();
});

test('a document of 200 items looks at each of 5,000 rules that fit them all no more than some times', () => {
  let looks = 0;
  const many = Array.from({ length: 5_000 }, (_, index) => {
    const one = rule(String(index), '', null);
    return Object.defineProperty({ ...one }, 'match', {
      get: () => {
        looks += 1;
        return one.match;
      },
    });
  });
  for (let item = 0; item < 200; item++) ruleFinder(many)({ ...goods, ncm: '19059090' });
  expect(looks).toBeLessThanOrEqual(4 * many.length);
});
