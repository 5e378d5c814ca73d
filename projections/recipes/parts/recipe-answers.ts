import type { Formula, FormulaChange } from '../../../src/features/recipes/events.js';
import type { Decimal } from '../../../src/kernel/values/decimal.js';

/** Formulas and their changes as answers give them: decimals are numbers there. */

const numberOf = (value: Decimal | null): number | null => value?.toNumber() ?? null;

export function formulaAnswer(formula: Formula) {
  return {
    finishedVariantId: formula.finishedVariantId,
    yieldQty: formula.yieldQty.toNumber(),
    densityKgPerL: numberOf(formula.densityKgPerL),
    expectedLossPercent: formula.expectedLossPercent.toNumber(),
    formulaMode: formula.formulaMode,
    percentBasis: formula.percentBasis,
    stages: formula.stages.map(({ name, required, workCenter, standardMinutes, laborRatePerHour }) => ({
      name,
      required,
      workCenter,
      standardMinutes: numberOf(standardMinutes),
      laborRatePerHour: numberOf(laborRatePerHour),
    })),
    byproducts: formula.byproducts.map(({ variantId, quantityPerBatch, costSharePercent }) => ({
      variantId,
      quantityPerBatch: quantityPerBatch.toNumber(),
      costSharePercent: costSharePercent.toNumber(),
    })),
    items: formula.items.map(({ componentVariantId, quantity, percent, densityKgPerL, lossPercent, costKind }) => ({
      componentVariantId,
      quantity: quantity.toNumber(),
      percent: numberOf(percent),
      densityKgPerL: numberOf(densityKgPerL),
      lossPercent: lossPercent.toNumber(),
      costKind,
    })),
  };
}

export type FormulaAnswer = ReturnType<typeof formulaAnswer>;

const DECIMALS = new Set([
  'yieldQty',
  'densityKgPerL',
  'expectedLossPercent',
  'standardMinutes',
  'laborRatePerHour',
  'quantityPerBatch',
  'costSharePercent',
  'quantity',
  'percent',
  'lossPercent',
]);

type Json = FormulaChange['from'];

function valueAnswer(member: string, value: Json): Json {
  if (typeof value === 'string') return DECIMALS.has(member) ? Number(value) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, valueAnswer(name, inner)]));
}

export const changeAnswer = ({ path, from, to }: FormulaChange): FormulaChange => {
  const member = path.slice(path.lastIndexOf('.') + 1);
  return { path, from: valueAnswer(member, from), to: valueAnswer(member, to) };
};
