import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { feeOf } from '../../../src/features/card-fees/domain/rates.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const scaled = (units: number, decimals: number): Decimal =>
  Decimal.from(units).dividedBy(Decimal.from(10 ** decimals));

test('a fee is amount × percent + fixed part in cents, half up, as whole numbers say', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999_999 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 999_999 }),
      (cents, percent, fixed) => {
        const fee = feeOf(scaled(cents, 2), { feePercent: scaled(percent, 4), fixedFee: scaled(fixed, 2) });
        const expected = (BigInt(cents) * BigInt(percent) + 500_000n) / 1_000_000n + BigInt(fixed);
        expect(fee.times(Decimal.hundred).toString()).toBe(expected.toString());
      },
    ),
    { numRuns: 1_000 },
  );
});
