import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const SCALE = 10n ** 10n;
const d = (value: number | string) => Decimal.from(value);

/** The value × 10¹⁰ as a whole number, computed from the text alone. */
function unitsOf(decimal: Decimal): bigint {
  const [whole = '', fraction = ''] = decimal.toString().replace('-', '').split('.');
  const units = BigInt(whole) * SCALE + BigInt(fraction.padEnd(10, '0'));
  return decimal.isNegative ? -units : units;
}

const fromUnits = (units: bigint): Decimal => {
  const digits = (units < 0n ? -units : units).toString().padStart(11, '0');
  return d(`${units < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`);
};

const units = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
const decimals = units.map(fromUnits);
const nonZero = units.filter((value) => value !== 0n).map(fromUnits);
const cents = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).map((value) => fromUnits(value * 10n ** 8n));
const weights = fc
  .array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 12 })
  .filter((list) => list.some((weight) => weight > 0n))
  .map((list) => list.map(fromUnits));

const magnitude = (value: bigint) => (value < 0n ? -value : value);

/** Whether `result` is the quotient rounded half-up on the magnitude: |result − n/d| ≤ ½, and away from zero on a tie. */
function isHalfUp(result: bigint, numerator: bigint, denominator: bigint): boolean {
  const distance = 2n * magnitude(result * denominator - numerator);
  const step = magnitude(denominator);
  if (distance < step) return true;
  return distance === step && magnitude(result * denominator) > magnitude(numerator);
}

