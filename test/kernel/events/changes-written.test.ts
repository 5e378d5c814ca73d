import { expect, test } from '@jest/globals';
import { changesWritten } from '../../../src/kernel/events/changes-written.js';
import type { Voice } from '../../../src/kernel/events/history.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const say: Voice = {
  name: String,
  number: String,
  quantity: String,
  goods: String,
  money: String,
  flag: (value) => (value ? 'sim' : 'não'),
  list: (items) => items.join(', '),
};
const WORDS = { name: 'nome', 'icms.rate': 'alíquota', 'icms.free': 'isento', address: 'endereço', ipi: 'IPI' };
const told = (was: object | undefined, now: object) => changesWritten(was, now, WORDS, say);

test('what changed is told with what it was', () => {
  expect(told({ name: 'A' }, { name: 'B', other: 1 })).toBe(': nome «A» → «B»');
  expect(told({ name: null }, { name: 'B' })).toBe(': nome – → «B»');
});

test('of a group the members that differ are told', () => {
  const rate = Decimal.from('18');
  expect(told({ icms: { rate, free: false } }, { icms: { rate: Decimal.from('12'), free: false } })).toBe(
    ': alíquota 18 → 12',
  );
  expect(told({ icms: { rate, free: false } }, { icms: { rate: null, free: true } })).toBe(
    ': alíquota 18 → –, isento não → sim',
  );
});

test('what has no sentence of its own is told once, by what holds it', () => {
  expect(told({ address: { street: 'A', city: 'B' } }, { address: { street: 'C', city: 'D' } })).toBe(': endereço');
  expect(told({ ipi: null }, { ipi: { cst: '50' } })).toBe(': IPI');
  expect(told({ unknown: 1 }, { unknown: 2 })).toBe('');
});

test('of events that do not know what was before nothing is told', () => {
  expect(told(undefined, { name: 'B' })).toBe('');
});

test('of what is not to be told only the name stands', () => {
  expect(changesWritten({ name: 'A' }, { name: 'B' }, WORDS, say, ['name'])).toBe(': nome');
});
