import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isGtin, paddedGtin, withCheckDigit } from '../../../src/brazil/gtin.js';
import { isOwnGtin, ownGtin } from '../../../src/brazil/own-gtin.js';
import { readScaleLabel, skusOfLabel, soldQuantity } from '../../../src/features/products/domain/scale-label.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

describe('a GTIN', () => {
  test.each(['96385074', '036000291452', '7891000315507', '17891000315504', '4006381333931', '00000000'])(
    'may be %s',
    (code) => {
      expect(isGtin(code)).toBe(true);
    },
  );
  test.each([
    '',
    '7',
    '7891000315508',
    '789100031550',
    '78910003155',
    '789100031550712',
    '123456789',
    '1234567890',
    '789100031550a',
    ' 7891000315507',
    '7891000315507\n',
    '٧891000315507',
    '-891000315507',
    'SEM GTIN',
  ])('is not %j', (code) => {
    expect(isGtin(code)).toBe(false);
  });
  test('has a check digit for every beginning, and one only', () => {
    for (let number = 0; number < 2_000; number++) {
      const digits = String(number * 7919).padStart(12, '0');
      const right = withCheckDigit(digits);
      const all = Array.from({ length: 10 }, (_, digit) => `${digits}${String(digit)}`);
      expect(all.filter(isGtin)).toEqual([right]);
    }
  });
  test('is compared with fourteen digits', () => {
    expect(paddedGtin('96385074')).toBe('00000096385074');
    expect(paddedGtin('17891000315504')).toBe('17891000315504');
  });
});

describe("a code of the store's own", () => {
  const claimId = randomUUID();
  test('is a valid EAN-13 with prefix 2 that no scale prints', () => {
    for (let index = 0; index < 500; index++) {
      const gtin = ownGtin(claimId, String(index));
      expect(gtin).toMatch(/^2\d{12}$/);
      expect([isGtin(gtin), isOwnGtin(gtin), readScaleLabel(gtin)]).toEqual([true, true, undefined]);
    }
  });
  test('is the same for the same claim and name', () => {
    expect(ownGtin(claimId, '0')).toBe(ownGtin(claimId, '0'));
  });
  test('is another for another claim or name', () => {
    const codes = Array.from({ length: 200 }, (_, index) => [
      ownGtin(claimId, String(index)),
      ownGtin(randomUUID(), '0'),
    ]);
    expect(new Set(codes.flat()).size).toBe(400);
  });
});

describe('the label of a scale', () => {
  const label = (digits: string) => readScaleLabel(withCheckDigit(digits));
  test('holds a weight in grams', () => {
    expect(label('200012301250')).toEqual({ code: '00123', measured: { grams: Decimal.from(1_250) } });
  });
  test('holds a total in cents', () => {
    expect(label('210012301250')).toEqual({ code: '00123', measured: { total: Decimal.from('12.5') } });
  });
  test('is none of another range, length or check digit', () => {
    for (const digits of ['220012301250', '290012301250', '190012301250']) expect(label(digits)).toBeUndefined();
    expect(label('20001230125')).toBeUndefined();
    const right = withCheckDigit('200012301250');
    expect(readScaleLabel(right.slice(0, -1) + String((Number(right.at(-1)) + 1) % 10))).toBeUndefined();
  });
  test('names an SKU with or without zeros in front', () => {
    const skus = (digits: string) => skusOfLabel(label(digits) ?? { code: '', measured: { total: Decimal.zero } });
    expect(skus('200012301250')).toEqual(['00123', '123']);
    expect(skus('201234501250')).toEqual(['12345']);
    expect(skus('201020301250')).toEqual(['10203']);
    expect(skus('200000001250')).toEqual(['00000', '0']);
  });
  test.each([
    ['KG', '1.25'],
    ['G', '1250'],
    ['L', '1.25'],
    ['ML', '1250'],
  ])('gives a quantity in %s', (unit, quantity) => {
    expect(soldQuantity(Decimal.from(1_250), unit)).toEqual(Decimal.from(quantity));
  });
});
