import type { IfMatch } from '../../kernel/events/if-match.js';
import { matches } from '../../kernel/events/if-match.js';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import type { Decimal } from '../../kernel/values/decimal.js';
import { difference } from '../../kernel/values/difference.js';
import { fingerprintOf } from '../../kernel/values/fingerprint.js';
import { NOT_FOUND, Rejection, STALE } from '../../kernel/events/rejection.js';
import { formulaChanges } from './domain/changes.js';
import { needsItself } from './domain/cycles.js';
import type { Facts } from './domain/facts.js';
import { expectUsable, unknownPlaces } from './domain/facts.js';
import type { GivenFormula } from './domain/formula.js';
import { changedFormula, expectWellFormed } from './domain/formula.js';
import { withQuantities } from './domain/quantities.js';
import type { Draft, Recipe, Recipes } from './domain/state.js';
import { NO_RECIPES, componentsOf, evolve } from './domain/state.js';
import { recipeSnapshot } from './domain/snapshot.js';
import type { VersionName } from './domain/version-name.js';
import type { Formula, RecipeDetails, RecipeEvent } from './events.js';
import { recipeEvents } from './events.js';
import {
  CHANGE_REASON_REQUIRED,
  DRAFT_CORRUPTED,
  DRAFT_LIMIT,
  RECIPE_CHANGED,
  RECIPE_CYCLE,
  VERSION_NOT_DRAFT,
} from './rejections.js';

export const MAX_DRAFTS = 200;

interface ToRecipe {
  readonly recipeId: string;
  readonly ifMatch: IfMatch;
}

interface WithReason {
  /** Null when none was given. */
  readonly changeReason: string | null;
  /** The store's segment asks for one. */
  readonly reasonNeeded: boolean;
  readonly facts: Facts;
}

export type RecipeCommand =
  | {
      readonly type: 'create';
      readonly recipeId: string;
      readonly details: RecipeDetails;
      readonly formula: GivenFormula;
      readonly facts: Facts;
    }
  | (ToRecipe &
      WithReason & {
        readonly type: 'change';
        readonly details: Partial<RecipeDetails>;
        readonly formula: Partial<GivenFormula>;
        readonly asDraft: boolean;
      })
  | (ToRecipe &
      WithReason & {
        readonly type: 'activate';
        readonly version: VersionName;
        /** The draft as its event holds it. */
        readonly saved: { readonly formula: Formula; readonly changeReason: string | null } | undefined;
      })
  | (ToRecipe & { readonly type: 'discard'; readonly version: VersionName })
  /** `version` is the one that the cost was computed of. */
  | {
      readonly type: 'setStandardCost';
      readonly recipeId: string;
      readonly version: number;
      readonly standardUnitCost: Decimal;
    };

type Command<T extends RecipeCommand['type']> = Extract<RecipeCommand, { readonly type: T }>;

function expectRecipe({ byId }: Recipes, recipeId: string, ifMatch?: IfMatch): Recipe {
  const recipe = byId.get(recipeId);
  if (!recipe) throw new Rejection(NOT_FOUND);
  if (!matches(ifMatch, recipe.revision)) throw new Rejection(STALE);
  return recipe;
}

function expectDraft(recipe: Recipe, name: VersionName): Draft {
  if ('version' in name) throw new Rejection(name.version <= recipe.version ? VERSION_NOT_DRAFT : NOT_FOUND);
  const draft = recipe.drafts.find(({ number }) => number === name.draft);
  if (draft) return draft;
  throw new Rejection(name.draft === recipe.activatedDraft ? VERSION_NOT_DRAFT : NOT_FOUND);
}

function expectNoCycle(recipes: Recipes, recipeId: string, { finishedVariantId, items }: Formula): void {
  const components = items.map(({ componentVariantId }) => componentVariantId);
  const others = (variantId: string) => componentsOf(recipes, variantId, recipeId);
  if (needsItself(finishedVariantId, components, others)) throw new Rejection(RECIPE_CYCLE);
}

function expectReason(needed: boolean, reason: string | null): void {
  if (!needed || reason !== null) return;
  throw new Rejection(CHANGE_REASON_REQUIRED, undefined, { errors: [{ path: 'changeReason', message: 'is needed' }] });
}

function create(recipes: Recipes, { recipeId, details: given, formula: wanted, facts }: Command<'create'>) {
  expectWellFormed(wanted);
  const made = withQuantities(wanted, facts);
  expectUsable(made, facts);
  expectNoCycle(recipes, recipeId, made);
  const data = { recipeId, version: 1 as const, details: given, formula: made, sha256: fingerprintOf(made) };
  return [{ type: 'RecipeCreated' as const, data }];
}

