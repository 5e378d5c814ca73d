import { expect, test } from '@jest/globals';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { writtenMoney, writtenNumber } from '../../../src/kernel/values/written-numbers.js';

test.each([
  ['9900', 'R$ 9.900,00', 'R$9,900.00'],
  ['1234567.5', 'R$ 1.234.567,50', 'R$1,234,567.50'],
  ['999.9', 'R$ 999,90', 'R$999.90'],
  ['-1250', '-R$ 1.250,00', '-R$1,250.00'],
  ['3.2131707317', 'R$ 3,2131707317', 'R$3.2131707317'],
  ['0', 'R$ 0,00', 'R$0.00'],
])('money of %s is written as the console writes it', (value, portuguese, english) => {
  expect(writtenMoney('pt', Decimal.from(value))).toBe(portuguese);
  expect(writtenMoney('en', Decimal.from(value))).toBe(english);
});

test.each([
  ['3000', '3.000', '3,000'],
  ['-12500.125', '-12.500,125', '-12,500.125'],
  ['0.123456', '0,123456', '0.123456'],
  ['100', '100', '100'],
])('a quantity of %s has marks of thousands too', (value, portuguese, english) => {
  expect(writtenNumber('pt', Decimal.from(value))).toBe(portuguese);
  expect(writtenNumber('en', Decimal.from(value))).toBe(english);
});
