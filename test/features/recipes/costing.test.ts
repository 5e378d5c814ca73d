import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { costsOf, expectedOutputOf } from '../../../src/features/recipes/domain/costing.js';
import { Fraction } from '../../../src/features/recipes/domain/fraction.js';
import { factorOf, taxableUnitOf } from '../../../src/features/recipes/domain/taxable-unit.js';
import type { FormulaItem } from '../../../src/features/recipes/events.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { dec, formulaOf, input } from '../../support/recipes.js';

const item = (name: string, quantity: string | number, lossPercent: string | number = 0) =>
  input(name, { quantity, lossPercent }) as FormulaItem;

describe('the cost of two batches of 50 loaves', () => {
  const stage = { required: true, workCenter: null };
  const formula = formulaOf({
    yieldQty: dec(50),
    expectedLossPercent: dec(4), // 96 of 100 come out
    items: [item('farinha', 10), item('água', 6), item('sal', '0.2')],
    byproducts: [
      { variantId: 'farinha de rosca', quantityPerBatch: dec(1), costSharePercent: dec(5) },
      { variantId: 'aparas', quantityPerBatch: dec(1), costSharePercent: dec(0) },
    ],
    stages: [
      { ...stage, name: 'Amassar', standardMinutes: dec(20), laborRatePerHour: dec(30) }, // 10.00 a batch
      { ...stage, name: 'Assar', standardMinutes: dec(25), laborRatePerHour: dec(24) }, //   10.00 a batch
      { ...stage, name: 'Descansar', standardMinutes: dec(90), laborRatePerHour: null },
      { ...stage, name: 'Embalar', standardMinutes: null, laborRatePerHour: dec(18) },
    ],
  });
  const two = dec(2);

  test('is materials, in cents that add up, and labour', () => {
    const costs = costsOf(formula, two, [dec('80.004'), dec('0.004'), dec('0.004')]);
    expect(costs.items.map(String)).toEqual(['80', '0.01', '0']); // 80.012 rounds to 80.01
    expect([costs.labor.toString(), costs.total.toString()]).toEqual(['40', '120.01']);
  });

  test('is borne by the loaves that come out, after the by-products took their share', () => {
    const costs = costsOf(formula, two, [dec(80), dec(0), dec(0)]);
    expect(expectedOutputOf(formula, two).toString()).toBe('96');
    expect(costs.perUnit.toString()).toBe('1.1875'); // (80 + 40) × 95 % ÷ 96
  });

  test('of a loss is higher for each unit: 13,521.26 for 97 of which 96 are left', () => {
    const cake = formulaOf({ yieldQty: dec(96), items: [item('massa', 1)] });
    expect(costsOf(cake, Decimal.one, [dec('13521.26')]).perUnit.toString()).toBe('140.8464583333');
  });

  test('is nothing where nothing costs anything', () => {
    const free = formulaOf({ items: [item('água', 1), item('sal', 1)] });
    const { items, labor, total, perUnit } = costsOf(free, two, [Decimal.zero, Decimal.zero]);
    expect([...items, labor, total, perUnit].every(({ isZero }) => isZero)).toBe(true);
  });
});

describe('the taxable unit of a pack of 6 × 2 L with density 1.04', () => {
  test('is 12 litres or 12.48 kilograms', () => {
    const unit = taxableUnitOf({ densityKgPerL: dec('1.04') }, { unitVolumeLiters: dec(12) });
    expect(unit.missing).toEqual([]);
    expect([factorOf(unit, 'L')?.toString(), factorOf(unit, 'KG')?.toString()]).toEqual(['12', '12.48']);
  });

  test('is in litres alone without a density, and nothing without a volume', () => {
    const noDensity = taxableUnitOf({ densityKgPerL: null }, { unitVolumeLiters: dec(12) });
    expect([factorOf(noDensity, 'L')?.toString(), factorOf(noDensity, 'KG'), noDensity.missing]).toEqual([
      '12',
      null,
      ['densityKgPerL'],
    ]);
    const nothing = taxableUnitOf({ densityKgPerL: null }, { unitVolumeLiters: null });
    expect([factorOf(nothing, 'L'), factorOf(nothing, 'KG'), nothing.missing]).toEqual([
      null,
      null,
      ['unitVolumeLiters', 'densityKgPerL'],
    ]);
  });
});

describe('a fraction', () => {
  test.each([
    ['1', '3', 6, '0.333333'],
    ['2', '3', 0, '1'],
    ['-1', '2', 0, '-1'],
    ['0.5', '-1', 0, '-1'],
    ['1', '8', 2, '0.13'],
    ['0', '7', 2, '0'],
  ])('%s ÷ %s to %p decimals is %s', (a, b, decimals, expected) => {
    expect(
      Fraction.of(dec(a))
        .dividedBy(Fraction.of(dec(b)))
        .round(decimals)
        .toString(),
    ).toBe(expected);
  });

  test('is rounded once, however often it was multiplied and divided', () => {
    const value = fc.integer({ min: 1, max: 1_000_000 }).map((units) => dec(units).dividedBy(dec(1_000)));
    fc.assert(
      fc.property(value, value, (a, b) => {
        const there = Fraction.of(a).dividedBy(Fraction.of(b));
        expect(there.times(Fraction.of(b)).round(10)).toEqual(a);
        expect(there.plus(there).dividedBy(there).round(10)).toEqual(dec(2));
      }),
    );
  });
});
