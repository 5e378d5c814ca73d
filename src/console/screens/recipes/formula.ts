import type { components } from 'openapi-client';
import { plainNumber, readNumber } from '../../values/formats.js';

export type Recipe = components['schemas']['Recipe'];
export type Version = components['schemas']['RecipeVersion'];

interface ItemValues {
  readonly variantId: string;
  readonly unit: string;
  readonly quantity: string;
  readonly percent: string;
  readonly lossPercent: string;
  readonly densityKgPerL: string;
  readonly costKind: 'MATERIAL' | 'PACKAGING';
  readonly scanned: string;
}

interface StageValues {
  readonly name: string;
  readonly required: boolean;
  readonly workCenter: string;
  readonly standardMinutes: string;
  readonly laborRatePerHour: string;
}

interface ByproductValues {
  readonly variantId: string;
  readonly unit: string;
  readonly quantityPerBatch: string;
  readonly costSharePercent: string;
  readonly scanned: string;
}

export interface FormulaValues {
  readonly name: string;
  readonly finishedVariantId: string;
  readonly yieldQty: string;
  readonly expectedLossPercent: string;
  readonly densityKgPerL: string;
  readonly formulaMode: Recipe['formulaMode'];
  readonly percentBasis: Recipe['percentBasis'];
  readonly items: readonly ItemValues[];
  readonly stages: readonly StageValues[];
  readonly byproducts: readonly ByproductValues[];
  readonly notes: string;
  readonly changeReason: string;
}

export const noItem: ItemValues = {
  variantId: '',
  unit: '',
  quantity: '',
  percent: '',
  lossPercent: '',
  densityKgPerL: '',
  costKind: 'MATERIAL',
  scanned: '',
};
export const noStage: StageValues = {
  name: '',
  required: false,
  workCenter: '',
  standardMinutes: '',
  laborRatePerHour: '',
};
export const noByproduct: ByproductValues = {
  variantId: '',
  unit: '',
  quantityPerBatch: '',
  costSharePercent: '',
  scanned: '',
};

export const noFormula: FormulaValues = {
  name: '',
  finishedVariantId: '',
  yieldQty: '1',
  expectedLossPercent: '',
  densityKgPerL: '',
  formulaMode: 'ABSOLUTE',
  percentBasis: 'MASS',
  items: [noItem],
  stages: [],
  byproducts: [],
  notes: '',
  changeReason: '',
};

const typed = (value: number | null | undefined): string => (value === 0 ? '' : plainNumber(value));

export const valuesOf = (recipe: Recipe): FormulaValues => ({
  name: recipe.name,
  finishedVariantId: recipe.finishedVariantId,
  yieldQty: plainNumber(recipe.yieldQty),
  expectedLossPercent: typed(recipe.expectedLossPercent),
  densityKgPerL: typed(recipe.densityKgPerL),
  formulaMode: recipe.formulaMode,
  percentBasis: recipe.percentBasis,
  items: recipe.items.map((item) => ({
    variantId: item.componentVariantId,
    unit: '',
    quantity: typed(item.quantity),
    percent: typed(item.percent),
    lossPercent: typed(item.lossPercent),
    densityKgPerL: typed(item.densityKgPerL),
    costKind: item.costKind,
    scanned: '',
  })),
  stages: recipe.stages.map((stage) => ({
    name: stage.name,
    required: stage.required,
    workCenter: stage.workCenter ?? '',
    standardMinutes: typed(stage.standardMinutes),
    laborRatePerHour: typed(stage.laborRatePerHour),
  })),
  byproducts: recipe.byproducts.map((byproduct) => ({
    variantId: byproduct.variantId,
    unit: '',
    quantityPerBatch: typed(byproduct.quantityPerBatch),
    costSharePercent: plainNumber(byproduct.costSharePercent),
    scanned: '',
  })),
  notes: recipe.notes ?? '',
  changeReason: '',
});

const orNull = (text: string): number | null => readNumber(text) ?? null;

/** In percents an input has its share; packaging is always counted in pieces. */
const isShare = ({ formulaMode }: FormulaValues, { costKind }: ItemValues): boolean =>
  formulaMode === 'PERCENT' && costKind === 'MATERIAL';

