import { Decimal, MONEY_DECIMALS, QUANTITY_DECIMALS } from '../../../kernel/values/decimal.js';
import type { Formula, FormulaStage } from '../events.js';
import { Fraction } from './fraction.js';

/** What batches of a formula give and cost. */

const UNIT_COST_DECIMALS = 10;
const MINUTES_PER_HOUR = Fraction.of(Decimal.from(60));

/** What is left of one after a loss of so many percent. */
const afterLoss = (percent: Decimal): Fraction =>
  Fraction.of(Decimal.hundred.minus(percent).dividedBy(Decimal.hundred));

const outputOf = ({ yieldQty, expectedLossPercent }: Formula, batches: Decimal): Fraction =>
  Fraction.of(yieldQty).times(Fraction.of(batches)).times(afterLoss(expectedLossPercent));

/** How much finished product is expected, after the process loss. */
export const expectedOutputOf = (formula: Formula, batches: Decimal): Decimal =>
  outputOf(formula, batches).round(QUANTITY_DECIMALS);

function laborOf(stages: readonly FormulaStage[], batches: Decimal): Fraction {
  let perBatch = Fraction.of(Decimal.zero);
  for (const { standardMinutes, laborRatePerHour } of stages) {
    if (!standardMinutes || !laborRatePerHour) continue;
    perBatch = perBatch.plus(
      Fraction.of(standardMinutes).times(Fraction.of(laborRatePerHour)).dividedBy(MINUTES_PER_HOUR),
    );
  }
  return perBatch.times(Fraction.of(batches));
}

export interface Costs {
  /** What each input costs, in cents that add up to the materials. */
  readonly items: readonly Decimal[];
  readonly labor: Decimal;
  /** Materials and labour. */
  readonly total: Decimal;
  /** What one finished unit costs, after what the by-products bear. */
  readonly perUnit: Decimal;
}

/** `materials`: what each input costs, in its order. */
export function costsOf(formula: Formula, batches: Decimal, materials: readonly Decimal[]): Costs {
  const exact = Decimal.sum(materials);
  const rounded = exact.round(MONEY_DECIMALS);
  const exactLabor = laborOf(formula.stages, batches);
  const labor = exactLabor.round(MONEY_DECIMALS);
  const shares = Decimal.sum(formula.byproducts.map(({ costSharePercent }) => costSharePercent));
  const perUnit = Fraction.of(exact).plus(exactLabor).times(afterLoss(shares)).dividedBy(outputOf(formula, batches));
  return {
    items: exact.isPositive ? Decimal.allocate(rounded, materials, MONEY_DECIMALS) : materials.map(() => Decimal.zero),
    labor,
    total: rounded.plus(labor),
    perUnit: perUnit.round(UNIT_COST_DECIMALS),
  };
}
