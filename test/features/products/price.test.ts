import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Pricing } from '../../../src/features/products/domain/price.js';
import { HIGHEST_MARGIN, reprice } from '../../../src/features/products/domain/price.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

interface Figures {
  readonly price?: string;
  readonly margin?: string;
  readonly cost?: string | null;
}

const pricing = ({ price, margin, cost }: Required<Figures>): Pricing => ({
  priceCash: Decimal.from(price),
  profitMargin: Decimal.from(margin),
  managerialCost: cost === null ? null : Decimal.from(cost),
});

const changeOf = ({ price, margin, cost }: Figures): Partial<Pricing> => ({
  ...(price === undefined ? {} : { priceCash: Decimal.from(price) }),
  ...(margin === undefined ? {} : { profitMargin: Decimal.from(margin) }),
  ...(cost === undefined ? {} : { managerialCost: cost === null ? null : Decimal.from(cost) }),
});

const figuresOf = ({ priceCash, profitMargin, managerialCost }: Pricing) => ({
  price: priceCash.toString(),
  margin: profitMargin.toString(),
  cost: managerialCost?.toString() ?? null,
});

const BREAD = { price: '10', margin: '100', cost: '5' };

describe('the price rule', () => {
  test.each<[string, Required<Figures>, Figures, Figures]>([
    ['a new price makes the margin', BREAD, { price: '7.5' }, { price: '7.5', margin: '50' }],
    ['a price below the cost makes a negative margin', BREAD, { price: '4' }, { price: '4', margin: '-20' }],
    ['a price of nothing loses all', BREAD, { price: '0' }, { price: '0', margin: '-100' }],
    ['a new margin makes the price', BREAD, { margin: '50' }, { price: '7.5', margin: '50' }],
    ['a margin of nothing makes the price the cost', BREAD, { margin: '0' }, { price: '5', margin: '0' }],
    ['a new cost keeps the price', BREAD, { cost: '4' }, { price: '10', margin: '150', cost: '4' }],
    ['price and margin together: the price wins', BREAD, { price: '6', margin: '80' }, { price: '6', margin: '20' }],
    [
      'price, margin and cost together: the price wins',
      BREAD,
      { price: '6', margin: '80', cost: '4' },
      { price: '6', margin: '50', cost: '4' },
    ],
    [
      'margin and cost together make the price',
      BREAD,
      { margin: '50', cost: '4' },
      { price: '6', margin: '50', cost: '4' },
    ],
    [
      'the same margin with a new cost makes the price',
      BREAD,
      { margin: '100', cost: '4' },
      { price: '8', margin: '100', cost: '4' },
    ],
    [
      'price and cost together make the margin',
      BREAD,
      { price: '12', cost: '8' },
      { price: '12', margin: '50', cost: '8' },
    ],
    ['a cost that goes leaves both', BREAD, { cost: null }, { cost: null }],
    ['a cost of nothing is none', BREAD, { cost: '0', margin: '30' }, { cost: '0', margin: '30' }],
    ['without a cost the margin is only stored', { ...BREAD, cost: null }, { margin: '30' }, { margin: '30' }],
    ['without a cost the price is only stored', { ...BREAD, cost: null }, { price: '3' }, { price: '3' }],
    [
      'without a cost both are stored',
      { ...BREAD, cost: null },
      { price: '3', margin: '7' },
      { price: '3', margin: '7' },
    ],
    ['a first cost keeps the price', { ...BREAD, cost: null }, { cost: '8' }, { margin: '25', cost: '8' }],
    ['nothing new changes nothing', BREAD, {}, {}],
    [
      'the same price keeps a margin that it would not give',
      { price: '0.01', margin: '33', cost: '0.01' },
      { price: '0.01' },
      {},
    ],
    [
      'the same margin keeps a price that it would not give',
      { price: '33333.33', margin: '233.3333', cost: '10000' },
      { margin: '233.3333' },
      {},
    ],
    [
      'the same margin with the same cost keeps it, too',
      { price: '33333.33', margin: '233.3333', cost: '10000' },
      { margin: '233.3333', cost: '10000' },
      {},
    ],
    [
      'a margin has four decimals, half up',
      BREAD,
      { price: '7.77', cost: '3' },
      { price: '7.77', margin: '159', cost: '3' },
    ],
    ['a third is rounded', BREAD, { price: '4', cost: '3' }, { price: '4', margin: '33.3333', cost: '3' }],
    ['two thirds are rounded up', BREAD, { price: '5', cost: '3' }, { price: '5', margin: '66.6667', cost: '3' }],
    [
      'half a cent is rounded up',
      { ...BREAD, cost: '0.01' },
      { margin: '50' },
      { price: '0.02', margin: '50', cost: '0.01' },
    ],
    [
      'a price is rounded once',
      { ...BREAD, cost: '0.0033333333' },
      { margin: '50' },
      { price: '0', margin: '50', cost: '0.0033333333' },
    ],
    [
      'no margin is higher than fifteen digits say',
      BREAD,
      { price: '999999999.99', cost: '0.0000000001' },
      { price: '999999999.99', margin: HIGHEST_MARGIN.toString(), cost: '0.0000000001' },
    ],
  ])('%s', (_, before, change, expected) => {
    expect(figuresOf(reprice(pricing(before), changeOf(change)))).toEqual({ ...before, ...expected });
  });
});

