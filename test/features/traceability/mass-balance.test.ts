import { expect, test } from '@jest/globals';
import { massBalance } from '../../../src/features/traceability/domain/mass-balance.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const d = (value: number): Decimal => Decimal.from(value);
const life = (numbers: Readonly<Record<string, number>>) => ({
  entered: d(numbers['entered'] ?? 0),
  sold: d(numbers['sold'] ?? 0),
  consumed: d(numbers['consumed'] ?? 0),
  adjustedAway: d(numbers['adjustedAway'] ?? 0),
  reversed: d(numbers['reversed'] ?? 0),
});

test('what entered is sold, in stock, consumed, lost or reversed', () => {
  const lots = life({ entered: 120, sold: 60.5, adjustedAway: 9.5, consumed: 15, reversed: 5 });
  expect(massBalance(lots, d(30))).toEqual({
    produced: 120,
    soldNet: 60.5,
    inStock: 30,
    consumed: 15,
    lost: 9.5,
    reversed: 5,
    accountedPercent: 100,
  });
});

test('a difference shows in the percentage', () => {
  expect(massBalance(life({ entered: 3, sold: 2 }), d(0)).accountedPercent).toBe(66.6667);
  expect(massBalance(life({ entered: 2, sold: 3 }), d(0)).accountedPercent).toBe(150);
});

test('of nothing, all is accounted for', () => {
  expect(massBalance(life({}), d(0)).accountedPercent).toBe(100);
  expect(massBalance(life({ sold: 1 }), d(0)).accountedPercent).toBe(0);
});