/** The members that differ, and what they were. */
function changedDetails(recipe: Recipe, wanted: Partial<RecipeDetails>): RecipeEvent[] {
  const differs = difference<RecipeDetails>(recipe, wanted);
  return differs ? [{ type: 'RecipeDetailsChanged', data: { recipeId: recipe.recipeId, ...differs } }] : [];
}

function changedVersion(recipes: Recipes, recipe: Recipe, command: Command<'change'>): RecipeEvent[] {
  const { facts, asDraft, changeReason, reasonNeeded } = command;
  if (Object.keys(command.formula).length === 0 && !asDraft) return [];
  const wanted = changedFormula(recipe.formula, command.formula);
  expectWellFormed(wanted);
  const made = withQuantities(wanted, facts);
  const sha256 = fingerprintOf(made);
  const isChanged = sha256 !== recipe.sha256;
  if (!isChanged && !asDraft) return [];
  expectUsable(made, facts);
  expectReason(reasonNeeded && isChanged, changeReason);
  expectNoCycle(recipes, recipe.recipeId, made);
  const { recipeId, version } = recipe;
  const sealed = { recipeId, formula: made, sha256, changeReason, changes: [...formulaChanges(recipe.formula, made)] };
  if (!asDraft) {
    return [
      { type: 'RecipeVersionActivated', data: { ...sealed, version: version + 1, replaces: version, draft: null } },
    ];
  }
  if (recipe.drafts.length >= MAX_DRAFTS) throw new Rejection(DRAFT_LIMIT);
  return [{ type: 'RecipeDraftSaved', data: { ...sealed, draft: recipe.lastDraft + 1, base: version } }];
}

function change(recipes: Recipes, command: Command<'change'>): RecipeEvent[] {
  const recipe = expectRecipe(recipes, command.recipeId, command.ifMatch);
  const version = changedVersion(recipes, recipe, command);
  // A new version was looked at as it was made.
  const stays = !version.some(({ type }) => type === 'RecipeVersionActivated');
  if (command.details.active === true && !recipe.active && stays) {
    expectNoCycle(recipes, recipe.recipeId, recipe.formula);
  }
  return [...changedDetails(recipe, command.details), ...version];
}

/** A draft comes into force as it was saved, also when another version did so since. */
function activate(recipes: Recipes, command: Command<'activate'>): RecipeEvent[] {
  const { recipeId, saved, facts, reasonNeeded } = command;
  const recipe = expectRecipe(recipes, recipeId, command.ifMatch);
  const { number, sha256 } = expectDraft(recipe, command.version);
  if (!saved) throw new Rejection(RECIPE_CHANGED);
  if (fingerprintOf(saved.formula) !== sha256) throw new Rejection(DRAFT_CORRUPTED, 'its formula has been altered');
  const gone = unknownPlaces(saved.formula, facts).map(({ variantId }) => variantId);
  if (gone.length > 0) throw new Rejection(DRAFT_CORRUPTED, 'a component is no longer there', { variantIds: gone });
  const { version } = recipe;
  expectUsable(saved.formula, facts);
  const changeReason = command.changeReason ?? saved.changeReason;
  expectReason(reasonNeeded && sha256 !== recipe.sha256, changeReason);
  expectNoCycle(recipes, recipeId, saved.formula);
  const changes = [...formulaChanges(recipe.formula, saved.formula)];
  const next = { version: version + 1, replaces: version, draft: number };
  return [
    {
      type: 'RecipeVersionActivated',
      data: { recipeId, ...next, formula: saved.formula, sha256, changeReason, changes },
    },
  ];
}

function decide(recipes: Recipes, command: RecipeCommand): RecipeEvent[] {
  switch (command.type) {
    case 'create':
      return create(recipes, command);
    case 'change':
      return change(recipes, command);
    case 'activate':
      return activate(recipes, command);
    case 'discard': {
      const recipe = expectRecipe(recipes, command.recipeId, command.ifMatch);
      const { number } = expectDraft(recipe, command.version);
      return [{ type: 'RecipeDraftDiscarded', data: { recipeId: recipe.recipeId, draft: number } }];
    }
    case 'setStandardCost': {
      const recipe = expectRecipe(recipes, command.recipeId);
      if (command.version !== recipe.version) throw new Rejection(RECIPE_CHANGED);
      return changedDetails(recipe, { standardUnitCost: command.standardUnitCost });
    }
  }
}

const decider: Decider<Recipes, RecipeCommand, RecipeEvent> = { initial: NO_RECIPES, evolve, decide };

export const recipes: StreamType<Recipes, RecipeCommand, RecipeEvent> = {
  category: 'recipes',
  decider,
  events: recipeEvents,
  snapshot: recipeSnapshot,
  weigh: ({ size }) => size,
};
