import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { stockOfKit, stockTogether } from '../../../src/features/products/stock.js';

const there = (quantity: number, averageCost: number | null = null) => ({
  quantity,
  averageCost,
  lotControlSince: null,
});

describe('the stock of several variants', () => {
  test.each([
    [[there(2, 3)], 2, 3],
    [[there(0.1), there(0.2)], 0.3, null],
    [[there(1, 10), there(3, 20)], 4, 17.5],
    [[there(1, 10), there(5, null)], 6, 10],
    [[there(-2, 10), there(4, 30)], 2, 30],
    [[there(0, 10), there(0, 20)], 0, null],
  ])('of %j is %d at %p', (all, quantity, averageCost) => {
    expect(stockTogether(all)).toMatchObject({ quantity, averageCost });
  });
});

describe('the stock of a kit', () => {
  const stock = new Map([
    ['bread', there(10, 0.5)],
    ['ham', there(0.3, 40)],
    ['butter', there(-1, 8)],
    ['flour', there(99_999.999999, 1)],
  ]);
  const part = (componentVariantId: string, quantity: number) => ({
    componentVariantId,
    quantity: Decimal.from(quantity),
  });

  test.each([
    [[part('bread', 3)], 3, 1.5],
    [[part('bread', 2), part('ham', 0.1)], 3, 5],
    [[part('bread', 1), part('butter', 1)], 0, 8.5],
    [[part('bread', 1), part('nothing', 1)], 0, null],
    [[part('flour', 33_333.333333)], 3, 33_333.333333],
    [[part('flour', 50_000)], 1, 50_000],
    [[], 0, null],
  ])('of %j is %d at %p', (parts, quantity, averageCost) => {
    expect(stockOfKit(parts, stock)).toEqual({ quantity, averageCost, lotControlSince: null });
  });
});
