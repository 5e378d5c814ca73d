import { Map as ImmutableMap } from 'immutable';
import type { Moment } from '../../../kernel/events/decider.js';
import type { Formula, RecipeDetails, RecipeEvent } from '../events.js';

export interface Draft {
  readonly number: number;
  /** The version that was in force when it was saved. */
  readonly base: number;
  readonly sha256: string;
  /** The revision of the event that holds its formula. */
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
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The revision of its own last change. */
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

/** What a variant is made of by the recipes that are active; `without` is left out. */
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

type LaterEvent = Exclude<RecipeEvent, { readonly type: 'RecipeCreated' }>;

function changesBy(event: LaterEvent, { drafts }: Recipe, revision: number): Partial<Recipe> {
  switch (event.type) {
    case 'RecipeDetailsChanged':
      return event.data.changes as Partial<RecipeDetails>;
    case 'RecipeDraftSaved': {
      const { draft: number, base, sha256 } = event.data;
      return { drafts: [...drafts, { number, base, sha256, revision }], lastDraft: number };
    }
    case 'RecipeDraftDiscarded':
      return { drafts: drafts.filter(({ number }) => number !== event.data.draft) };
    case 'RecipeVersionActivated': {
      const { version, formula, sha256, draft } = event.data;
      const left = drafts.filter(({ number }) => number !== draft);
      return { version, formula, sha256, drafts: left, activatedDraft: draft };
    }
  }
}

export function evolve(recipes: Recipes, event: RecipeEvent, { revision, at }: Moment): Recipes {
  if (event.type === 'RecipeCreated') {
    const { recipeId, version, formula, sha256, details } = event.data;
    const fresh = { activatedDraft: null, drafts: [], lastDraft: 0, createdAt: at, updatedAt: at, revision };
    return withRecipe(recipes, { ...details, recipeId, version, formula, sha256, ...fresh });
  }
  const recipe = recipes.byId.get(event.data.recipeId);
  if (!recipe) return recipes;
  return withRecipe(recipes, { ...recipe, ...changesBy(event, recipe, revision), updatedAt: at, revision });
}
