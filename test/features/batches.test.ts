import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { largestRun, needOf } from '../../src/features/contracts/batches.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { dec } from '../support/recipes.js';

const item = (componentVariantId: string, quantity: string | number, lossPercent: string | number = 0) => ({
  componentVariantId,
  quantity: dec(quantity),
  lossPercent: dec(lossPercent),
});

describe('a need', () => {
  test.each([
    [10, 0, 3, '30'], // 10 kg × 3
    [10, 20, 1, '12.5'], // of 12.5 kg a fifth is lost: 10 kg are left
    [1, 1, 1, '1.010101'], // 1 ÷ 0.99
    [5, '99.99', 1, '50000'],
    ['0.000001', 0, '0.5', '0.000001'], // half a millionth rounds up
  ])('of %p with %p %% loss for %p batches is %s', (quantity, loss, batches, need) => {
    expect(needOf(item('farinha', quantity, loss), dec(batches)).toString()).toBe(need);
  });

  test('leaves what the formula asks for once the loss is gone', () => {
    const parts = fc.integer({ min: 1, max: 999_999_999 });
    fc.assert(
      fc.property(
        parts,
        fc.integer({ min: 0, max: 999_900 }),
        fc.integer({ min: 1, max: 1_000 }),
        (units, loss, batches) => {
          const [quantity, percent] = [dec(units).dividedBy(dec(1_000)), dec(loss).dividedBy(dec(10_000))];
          const need = needOf(item('farinha', quantity.toString(), percent.toString()), dec(batches));
          const left = need.times(Decimal.hundred.minus(percent)).dividedBy(Decimal.hundred);
          expect(
            left
              .minus(quantity.times(dec(batches)))
              .abs()
              .greaterThan(dec('0.000001')),
          ).toBe(false);
        },
      ),
    );
  });
});

describe('the largest run', () => {
  const stock = (amounts: Readonly<Record<string, number | string>>) => (name: string) => dec(amounts[name] ?? 0);

  test('is what the scarcest input allows', () => {
    const items = [item('farinha', 10), item('fermento', '0.3', 10), item('sal', '0.2')];
    // flour 100 ÷ 10 = 10; yeast 3 × 0.9 ÷ 0.3 = 9; salt 2.1 ÷ 0.2 = 10.5
    expect(largestRun(items, stock({ farinha: 100, fermento: 3, sal: '2.1' }))).toMatchObject({
      batches: dec(9),
      variantId: 'fermento',
    });
  });

  test('is ended by the input of which there is least, where several allow as many whole batches', () => {
    const items = [item('farinha', 10), item('fermento', 1), item('sal', 1)];
    const found = largestRun(items, stock({ farinha: 29, fermento: '2.1', sal: '2.5' }));
    expect(found).toMatchObject({ batches: dec(2), variantId: 'fermento' });
  });

  test('is none where something is missing or owed', () => {
    const found = largestRun([item('farinha', 10)], stock({ farinha: -5 }));
    expect(found).toMatchObject({ batches: Decimal.zero, variantId: 'farinha' });
    expect(largestRun([], stock({}))).toBeUndefined();
  });

  test('is all batches of which the rounded need is there, though a little less than they take', () => {
    // 3 ÷ 0.9 = 3.3333333…
    const found = largestRun([item('farinha', 1, 10)], stock({ farinha: '3.333333' }));
    expect(found).toMatchObject({ batches: dec(3) });
    // One division that is rounded to ten decimals would say 2.
    const short = largestRun([item('farinha', 50_000)], stock({ farinha: '99999.999999' }));
    expect(short).toMatchObject({ batches: Decimal.one });
  });

  test('can be made, and one batch more cannot', () => {
    const amount = fc.integer({ min: 1, max: 10_000_000 });
    const batches = fc.integer({ min: 1, max: 1_000 });
    const loss = fc.integer({ min: 0, max: 999_900 }).map((units) => dec(units).dividedBy(dec(10_000)).toString());
    const kilograms = (units: number): Decimal => dec(units).dividedBy(dec(1_000));
    const check = (one: ReturnType<typeof item>, available: Decimal): void => {
      const found = largestRun([one], () => available)?.batches ?? Decimal.zero;
      expect(needOf(one, found).greaterThan(available)).toBe(false);
      expect(needOf(one, found.plus(Decimal.one)).greaterThan(available)).toBe(true);
    };
    fc.assert(
      fc.property(amount, amount, loss, batches, (needed, held, lossPercent, some) => {
        const one = item('farinha', kilograms(needed).toString(), lossPercent);
        check(one, kilograms(held));
        check(one, needOf(one, dec(some)));
      }),
    );
  });
});
