import { Decimal } from '../../../kernel/values/decimal.js';
import type { VariantFacts } from '../../contracts/catalogue.js';
import { Fraction } from './fraction.js';

/** How much of something one unit of it is, by mass and by volume. */

type Measured = Pick<VariantFacts, 'saleUnit' | 'netWeightKg' | 'unitVolumeLiters'>;
type Basis = 'MASS' | 'VOLUME';

/** What is not known: `density` of the substance, or `size` of a piece of it. */
type Missing = 'density' | 'size';

const THOUSANDTH = Fraction.of(Decimal.from('0.001'));
const MASS_UNITS = new Map([
  ['KG', Fraction.one],
  ['G', THOUSANDTH],
]);
const VOLUME_UNITS = new Map([
  ['L', Fraction.one],
  ['ML', THOUSANDTH],
]);

/** One sale unit in kilograms or litres, as its unit says; every other unit counts pieces. */
function sizeOf({ saleUnit, netWeightKg, unitVolumeLiters }: Measured) {
  const unit = saleUnit.toUpperCase();
  const [mass, volume] = [MASS_UNITS.get(unit), VOLUME_UNITS.get(unit)];
  if (mass ?? volume) return { mass, volume };
  return {
    mass: netWeightKg?.isPositive ? Fraction.of(netWeightKg) : undefined,
    volume: unitVolumeLiters?.isPositive ? Fraction.of(unitVolumeLiters) : undefined,
  };
}

/** One sale unit in kilograms (MASS) or litres (VOLUME); the density is asked only where the unit says the other. */
export function perUnit(basis: Basis, measured: Measured, densityKgPerL: Decimal | null): Fraction | Missing {
  const { mass, volume } = sizeOf(measured);
  const direct = basis === 'MASS' ? mass : volume;
  if (direct) return direct;
  const other = basis === 'MASS' ? volume : mass;
  if (!other) return 'size';
  if (!densityKgPerL) return 'density';
  const density = Fraction.of(densityKgPerL);
  return basis === 'MASS' ? other.times(density) : other.dividedBy(density);
}
