import { plainNumber, readNumber } from '../../values/formats.js';
import type { Machine } from './configuration.js';

/** Texts of the cells: `brand/payment`, the brand being empty for all and the payment `d` or a number of instalments. */
export type Cells = Readonly<Record<string, string>>;

const text = (percent: number | null): string => plainNumber(percent, 4);

export function cellsOf(machine: Machine): Cells {
  const usual = [
    ['/d', text(machine.debitFeePercent)],
    ...machine.creditFees.map(({ installments, feePercent }) => [`/${String(installments)}`, text(feePercent)]),
  ];
  const own = machine.brandRates.flatMap(({ cardBrandId, rates }) =>
    rates.map(({ cardType, installments, feePercent }) => [
      `${cardBrandId}/${cardType === 'debit' ? 'd' : String(installments)}`,
      text(feePercent),
    ]),
  );
  return Object.fromEntries([...usual, ...own]) as Cells;
}

const filled = (cells: Cells, brand: string) =>
  Object.entries(cells).flatMap(([place, typed]) => {
    const [of, payment = ''] = place.split('/');
    const percent = readNumber(typed);
    return of === brand && percent !== undefined ? [{ payment, percent }] : [];
  });

/** What the machine takes where a brand has no rate of its own. */
export function usualRates(cells: Cells) {
  const all = filled(cells, '');
  return {
    debitFeePercent: all.find(({ payment }) => payment === 'd')?.percent ?? null,
    creditFees: all
      .filter(({ payment }) => payment !== 'd')
      .map(({ payment, percent }) => ({ installments: Number(payment), feePercent: percent })),
  };
}

export const brandRates = (cells: Cells, brand: string) =>
  filled(cells, brand).map(({ payment, percent }) => ({
    cardType: payment === 'd' ? ('debit' as const) : ('credit' as const),
    installments: payment === 'd' ? 1 : Number(payment),
    feePercent: percent,
  }));

/** Brands whose column differs; the empty one stands for all. */
export function touchedBrands(before: Cells, after: Cells): readonly string[] {
  const places = Object.keys({ ...before, ...after }).filter((place) => (before[place] ?? '') !== (after[place] ?? ''));
  return [...new Set(places.map((place) => place.split('/')[0] ?? ''))];
}
