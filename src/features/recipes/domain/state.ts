import { Map as ImmutableMap } from 'immutable';
import type { Moment } from '../../../kernel/decider.js';
import type { Formula, RecipeDetails, RecipeEvent } from '../events.js';

export interface Draft {
  readonly number: number;
  /** The version that was in force when it was saved. */
  readonly base: number;
  readonly sha256: string;
  /** Of the event that holds its formula. */
  readonly revision: number;
}

export interface Recipe extends RecipeDetails {
  readonly recipeId: string;
  /** In force; older versions and the formulas of drafts are not held, only where drafts stand in the stream. */
  readonly version: number;
  readonly formula: Formula;
  readonly sha256: string;
  /** The draft from which the version in force came. */
  readonly activatedDraft: number | null;
  readonly drafts: readonly Draft[];
  /** Numbers of drafts are not used again. */
  readonly lastDraft: number;
  /** Of its own last change. */
  readonly revision: number;
}

/** All recipes of a store. */
export interface Recipes {
  readonly byId: ImmutableMap<string, Recipe>;
  /** The recipes that make a variant. */
  readonly makers: ImmutableMap<string, readonly string[]>;
  /** Roughly how many things are held. */
  readonly size: number;
}

/** Of what a variant is made by the recipes that are active; `without` is left out. */
export function* componentsOf({ byId, makers }: Recipes, variantId: string, without: string): Generator<string> {
  for (const recipeId of makers.get(variantId) ?? []) {
    const recipe = recipeId === without ? undefined : byId.get(recipeId);
    if (recipe?.active === true) for (const { componentVariantId } of recipe.formula.items) yield componentVariantId;
  }
}

export const NO_RECIPES: Recipes = { byId: ImmutableMap(), makers: ImmutableMap(), size: 0 };

const sizeOf = ({ formula: { items, stages, byproducts }, drafts }: Recipe): number =>
  1 + items.length + stages.length + byproducts.length + drafts.length;

export function withRecipe({ byId, makers, size }: Recipes, recipe: Recipe): Recipes {
  const { recipeId } = recipe;
  const before = byId.get(recipeId);
  const [old, now] = [before?.formula.finishedVariantId, recipe.formula.finishedVariantId];
  let indexed = makers;
  if (old !== now) {
    if (old !== undefined) indexed = indexed.update(old, [], (ids) => ids.filter((id) => id !== recipeId));
    indexed = indexed.update(now, [], (ids) => [...ids, recipeId]);
  }
  return {
    byId: byId.set(recipeId, recipe),
    makers: indexed,
    size: size + sizeOf(recipe) - (before ? sizeOf(before) : 0),
  };
}

function changed(recipe: Recipe, event: Exclude<RecipeEvent, { type: 'RecipeCreated' }>, revision: number): Recipe {
  switch (event.type) {
    case 'RecipeDetailsChanged': {
      const changes = event.data.changes as RecipeDetails;
      return { ...recipe, ...changes, revision };
    }
    case 'RecipeDraftSaved': {
      const { draft: number, base, sha256 } = event.data;
      return { ...recipe, drafts: [...recipe.drafts, { number, base, sha256, revision }], lastDraft: number, revision };
    }
    case 'RecipeDraftDiscarded': {
      const { draft } = event.data;
      return { ...recipe, drafts: recipe.drafts.filter(({ number }) => number !== draft), revision };
    }
    case 'RecipeVersionActivated': {
      const { version, formula: made, sha256, draft } = event.data;
      const drafts = recipe.drafts.filter(({ number }) => number !== draft);
      return { ...recipe, version, formula: made, sha256, drafts, activatedDraft: draft, revision };
    }
  }
}

export function evolve(recipes: Recipes, event: RecipeEvent, { revision }: Moment): Recipes {
  if (event.type === 'RecipeCreated') {
    const { recipeId, version, formula: made, sha256, details: given } = event.data;
    const fresh = { activatedDraft: null, drafts: [], lastDraft: 0, revision };
    return withRecipe(recipes, { ...given, recipeId, version, formula: made, sha256, ...fresh });
  }
  const recipe = recipes.byId.get(event.data.recipeId);
  return recipe ? withRecipe(recipes, changed(recipe, event, revision)) : recipes;
}
