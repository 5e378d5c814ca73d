import { Decimal } from '../../kernel/values/decimal.js';
import { defined } from '../../kernel/values/defined.js';
import { textOrNull } from '../../kernel/values/fields.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { GivenFormula } from './domain/formula.js';
import type { RecipeDetails } from './events.js';
import type { WantedChange } from './recipe-writer.js';
import { COSTS_NOT_YOURS } from './rejections.js';
import type { NewRecipe, RecipeChange } from './schemas.js';

/** What the bodies of requests mean. */

/** Costs are neither seen nor set without their permission. */
function expectCostsAllowed({ standardUnitCost, stages = [] }: NewRecipe | RecipeChange, seesCosts: boolean): void {
  const setsRate = stages.some(({ laborRatePerHour }) => (laborRatePerHour ?? null) !== null);
  if (!seesCosts && (setsRate || standardUnitCost !== undefined)) throw new Rejection(COSTS_NOT_YOURS);
}

/** A rate that is not there is none to who sees rates, and stays as it was for who does not. */
const stagesOf = ({ stages }: NewRecipe | RecipeChange, seesCosts: boolean): GivenFormula['stages'] | undefined =>
  stages?.map((stage) => ({
    ...stage,
    laborRatePerHour: seesCosts ? (stage.laborRatePerHour ?? null) : undefined,
  }));

export function recipeFromRequest(
  body: NewRecipe,
  seesCosts: boolean,
): { readonly details: RecipeDetails; readonly formula: GivenFormula } {
  expectCostsAllowed(body, seesCosts);
  const { name, notes, standardUnitCost = null } = body;
  return {
    details: { name, notes: textOrNull(notes), active: true, standardUnitCost },
    formula: {
      finishedVariantId: body.finishedVariantId,
      yieldQty: body.yieldQty ?? Decimal.one,
      densityKgPerL: body.densityKgPerL ?? null,
      expectedLossPercent: body.expectedLossPercent ?? Decimal.zero,
      formulaMode: body.formulaMode ?? 'ABSOLUTE',
      percentBasis: body.percentBasis ?? 'MASS',
      stages: stagesOf(body, seesCosts) ?? [],
      byproducts: body.byproducts ?? [],
      items: body.items,
    },
  };
}

/** What of a change is about the recipe itself, and what about its formula. */
export function changeFromRequest(body: RecipeChange, seesCosts: boolean): WantedChange {
  expectCostsAllowed(body, seesCosts);
  const { name, notes, active, standardUnitCost, changeReason, saveAsDraft, ...formula } = body;
  return {
    details: defined({
      name,
      active,
      standardUnitCost,
      notes: notes === undefined ? undefined : textOrNull(notes),
    }),
    formula: defined({ ...formula, stages: stagesOf(body, seesCosts) }),
    changeReason: textOrNull(changeReason),
    asDraft: saveAsDraft === true,
  };
}