export const bodyOf = (values: FormulaValues) => ({
  name: values.name.trim(),
  notes: values.notes.trim() || null,
  finishedVariantId: values.finishedVariantId,
  yieldQty: readNumber(values.yieldQty) ?? 0,
  expectedLossPercent: readNumber(values.expectedLossPercent) ?? 0,
  densityKgPerL: orNull(values.densityKgPerL),
  formulaMode: values.formulaMode,
  percentBasis: values.percentBasis,
  items: values.items
    .filter(({ variantId }) => variantId !== '')
    .map((item) => ({
      componentVariantId: item.variantId,
      ...(isShare(values, item)
        ? { percent: readNumber(item.percent) ?? 0 }
        : { quantity: readNumber(item.quantity) ?? 0 }),
      lossPercent: readNumber(item.lossPercent) ?? 0,
      densityKgPerL: orNull(item.densityKgPerL),
      costKind: item.costKind,
    })),
  stages: values.stages
    .filter(({ name }) => name.trim() !== '')
    .map((stage) => ({
      name: stage.name.trim(),
      required: stage.required,
      workCenter: stage.workCenter.trim() || null,
      standardMinutes: orNull(stage.standardMinutes),
      laborRatePerHour: orNull(stage.laborRatePerHour),
    })),
  byproducts: values.byproducts
    .filter(({ variantId }) => variantId !== '')
    .map((byproduct) => ({
      variantId: byproduct.variantId,
      quantityPerBatch: readNumber(byproduct.quantityPerBatch) ?? 0,
      costSharePercent: readNumber(byproduct.costSharePercent) ?? 0,
    })),
});

export const percentSum = (values: FormulaValues): number =>
  values.items
    .filter((item) => isShare(values, item))
    .reduce((sum, { percent }) => Number((sum + (readNumber(percent) ?? 0)).toFixed(4)), 0);

const TOLERANCE = 0.01;

export const addsUp = (values: FormulaValues): boolean => Math.abs(percentSum(values) - 100) <= TOLERANCE;

/** Everything is there that percents need to become quantities. */
export const isWhole = (values: FormulaValues): boolean =>
  addsUp(values) &&
  values.finishedVariantId !== '' &&
  (readNumber(values.yieldQty) ?? 0) > 0 &&
  values.items.every(({ variantId }) => variantId !== '');

const lossFactor = (percent: string): number => 1 - (readNumber(percent) ?? 0) / 100;

/** What one batch takes of each input, with what is lost of it. */
export function neededOf(values: FormulaValues, quantities: readonly number[]): ReadonlyMap<string, number> {
  const needed = new Map<string, number>();
  for (const [place, { variantId, lossPercent }] of values.items.entries()) {
    const amount = (quantities[place] ?? 0) / lossFactor(lossPercent);
    if (variantId !== '' && amount > 0) needed.set(variantId, (needed.get(variantId) ?? 0) + amount);
  }
  return needed;
}

/** What a batch costs, and a unit of what it is expected to give; undefined where the cost of an input is not known. */
export function costOf(
  values: FormulaValues,
  quantities: readonly number[],
  unitCosts: ReadonlyMap<string, number>,
): { readonly batch: number; readonly unit: number } | undefined {
  const inputs = values.items.map(({ variantId, lossPercent }, place) =>
    variantId === '' ? 0 : ((unitCosts.get(variantId) ?? NaN) * (quantities[place] ?? 0)) / lossFactor(lossPercent),
  );
  const labor = values.stages.map(
    ({ standardMinutes, laborRatePerHour }) =>
      ((readNumber(standardMinutes) ?? 0) / 60) * (readNumber(laborRatePerHour) ?? 0),
  );
  const batch = [...inputs, ...labor].reduce((sum, cost) => sum + cost, 0);
  const output = (readNumber(values.yieldQty) ?? 0) * lossFactor(values.expectedLossPercent);
  const shares = values.byproducts.reduce((sum, { costSharePercent }) => sum + (readNumber(costSharePercent) ?? 0), 0);
  if (!(batch > 0) || !Number.isFinite(batch) || output <= 0) return undefined;
  return { batch, unit: (batch * (1 - shares / 100)) / output };
}
