import { api, body, dryRun } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useTypedRead } from '../../parts/typed-read.js';
import { readNumber } from '../../values/formats.js';
import type { FormulaValues, Recipe } from './formula.js';
import { bodyOf, costOf, isWhole, neededOf } from './formula.js';

/** What a formula would cost while it is typed: the service turns percents into quantities, and knows what each input costs. */

type Quantities = readonly number[];

const typedQuantities = (values: FormulaValues): Quantities =>
  values.items.map(({ quantity }) => readNumber(quantity) ?? 0);

/** Notes and stages make no other quantity of a percent. */
const weighedOf = (values: FormulaValues) => ({ ...bodyOf(values), notes: null, stages: [] });

interface Weighed {
  readonly quantities: Quantities | undefined;
  /** They are of what was typed before, until those of now have come. */
  readonly isOutdated: boolean;
}

/** What saving would make of each percent, in the input's own unit; undefined while they do not come to a whole. */
function useQuantities(values: FormulaValues, recipeId: string | undefined): Weighed {
  const isPercent = values.formulaMode === 'PERCENT';
  const workedOut = useTypedRead<Quantities | null, string>(JSON.stringify(weighedOf(values)), 300, {
    key: ['formula', recipeId],
    kinds: ['recipe', 'product'],
    when: () => isPercent && isWhole(values),
    read: async (typed) => {
      const formula = JSON.parse(typed) as ReturnType<typeof weighedOf>;
      const headers = { Prefer: 'dry-run' };
      const asked =
        recipeId === undefined
          ? api.POST('/bakery-production/recipes', { body: formula, headers })
          : api.PUT('/bakery-production/recipes/{id}', {
              params: { path: { id: recipeId } },
              body: { ...formula, changeReason: '–' },
              headers,
            });
      return ((await dryRun(asked)).body as Recipe | null)?.items.map(({ quantity }) => quantity) ?? null;
    },
  });
  if (!isPercent) return { quantities: typedQuantities(values), isOutdated: false };
  return {
    quantities: isWhole(values) ? (workedOut.data ?? undefined) : undefined,
    isOutdated: workedOut.isOutdated,
  };
}

interface Held {
  readonly averageCost: number | undefined;
  /** What is there at all locations together. */
  readonly available: number;
}

/** What is there of each input, and what it costs on average for those who may see that. */
function useHeld(variantIds: readonly string[]): ReadonlyMap<string, Held> {
  const wanted = [...new Set(variantIds)].sort();
  const held = useRead({
    key: ['held', wanted],
    kinds: ['lot', 'order', 'sale'],
    when: wanted.length > 0,
    keep: true,
    read: (signal) =>
      Promise.all(
        wanted.map(async (variantId) => {
          const { items } = await body(
            api.GET('/stock/balances', { params: { query: { variantId, limit: 200 } }, signal }),
          );
          const available = items.reduce((sum, { quantity }) => sum + quantity, 0);
          return [variantId, { averageCost: items[0]?.averageCost ?? undefined, available }] as const;
        }),
      ),
  });
  return new Map(held.data ?? []);
}

export interface Short {
  readonly variantId: string;
  readonly needed: number;
  readonly available: number;
}

interface TypedFormula {
  /** Undefined while something is missing: an input, its cost, or a whole of percents. */
  readonly cost: { readonly batch: number; readonly unit: number } | undefined;
  /** Inputs of which one batch needs more than is there; undefined while quantities or stock are not known. */
  readonly short: readonly Short[] | undefined;
  readonly isOutdated: boolean;
}

/** What a formula costs and lacks as it is typed. */
export function useTypedFormula(values: FormulaValues, recipeId: string | undefined): TypedFormula {
  const { quantities, isOutdated } = useQuantities(values, recipeId);
  const held = useHeld(values.items.flatMap(({ variantId }) => (variantId === '' ? [] : [variantId])));
  const unitCosts = new Map(
    [...held].flatMap(([id, { averageCost }]) => (averageCost === undefined ? [] : [[id, averageCost] as const])),
  );
  return {
    cost: quantities && costOf(values, quantities, unitCosts),
    short: quantities && shortOf(values, quantities, held),
    isOutdated,
  };
}

function shortOf(
  values: FormulaValues,
  quantities: Quantities,
  held: ReadonlyMap<string, Held>,
): readonly Short[] | undefined {
  const needed = neededOf(values, quantities);
  if (needed.size === 0 || [...needed.keys()].some((variantId) => !held.has(variantId))) return undefined;
  return [...needed].flatMap(([variantId, amount]) => {
    const available = held.get(variantId)?.available ?? 0;
    return amount > available + 1e-9 ? [{ variantId, needed: amount, available }] : [];
  });
}
