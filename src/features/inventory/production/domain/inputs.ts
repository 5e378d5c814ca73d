import { needOf } from '../../../contracts/batches.js';
import { LOT_NOT_FOUND } from '../../../contracts/stock-keeper.js';
import { Decimal } from '../../../../kernel/values/decimal.js';
import { Rejection, notFoundAt } from '../../../../kernel/events/rejection.js';
import type { OrderPlan, RecipeInOrder } from '../../events.js';
import type { KnownCodes } from '../../ledger/known-history.js';
import { isKnownCode } from '../../ledger/known-history.js';
import type { Inventory } from '../../ledger/state.js';

/** What an order takes of its inputs: what the recipe needs, or what was really used where somebody says so. */

export interface ActualInput {
  readonly componentVariantId: string;
  /** Nothing where it was left out. */
  readonly quantity: Decimal;
  /** Null takes from any lot. */
  readonly lotCode: string | null;
}

export interface Input {
  readonly variantId: string;
  readonly costKind: RecipeInOrder['items'][number]['costKind'];
  /** What the recipe needs; of an input that is taken from several named lots it stands at the first. */
  readonly plannedQty: Decimal;
  readonly quantity: Decimal;
  readonly lotCode: string | null;
}

/** Inputs that nobody names keep their need. */
export function inputsOf({ recipe, batches }: OrderPlan, actual: readonly ActualInput[]): readonly Input[] {
  const needs = new Map<string, Decimal>();
  for (const item of recipe.items) {
    const { componentVariantId } = item;
    needs.set(componentVariantId, needOf(item, batches).plus(needs.get(componentVariantId) ?? Decimal.zero));
  }
  const unknown = actual.flatMap(({ componentVariantId }, index) =>
    needs.has(componentVariantId) ? [] : [`${pathOf(index)}.componentVariantId`],
  );
  if (unknown.length > 0) throw notFoundAt(...unknown);
  const answered = new Set<string>();
  return recipe.items.flatMap((item): readonly Input[] => {
    const { componentVariantId: variantId, costKind } = item;
    const given = actual.filter((input) => input.componentVariantId === variantId);
    if (given.length === 0) return inputAsNeeded(item, batches);
    if (answered.has(variantId)) return [];
    answered.add(variantId);
    const planned = (index: number) => (index === 0 ? (needs.get(variantId) ?? Decimal.zero) : Decimal.zero);
    return given.map(({ quantity, lotCode }, index) => ({
      variantId,
      costKind,
      plannedQty: planned(index),
      quantity,
      lotCode,
    }));
  });
}

function inputAsNeeded(item: RecipeInOrder['items'][number], batches: Decimal): readonly Input[] {
  const { componentVariantId: variantId, costKind } = item;
  const quantity = needOf(item, batches);
  return quantity.isPositive ? [{ variantId, costKind, plannedQty: quantity, quantity, lotCode: null }] : [];
}

const pathOf = (index: number): string => `actualInputs[${String(index)}]`;

/** Refuses lot codes that an input never had. */
export function expectInputCodes(
  state: Inventory,
  actual: readonly ActualInput[],
  knownCodes: KnownCodes | undefined,
): void {
  const errors = actual.flatMap(({ componentVariantId, lotCode }, index) =>
    lotCode === null || isKnownCode(state, componentVariantId, lotCode, knownCodes)
      ? []
      : [{ path: `${pathOf(index)}.lotCode`, message: 'names no lot' }],
  );
  if (errors.length > 0) throw new Rejection(LOT_NOT_FOUND, undefined, { errors });
}
