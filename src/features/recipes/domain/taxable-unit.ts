import type { Decimal } from '../../../kernel/values/decimal.js';
import type { VariantFacts } from '../../contracts/catalogue.js';
import type { Formula } from '../events.js';

/** How many litres or kilograms, the units in which a product is taxed, one sale unit of it is. */

export const TAXABLE_BASES = ['L', 'KG'] as const;
type TaxableBasis = (typeof TAXABLE_BASES)[number];

const FACTOR_DECIMALS = 6;

interface TaxableUnit {
  readonly litersPerUnit: Decimal | null;
  readonly kgPerUnit: Decimal | null;
  /** What would have to be known for both. */
  readonly missing: readonly ('unitVolumeLiters' | 'densityKgPerL')[];
}

export function taxableUnitOf(
  { densityKgPerL }: Pick<Formula, 'densityKgPerL'>,
  { unitVolumeLiters }: Pick<VariantFacts, 'unitVolumeLiters'>,
): TaxableUnit {
  const litersPerUnit = unitVolumeLiters?.isPositive ? unitVolumeLiters.round(FACTOR_DECIMALS) : null;
  return {
    litersPerUnit,
    kgPerUnit: litersPerUnit && densityKgPerL ? litersPerUnit.times(densityKgPerL).round(FACTOR_DECIMALS) : null,
    missing: [
      ...(litersPerUnit ? [] : (['unitVolumeLiters'] as const)),
      ...(densityKgPerL ? [] : (['densityKgPerL'] as const)),
    ],
  };
}

/** Null when it cannot be computed. */
export const factorOf = (unit: TaxableUnit, basis: TaxableBasis): Decimal | null =>
  basis === 'L' ? unit.litersPerUnit : unit.kgPerUnit;
