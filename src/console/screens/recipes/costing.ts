import { api, body, dryRun } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useDelayed } from '../../parts/delayed.js';
import { readNumber } from '../../values/formats.js';
import type { FormulaValues, Recipe } from './formula.js';
import { bodyOf, costOf, isWhole } from './formula.js';

/** What a formula would cost while it is typed: the service turns percents into quantities, and knows what each input costs. */

type Quantities = readonly number[];

const typedQuantities = (values: FormulaValues): Quantities =>
  values.items.map(({ quantity }) => readNumber(quantity) ?? 0);

/** Of percents what saving them would make of each, in the input's own unit; undefined while they are not whole. */
function useQuantities(values: FormulaValues, recipeId: string | undefined): Quantities | undefined {
  const isPercent = values.formulaMode === 'PERCENT';
  const print = useDelayed(JSON.stringify(bodyOf(values)), 300);
  const workedOut = useRead<Quantities | null>({
    key: ['formula', recipeId, print],
    kinds: ['recipe', 'product'],
    when: isPercent && isWhole(values),
    keep: true,
    read: async () => {
      const formula = JSON.parse(print) as ReturnType<typeof bodyOf>;
      const headers = { Prefer: 'dry-run' };
      const asked =
        recipeId === undefined
          ? api.POST('/bakery-production/recipes', { body: formula, headers })
          : api.PUT('/bakery-production/recipes/{id}', {
              params: { path: { id: recipeId } },
              body: { ...formula, saveAsDraft: true, changeReason: '–' },
              headers,
            });
      return ((await dryRun(asked)).body as Recipe | null)?.items.map(({ quantity }) => quantity) ?? null;
    },
  });
  if (!isPercent) return typedQuantities(values);
  return isWhole(values) ? (workedOut.data ?? undefined) : undefined;
}

/** The average cost of each input; those that the asker may not see are missing. */
function useUnitCosts(variantIds: readonly string[]): ReadonlyMap<string, number> {
  const wanted = [...new Set(variantIds)].sort();
  const costs = useRead({
    key: ['unit-costs', wanted],
    kinds: ['lot', 'order'],
    when: wanted.length > 0,
    keep: true,
    read: (signal) =>
      Promise.all(
        wanted.map(async (variantId) => {
          const params = { query: { variantId, limit: 1 } };
          const { items } = await body(api.GET('/stock/balances', { params, signal }));
          return [variantId, items[0]?.averageCost] as const;
        }),
      ),
  });
  return new Map((costs.data ?? []).flatMap(([id, cost]) => (cost == null ? [] : [[id, cost] as const])));
}

/** Undefined while something is missing: an input, its cost, or a whole of percents. */
export function useCostTyped(
  values: FormulaValues,
  recipeId: string | undefined,
): { readonly batch: number; readonly unit: number } | undefined {
  const quantities = useQuantities(values, recipeId);
  const unitCosts = useUnitCosts(values.items.flatMap(({ variantId }) => (variantId === '' ? [] : [variantId])));
  return quantities && costOf(values, quantities, unitCosts);
}
