import { plainNumber, readNumber } from '../../values/formats.js';
import type { Configuration, Machine } from './configuration.js';

/** Texts of the cells: `brand/payment`, the brand being empty for all and the payment `d` or a number of instalments. */
export type Cells = Readonly<Record<string, string>>;

const DEBIT = 'd';

export const placeOf = (brandId: string, payment: string): string => `${brandId}/${payment}`;

/** Debit, then credit by instalments. */
export const paymentsOf = ({ settings }: Configuration): readonly string[] => [
  DEBIT,
  ...Array.from({ length: settings.maxInstallments }, (_, index) => String(index + 1)),
];

const MOST_DECIMALS = 4;

const text = (percent: number | null): string => plainNumber(percent, MOST_DECIMALS);

/** Every cell of the grid, those without a rate being empty. */
export function cellsOf(machine: Machine, configuration: Configuration): Cells {
  const payments = paymentsOf(configuration);
  const empty = ['', ...configuration.brands.map(({ id }) => id)].flatMap((brandId) =>
    payments.map((payment) => [placeOf(brandId, payment), '']),
  );
  const usual = [
    [placeOf('', DEBIT), text(machine.debitFeePercent)],
    ...machine.creditFees.map(({ installments, feePercent }) => [placeOf('', String(installments)), text(feePercent)]),
  ];
  const own = machine.brandRates.flatMap(({ cardBrandId, rates }) =>
    rates.map(({ cardType, installments, feePercent }) => [
      placeOf(cardBrandId, cardType === 'debit' ? DEBIT : String(installments)),
      text(feePercent),
    ]),
  );
  return Object.fromEntries([...empty, ...usual, ...own]) as Cells;
}

/** Cells of a spreadsheet, row by row: a tab stands between two of a row. Undefined for the text of one alone. */
export function copiedCells(copied: string): readonly (readonly string[])[] | undefined {
  const rows = copied
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((row) => row.split('\t').map((cell) => cell.trim()));
  return rows.length > 1 || (rows[0]?.length ?? 0) > 1 ? rows : undefined;
}

/** What they fill from one cell on, to the right and down; undefined where the grid ends before them. */
export function filledFrom(
  place: string,
  copied: readonly (readonly string[])[],
  brandIds: readonly string[],
  payments: readonly string[],
): Cells | undefined {
  const [brandId = '', payment = ''] = place.split('/');
  const [column, row] = [brandIds.indexOf(brandId), payments.indexOf(payment)];
  const isInside = copied.every(
    (cells, down) => row + down < payments.length && column + cells.length <= brandIds.length,
  );
  if (!isInside) return undefined;
  return Object.fromEntries(
    copied.flatMap((cells, down) =>
      cells.map((cell, right) => [placeOf(brandIds[column + right] ?? '', payments[row + down] ?? ''), cell]),
    ),
  );
}

/**
 * What keeps a text from being a rate, which is empty or a share of the amount. It is told before anything is sent: the
 * columns go one after the other, and those before the one that the service refuses would be saved.
 */
export function wrongWithRate(typed: string): 'notANumber' | 'notAShare' | 'tooFine' | undefined {
  if (typed.trim() === '') return undefined;
  const percent = readNumber(typed);
  if (percent === undefined) return 'notANumber';
  if (percent < 0 || percent > 100) return 'notAShare';
  return Number(percent.toFixed(MOST_DECIMALS)) === percent ? undefined : 'tooFine';
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
    debitFeePercent: all.find(({ payment }) => payment === DEBIT)?.percent ?? null,
    creditFees: all
      .filter(({ payment }) => payment !== DEBIT)
      .map(({ payment, percent }) => ({ installments: Number(payment), feePercent: percent })),
  };
}

export const brandRates = (cells: Cells, brand: string) =>
  filled(cells, brand).map(({ payment, percent }) => ({
    cardType: payment === DEBIT ? ('debit' as const) : ('credit' as const),
    installments: payment === DEBIT ? 1 : Number(payment),
    feePercent: percent,
  }));

/** Brands whose column differs; the empty one stands for all. */
export function touchedBrands(before: Cells, after: Cells): readonly string[] {
  const places = Object.keys({ ...before, ...after }).filter((place) => (before[place] ?? '') !== (after[place] ?? ''));
  return [...new Set(places.map((place) => place.split('/')[0] ?? ''))];
}
