import { useNames } from '../../client/names.js';
import { useWords } from '../../words/words.js';
import { byproductLine, itemLine, stageLine } from './differences.js';
import type { FormulaValues, Recipe } from './formula.js';
import { bodyOf } from './formula.js';
import { words } from './words.js';

/** What a field of a formula holds, said as it is between two versions; undefined for a text that says itself. */
export function useFormulaText(
  recipe: Recipe,
): (field: keyof FormulaValues, values: FormulaValues) => string | undefined {
  const t = useWords(words);
  const { finishedVariantId, items, byproducts } = recipe;
  const names = useNames([
    finishedVariantId,
    ...items.map(({ componentVariantId }) => componentVariantId),
    ...byproducts.map(({ variantId }) => variantId),
  ]);
  const called = {
    nameOf: (id: string) => names(id)?.description ?? '…',
    unitOf: (id: string) => names(id)?.saleUnit,
  };
  const item = itemLine(t, called);
  return (field, values) => {
    const formula = bodyOf(values);
    const lines = {
      items: () => formula.items.map((one) => item({ percent: null, quantity: 0, ...one })),
      stages: () => formula.stages.map(stageLine(t)),
      byproducts: () => formula.byproducts.map(byproductLine(t, called)),
    };
    switch (field) {
      case 'items':
      case 'stages':
      case 'byproducts':
        return (
          lines[field]()
            .map(({ field, written }) => `${field}: ${written}`)
            .join('; ') || undefined
        );
      case 'formulaMode':
      case 'percentBasis':
        return t(values[field]);
      case 'finishedVariantId':
        return called.nameOf(values.finishedVariantId);
      default:
        return undefined;
    }
  };
}