const cents = fc.integer({ min: 0, max: 1_000_000_00 }).map((value) => Decimal.from(value).dividedBy(Decimal.hundred));
const costs = fc.integer({ min: 1, max: 1_000_000_00 }).map((value) => Decimal.from(value).dividedBy(Decimal.hundred));
const margins = fc
  .integer({ min: -100_0000, max: 1000_0000 })
  .map((value) => Decimal.from(value).dividedBy(Decimal.from(10_000)));
const some = fc.record({ priceCash: cents, profitMargin: margins, managerialCost: fc.option(costs) });

const tolerance = (value: Decimal, limit: Decimal) => {
  expect(value.abs().greaterThan(limit)).toBe(false);
};

describe('for all prices', () => {
  test('price and margin agree to half a unit of their last decimal, whichever was given', () => {
    fc.assert(
      fc.property(
        some,
        costs,
        cents,
        margins,
        fc.boolean(),
        (before, managerialCost, priceCash, profitMargin, byPrice) => {
          const change = byPrice ? { managerialCost, priceCash } : { managerialCost, profitMargin };
          const after = reprice(before, change);
          const exact = managerialCost.times(Decimal.hundred.plus(after.profitMargin)); // hundredfold
          const cent = Decimal.from('0.5');
          const percent = managerialCost.times(Decimal.from('0.00005'));
          tolerance(after.priceCash.times(Decimal.hundred).minus(exact), byPrice ? percent : cent);
        },
      ),
    );
  });

  test('a change of the cost alone keeps the price', () => {
    fc.assert(
      fc.property(some, fc.option(costs), (before, managerialCost) => {
        expect(reprice(before, { managerialCost }).priceCash.equals(before.priceCash)).toBe(true);
      }),
    );
  });

  test('a price that is given is the price', () => {
    fc.assert(
      fc.property(some, some, (before, change) => {
        expect(reprice(before, change).priceCash.equals(change.priceCash)).toBe(true);
      }),
    );
  });

  test('what was made is kept when it is said again', () => {
    fc.assert(
      fc.property(some, some, fc.boolean(), (before, { priceCash, ...rest }, byPrice) => {
        const after = reprice(before, byPrice ? { priceCash, ...rest } : rest);
        expect(reprice(after, after)).toEqual(after);
        expect(reprice(after, { profitMargin: after.profitMargin })).toEqual(after);
      }),
    );
  });

  test('without a cost nothing is computed', () => {
    fc.assert(
      fc.property(some, cents, margins, (before, priceCash, profitMargin) => {
        const none = { ...before, managerialCost: null };
        expect(reprice(none, { priceCash, profitMargin })).toEqual({ ...none, priceCash, profitMargin });
      }),
    );
  });

  test('prices have two decimals and margins four', () => {
    fc.assert(
      fc.property(some, some, fc.boolean(), (before, { priceCash, ...rest }, byPrice) => {
        const after = reprice(before, byPrice ? { priceCash, ...rest } : rest);
        expect(after.priceCash.decimals).toBeLessThanOrEqual(2);
        expect(after.profitMargin.decimals).toBeLessThanOrEqual(4);
      }),
    );
  });
});
