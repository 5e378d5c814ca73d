import { Decimal, QUANTITY_DECIMALS } from '../../../kernel/values/decimal.js';
import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { Formula, FormulaItem } from '../events.js';
import { DENSITY_REQUIRED, FORMULA_INVALID } from '../rejections.js';
import type { Facts } from './facts.js';
import { factsOf } from './facts.js';
import type { FormulaError, GivenFormula, GivenItem } from './formula.js';
import { expectNone, formulaRefusal } from './formula.js';
import { Fraction } from './fraction.js';
import { perUnit } from './units.js';

/** Quantities of a batch: as they are given, or worked out of percents by mass or by volume. */

const TOLERANCE = Decimal.from('0.01');
const HUNDRED = Fraction.of(Decimal.hundred);
const MISSING = { density: 'is needed to turn litres into kilograms', size: 'has neither net weight nor volume' };

const itemPath = (index: number, member: string): string => `items[${String(index)}].${member}`;

const isPercent = ({ formulaMode }: GivenFormula, { costKind }: GivenItem): boolean =>
  formulaMode === 'PERCENT' && costKind === 'MATERIAL';

/** The formula with the quantity of every input in its own unit. */
export function withQuantities(given: GivenFormula, facts: Facts): Formula {
  expectQuantities(given);
  const stages = given.stages.map((stage) => ({ ...stage, laborRatePerHour: stage.laborRatePerHour ?? null }));
  const materials = given.items.filter((item) => isPercent(given, item));
  const amount = materials.length > 0 ? batchAmount(given, facts) : Fraction.one;
  const outcomes = given.items.map((item, index) =>
    isPercent(given, item) ? shareOf(amount, given, item, index, facts) : (item as FormulaItem),
  );
  expectNone(
    outcomes.flatMap((outcome) => ('lacksDensity' in outcome ? [outcome.lacksDensity] : [])),
    DENSITY_REQUIRED,
  );
  expectNone(outcomes.flatMap((outcome) => ('wrong' in outcome ? [outcome.wrong] : [])));
  const items = outcomes.filter((outcome) => 'quantity' in outcome);
  return { ...given, stages, items };
}

/** Every input says how much of it there is, and the percents are a whole. */
function expectQuantities(given: GivenFormula): void {
  const errors = given.items.flatMap((item, index): FormulaError[] => {
    if (isPercent(given, item)) {
      return item.percent?.isPositive
        ? []
        : [{ path: itemPath(index, 'percent'), message: 'is needed in percent mode' }];
    }
    return item.quantity ? [] : [{ path: itemPath(index, 'quantity'), message: 'is needed' }];
  });
  expectNone(errors);
  if (given.formulaMode !== 'PERCENT') return;
  const sum = Decimal.sum(
    given.items.flatMap((item) => (isPercent(given, item) && item.percent ? [item.percent] : [])),
  );
  if (sum.minus(Decimal.hundred).abs().greaterThan(TOLERANCE)) {
    refuseBakersPercents(
      given.items.filter((item) => isPercent(given, item)),
      sum,
    );
    expectNone([{ path: 'items', message: `have percents that add up to ${sum.toString()}, not to 100` }]);
  }
}

const PERCENT_DECIMALS = 4;

/** Bakers take the flour as 100 % and the rest in percent of it: such a formula is refused with the same one in percents of the whole. */
function refuseBakersPercents(items: readonly GivenItem[], sum: Decimal): void {
  const isFlour = ({ percent }: GivenItem) => percent?.equals(Decimal.hundred) === true;
  if (!sum.greaterThan(Decimal.hundred) || items.filter(isFlour).length !== 1) return;
  const percents = items.map(({ percent }) => percent ?? Decimal.zero);
  const whole = Decimal.allocate(Decimal.hundred, percents, PERCENT_DECIMALS);
  const message = `add up to ${sum.toString()} %: these are baker’s percents, of one input that is 100 %. In percents of the whole they are ${whole.map(String).join(', ')}`;
  throw new Rejection(FORMULA_INVALID, `items ${message}`.slice(0, 500), {
    errors: [{ path: 'items', message }],
    percentsOfWhole: items.map(({ componentVariantId }, index) => ({
      componentVariantId,
      percent: whole[index]?.toNumber() ?? 0,
    })),
  });
}

/** Kilograms or litres of one batch. */
function batchAmount(
  { finishedVariantId, percentBasis, yieldQty, densityKgPerL }: GivenFormula,
  facts: Facts,
): Fraction {
  const finished = factsOf(facts, finishedVariantId);
  if (!finished) throw notFoundAt('finishedVariantId');
  const unit = perUnit(percentBasis, finished, densityKgPerL);
  if (unit === 'density') {
    throw formulaRefusal([{ path: 'densityKgPerL', message: MISSING.density }], DENSITY_REQUIRED);
  }
  if (unit === 'size') throw formulaRefusal([{ path: 'finishedVariantId', message: MISSING.size }]);
  return Fraction.of(yieldQty).times(unit);
}

type Outcome = FormulaItem | { readonly lacksDensity: FormulaError } | { readonly wrong: FormulaError };

function shareOf(amount: Fraction, given: GivenFormula, item: GivenItem, index: number, facts: Facts): Outcome {
  const component = factsOf(facts, item.componentVariantId);
  if (!component) throw notFoundAt(itemPath(index, 'componentVariantId'));
  const unit = perUnit(given.percentBasis, component, item.densityKgPerL);
  if (unit === 'density') return { lacksDensity: { path: itemPath(index, 'densityKgPerL'), message: MISSING.density } };
  if (unit === 'size') return { wrong: { path: itemPath(index, 'componentVariantId'), message: MISSING.size } };
  const percent = Fraction.of(item.percent ?? Decimal.zero);
  const quantity = amount.times(percent).dividedBy(HUNDRED).dividedBy(unit).round(QUANTITY_DECIMALS);
  if (quantity.isZero) {
    return { wrong: { path: itemPath(index, 'percent'), message: 'is less than the smallest quantity' } };
  }
  return { ...item, quantity };
}
