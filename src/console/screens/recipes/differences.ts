import { money, percent, plainNumber, quantity } from '../../values/formats.js';
import type { Say } from '../../words/words.js';
import type { Version } from './formula.js';
import type { words } from './words.js';

type Snapshot = Version['snapshot'];
type Item = Snapshot['items'][number];
type Stage = Snapshot['stages'][number];
type Byproduct = Snapshot['byproducts'][number];

interface Difference {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** What the formulas name by its id: how it is called, and in which unit it is counted. */
interface Called {
  readonly nameOf: (variantId: string) => string;
  readonly unitOf: (variantId: string) => string | undefined;
}

interface Line {
  readonly id: string;
  readonly field: string;
  readonly written: string;
}

const percentOf = (value: number): string => percent(value, 6);

/** What differs between two formulas, told by what the lines are about and not by their places. */
export function differencesOf(
  before: Snapshot,
  after: Snapshot,
  t: Say<typeof words>,
  called: Called,
): readonly Difference[] {
  const fields = (snapshot: Snapshot): readonly Line[] => headOf(snapshot, t, called);
  return [
    ...compared(fields(before), fields(after), t),
    ...compared(before.items.map(itemLine(t, called)), after.items.map(itemLine(t, called)), t),
    ...compared(before.stages.map(stageLine(t)), after.stages.map(stageLine(t)), t),
    ...compared(before.byproducts.map(byproductLine(t, called)), after.byproducts.map(byproductLine(t, called)), t),
  ];
}

function headOf(snapshot: Snapshot, t: Say<typeof words>, { unitOf }: Called): readonly Line[] {
  const { yieldQty, expectedLossPercent, formulaMode, percentBasis, densityKgPerL, finishedVariantId } = snapshot;
  const isPercent = formulaMode === 'PERCENT';
  return [
    ['yieldQty', quantity(yieldQty, unitOf(finishedVariantId))],
    ['expectedLossPercent', percentOf(expectedLossPercent)],
    ['formulaMode', t(formulaMode)],
    ['percentBasis', isPercent ? t(percentBasis) : '–'],
    ['densityKgPerL', densityKgPerL === null ? '–' : `${plainNumber(densityKgPerL)}\u00a0kg/L`],
  ].map(([name = '', written = '']) => ({ id: name, field: t(name as 'yieldQty'), written }));
}

export const itemLine =
  (t: Say<typeof words>, { nameOf, unitOf }: Called) =>
  ({ componentVariantId: id, percent, quantity: amount, lossPercent, costKind, densityKgPerL }: Item): Line => ({
    id,
    field: nameOf(id),
    written: [
      percent === null ? preciseQuantity(amount, unitOf(id)) : percentOf(percent),
      lossPercent > 0 && `${t('lossShort')} ${percentOf(lossPercent)}`,
      densityKgPerL !== null && `${plainNumber(densityKgPerL)}\u00a0kg/L`,
      costKind === 'PACKAGING' && t('PACKAGING'),
    ]
      .filter(Boolean)
      .join(', '),
  });

export const stageLine =
  (t: Say<typeof words>) =>
  ({ name, workCenter, standardMinutes, laborRatePerHour, required }: Stage): Line => ({
    id: name,
    field: t('stageOf', { name }),
    written:
      [
        workCenter,
        standardMinutes !== null && `${plainNumber(standardMinutes)}\u00a0min`,
        laborRatePerHour !== null && laborRatePerHour !== undefined && `${money(laborRatePerHour)}/h`,
        required && t('required'),
      ]
        .filter(Boolean)
        .join(', ') || '–',
  });

export const byproductLine =
  (t: Say<typeof words>, { nameOf, unitOf }: Called) =>
  ({ variantId: id, quantityPerBatch, costSharePercent }: Byproduct): Line => ({
    id,
    field: t('byproductOf', { name: nameOf(id) }),
    written: `${preciseQuantity(quantityPerBatch, unitOf(id))}, ${t('shareOf', { percent: percentOf(costSharePercent) })}`,
  });

/** All the decimals of a formula: a difference in the fourth is one, too. */
const preciseQuantity = (amount: number, unit: string | undefined): string =>
  `${plainNumber(amount)}${unit === undefined ? '' : `\u00a0${unit}`}`;

function compared(earlier: readonly Line[], later: readonly Line[], t: Say<typeof words>): readonly Difference[] {
  const old = new Map(earlier.map((line) => [line.id, line.written]));
  const young = new Set(later.map(({ id }) => id));
  return [
    ...later.map(({ id, field, written }) => ({ field, from: old.get(id) ?? t('absent'), to: written })),
    ...earlier
      .filter(({ id }) => !young.has(id))
      .map(({ field, written }) => ({ field, from: written, to: t('gone') })),
  ].filter(({ from, to }) => from !== to);
}
