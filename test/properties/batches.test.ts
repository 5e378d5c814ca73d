import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { laborCostOf, outputOf } from '../../src/features/inventory/production/domain/quantities.js';
import { costsOf, expectedOutputOf } from '../../src/features/recipes/domain/costing.js';
import type { Decimal } from '../../src/kernel/values/decimal.js';
import { dec, formulaOf } from '../support/recipes.js';

/** What a recipe foresees of its batches is what an order makes of them, for all that requests may say. */

const decimal = (decimals: number, least: number, most: number): fc.Arbitrary<Decimal> =>
  fc
    .bigInt({ min: BigInt(Math.round(least * 10 ** decimals)), max: BigInt(Math.round(most * 10 ** decimals)) })
    .map((units) => dec(`${String(units)}e-${String(decimals)}`));

const quantity = decimal(6, 0.000001, 999_999_999);
const loss = decimal(4, 0, 99.99);

const stage = fc.record({
  standardMinutes: fc.option(decimal(6, 0, 1_000_000)),
  laborRatePerHour: fc.option(decimal(2, 0, 999_999_999.99)),
});

const sketch = fc.record({
  yieldQty: quantity,
  expectedLossPercent: loss,
  stages: fc.array(stage, { maxLength: 5 }),
});

test('output and labour of an order are those of its recipe', () => {
  fc.assert(
    fc.property(sketch, quantity, ({ stages, ...output }, batches) => {
      const named = stages.map((one) => ({ ...one, name: 'Forno', required: true, workCenter: null }));
      const formula = formulaOf({ ...output, stages: named });
      const recipe = { ...formula, recipeId: 'r', version: 1, name: 'Pão' };

      expect(outputOf(recipe, batches).expectedQty.toString()).toBe(expectedOutputOf(formula, batches).toString());
      expect(laborCostOf(recipe, batches).toString()).toBe(costsOf(formula, batches, []).labor.toString());
    }),
    { numRuns: 500 },
  );
});