describe('reading and writing', () => {
  test('a text of so many decimals is the rounded number with all of them', () => {
    const places = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(fc.oneof(decimals, cents), places, (decimal, count) => {
        const text = decimal.toFixed(count);
        expect(text).toMatch(count === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${String(count)}}$`));
        expect(d(text).equals(decimal.round(count))).toBe(true);
        expect(text.startsWith('-')).toBe(decimal.round(count).isNegative);
      }),
    );
  });

  test.each([
    [0, '0'],
    [-0, '0'],
    ['-0.000', '0'],
    ['007.50', '7.5'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    ['1.5e-7', '0.00000015'],
    ['12e-2', '0.12'],
    ['120e-1', '12'],
    ['-12.345E+2', '-1234.5'],
    ['1.5e0', '1.5'],
    [1e21, '1000000000000000000000'],
    ['1e40', `1${'0'.repeat(40)}`],
    ['1.00000000000000', '1'],
    ['-0.0000000001', '-0.0000000001'],
  ])('%p reads as %s', (value, text) => {
    expect(d(value).toString()).toBe(text);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '.5',
    '1.',
    '+1',
    '--1',
    '1,5',
    '0x10',
    '1e',
    'e5',
    '1e5.5',
    '1.2.3',
    '1_000',
    'NaN',
    '１',
    '1\n',
  ])('the text %p is no decimal', (text) => {
    expect(Decimal.isValid(text)).toBe(false);
    expect(() => d(text)).toThrow(RangeError);
  });

  test.each([NaN, Infinity, -Infinity, 1e41, 1e308, 5e-324, 1e-11, '0.00000000001', 1.00000000001])(
    '%p cannot be kept exactly',
    (value) => {
      expect(Decimal.isValid(value)).toBe(false);
      expect(() => d(value)).toThrow(RangeError);
    },
  );

  test('what is written reads as the same value', () => {
    fc.assert(
      fc.property(units, (value) => {
        const decimal = fromUnits(value);
        expect(unitsOf(decimal)).toBe(value);
        expect(d(decimal.toString()).equals(decimal)).toBe(true);
      }),
    );
  });

  test('an exponent only moves the point', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.integer({ min: -10, max: 28 }),
        (digits, exponent) => {
          const expected =
            exponent < 0 ? (digits * SCALE) / 10n ** BigInt(-exponent) : digits * SCALE * 10n ** BigInt(exponent);
          expect(unitsOf(d(`${digits}e${exponent}`))).toBe(expected);
        },
      ),
    );
  });

  test('a number with up to 15 significant digits survives', () => {
    const numbers = fc
      .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
      .map(([whole, places]) => whole / 10 ** places);
    fc.assert(fc.property(numbers, (value) => d(value).toNumber() === (Object.is(value, -0) ? 0 : value)));
  });

  test('JSON keeps it as text', () => {
    expect(JSON.stringify({ price: d('12.30') })).toBe('{"price":"12.3"}');
  });
});

describe('arithmetic', () => {
  test('as a number it is what its text says', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (units) => {
        const decimal = fromUnits(units);
        expect(decimal.toNumber()).toBe(Number(decimal.toString()));
      }),
    );
    for (const units of [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 0n]) {
      expect(fromUnits(units).toNumber()).toBe(Number(fromUnits(units).toString()));
    }
  });

  test('0.1 three times is 0.3', () => {
    expect(d(0.1).plus(d(0.1)).plus(d(0.1)).toString()).toBe('0.3');
    expect(Decimal.sum([d(0.1), d(0.2), d(-0.3)]).isZero).toBe(true);
    expect(Decimal.sum([]).isZero).toBe(true);
  });

  test('sums and differences are exact', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(unitsOf(fromUnits(a).plus(fromUnits(b)))).toBe(a + b);
        expect(unitsOf(fromUnits(a).minus(fromUnits(b)))).toBe(a - b);
        expect(unitsOf(Decimal.sum([fromUnits(a), fromUnits(b)]))).toBe(a + b);
      }),
    );
  });

  test('a product, quotient or ratio is the exact value rounded once', () => {
    fc.assert(
      fc.property(decimals, nonZero, nonZero, (a, b, c) => {
        const [x, y, z] = [unitsOf(a), unitsOf(b), unitsOf(c)];
        expect(isHalfUp(unitsOf(a.times(b)), x * y, SCALE)).toBe(true);
        expect(isHalfUp(unitsOf(a.dividedBy(b)), x * SCALE, y)).toBe(true);
        expect(isHalfUp(unitsOf(a.timesRatio(b, c)), x * y, z)).toBe(true);
      }),
    );
  });

  test('a ratio is not rounded in between', () => {
    expect(d(1).timesRatio(d(3), d(3)).toString()).toBe('1');
    expect(d(1).dividedBy(d(3)).times(d(3)).toString()).toBe('0.9999999999');
    expect(d('0.0000000001').timesRatio(d(1), d(2)).toString()).toBe('0.0000000001');
    expect(d('-0.0000000001').timesRatio(d(1), d(2)).toString()).toBe('-0.0000000001');
  });

  test('nothing is divided by zero', () => {
    expect(() => Decimal.one.dividedBy(Decimal.zero)).toThrow(RangeError);
    expect(() => Decimal.one.timesRatio(Decimal.one, Decimal.zero)).toThrow(RangeError);
  });
});

describe('rounding', () => {
  test.each([
    ['0.005', 2, '0.01'],
    ['-0.005', 2, '-0.01'],
    ['0.0049999999', 2, '0'],
    ['-0.0049999999', 2, '0'],
    ['1.005', 2, '1.01'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1.23456789', 10, '1.23456789'],
  ])('%s to %i decimals is %s', (value, places, text) => {
    expect(d(value).round(places).toString()).toBe(text);
  });

  test.each([
    ['1.5', '1', '2'],
    ['-1.5', '-2', '-1'],
    ['2', '2', '2'],
    ['-2', '-2', '-2'],
    ['0.0000000001', '0', '1'],
    ['-0.0000000001', '-1', '0'],
  ])('%s lies between %s and %s', (value, floor, ceil) => {
    expect(d(value).floor().toString()).toBe(floor);
    expect(d(value).ceil().toString()).toBe(ceil);
  });

  test('rounding is half-up on the magnitude, a value and its negative alike', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 10 }), (value, places) => {
        const step = 10n ** BigInt(10 - places);
        const rounded = unitsOf(fromUnits(value).round(places));
        expect(rounded % step).toBe(0n);
        expect(isHalfUp(rounded / step, value, step)).toBe(true);
        expect(unitsOf(fromUnits(-value).round(places))).toBe(-rounded);
      }),
    );
  });

  test.each([
    ['0', 0],
    ['100', 0],
    ['1.50', 1],
    ['-0.07', 2],
    ['0.0000000001', 10],
  ])('%s needs %i decimals', (value, places) => {
    expect(d(value).decimals).toBe(places);
  });
});

test('comparing follows the value', () => {
  fc.assert(
    fc.property(units, units, (a, b) => {
      const [x, y] = [fromUnits(a), fromUnits(b)];
      expect(x.compare(y)).toBe(a < b ? -1 : a > b ? 1 : 0);
      expect(x.equals(y)).toBe(a === b);
      expect(x.lessThan(y)).toBe(a < b);
      expect(x.greaterThan(y)).toBe(a > b);
      expect(unitsOf(x.min(y))).toBe(a < b ? a : b);
      expect(unitsOf(x.max(y))).toBe(a > b ? a : b);
      expect(unitsOf(x.abs())).toBe(magnitude(a));
      expect([x.isPositive, x.isZero, x.isNegative]).toEqual([a > 0n, a === 0n, a < 0n]);
    }),
  );
});

describe('sharing out a total', () => {
  const shares = (total: string, list: readonly (number | string)[], places: number) =>
    Decimal.allocate(d(total), list.map(d), places).map(String);

  test.each([
    ['10', [1, 1, 1], 2, ['3.34', '3.33', '3.33']],
    ['0.05', [1, 1, 1], 2, ['0.02', '0.02', '0.01']],
    ['-10', [1, 1, 1], 2, ['-3.34', '-3.33', '-3.33']],
    ['1', [1, 2, 4], 2, ['0.14', '0.29', '0.57']],
    ['0.01', [1, 5, 3], 2, ['0', '0.01', '0']],
    ['7', [0, 1, 0], 0, ['0', '7', '0']],
    ['0', [3, 1], 2, ['0', '0']],
    ['12.34', ['0.0000000001'], 2, ['12.34']],
  ])('%s by %j', (total, list, places, parts) => {
    expect(shares(total, list, places)).toEqual(parts);
  });

  test('the parts add up, and each is less than one step from its exact share', () => {
    fc.assert(
      fc.property(cents, weights, (total, list) => {
        const parts = Decimal.allocate(total, list, 2);
        const whole = unitsOf(Decimal.sum(list));
        expect(Decimal.sum(parts).equals(total)).toBe(true);
        parts.forEach((part, index) => {
          const weight = unitsOf(list[index] ?? Decimal.zero);
          expect(part.decimals).toBeLessThanOrEqual(2);
          expect(magnitude(unitsOf(part) * whole - unitsOf(total) * weight)).toBeLessThan(10n ** 8n * whole);
          if (weight === 0n) expect(part.isZero).toBe(true);
        });
      }),
    );
  });

  test('the largest remainder comes first, then the earlier one', () => {
    const step = 10n ** 8n;
    fc.assert(
      fc.property(cents, weights, (total, list) => {
        const whole = unitsOf(Decimal.sum(list));
        const shared = Decimal.allocate(total, list, 2).map((part, index) => {
          const exact = magnitude(unitsOf(total)) * unitsOf(list[index] ?? Decimal.zero);
          const raised = magnitude(unitsOf(part)) * whole > exact;
          return { index, rest: exact % (step * whole), raised };
        });
        for (const winner of shared.filter(({ raised }) => raised)) {
          for (const loser of shared.filter(({ raised, rest }) => !raised && rest > 0n)) {
            expect(winner.rest > loser.rest || (winner.rest === loser.rest && winner.index < loser.index)).toBe(true);
          }
        }
      }),
    );
  });

  test.each([
    ['no weights', '1', []],
    ['only zero weights', '1', [0, 0]],
    ['a negative weight', '1', [2, -1]],
    ['a total finer than the parts', '1.001', [1]],
  ])('%s: refused', (_, total, list) => {
    expect(() => shares(total, list, 2)).toThrow(RangeError);
  });
});
