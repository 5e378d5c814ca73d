import { expect, test } from '@jest/globals';
import { csvLine } from '../../../src/kernel/files/csv.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

test('cells are separated by semicolons and lines end as spreadsheets expect', () => {
  expect(csvLine(['a', null, 'b'])).toBe('a;;b\r\n');
});

test('numbers have a decimal comma', () => {
  expect(csvLine([Decimal.from('1234.5'), 2, Decimal.from('-0.000001')])).toBe('1234,5;2;-0,000001\r\n');
});

test('the smallest values of a ledger have all their decimals, and no exponent', () => {
  expect(csvLine([-4.667e-7, 1e-10, 0.000001])).toBe('-0,0000004667;0,0000000001;0,000001\r\n');
});

test('what would break the line is quoted', () => {
  expect(csvLine(['a;b', 'c"d', 'e\nf', 'plain, with comma'])).toBe('"a;b";"c""d";"e\nf";plain, with comma\r\n');
});

test.each(['=1+1', '+55 11 99999-0000', '-2', '@SUM(A1)', '\t=1', '  =1', '\r=1', '|cmd', '%0A', '＝1', ' =1'])(
  'a spreadsheet does not run %j',
  (cell) => {
    expect(csvLine([cell]).replace(/^"/, '')).toMatch(/^'/);
  },
);

test('an ordinary text stays as it is', () => {
  expect(csvLine(['Maria D’Ávila', '3=3', 'a-b', 'x@y.example'])).toBe('Maria D’Ávila;3=3;a-b;x@y.example\r\n');
});
