import type { StoreDirectory } from '../contracts/feature.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Catalogue } from '../contracts/catalogue.js';
import type { RecipeCommand } from './decider.js';
import { recipes } from './decider.js';
import type { Facts } from './domain/facts.js';
import { placesOf } from './domain/facts.js';
import type { GivenFormula } from './domain/formula.js';
import { changedFormula } from './domain/formula.js';
import type { Recipe } from './domain/state.js';
import type { VersionName } from './domain/version-name.js';
import type { RecipeDetails } from './events.js';
import { RECIPE_CHANGED } from './rejections.js';

const TRIES = 5;

interface WriterServices {
  readonly catalogue: Catalogue;
  readonly stores: StoreDirectory;
}

export interface WantedChange {
  readonly details: Partial<RecipeDetails>;
  readonly formula: Partial<GivenFormula>;
  readonly changeReason: string | null;
  readonly asDraft: boolean;
}

const recipeOf = async (context: RequestContext, recipeId: string): Promise<Recipe | undefined> =>
  (await context.current(recipes)).byId.get(recipeId);

/** The recipe at the head of its stream. */
export async function expectRecipe(context: RequestContext, recipeId: string): Promise<Recipe> {
  const recipe = await recipeOf(context, recipeId);
  if (!recipe) throw new Rejection(NOT_FOUND);
  return recipe;
}

/** Sends what changes recipes, with what the catalogue knows of the variants in it. */
export class RecipeWriter {
  constructor(private readonly services: WriterServices) {}

  /** Gives the id of the new recipe. */
  async create(context: RequestContext, details: RecipeDetails, formula: GivenFormula): Promise<string> {
    const recipeId = context.newId();
    const facts = await this.factsOf(context, formula);
    await context.execute(recipes, { type: 'create', recipeId, details, formula, facts });
    return recipeId;
  }

  async change(context: RequestContext, recipeId: string, wanted: WantedChange): Promise<void> {
    const touchesFormula = wanted.asDraft || Object.keys(wanted.formula).length > 0;
    await this.repeatedly(context, async () => {
      const recipe = touchesFormula ? await recipeOf(context, recipeId) : undefined;
      const formula = recipe && changedFormula(recipe.formula, wanted.formula);
      return { type: 'change', recipeId, ...wanted, ...(await this.forDecision(context, formula)) };
    });
  }

  async activate(context: RequestContext, recipeId: string, version: VersionName, changeReason: string | null) {
    await this.repeatedly(context, async () => {
      const saved = await this.savedDraft(context, recipeId, version);
      const forDecision = await this.forDecision(context, saved?.formula);
      return { type: 'activate', recipeId, version, saved, changeReason, ...forDecision };
    });
  }

  /** Decides again when the recipe changed between the look at it and the decision. */
  private async repeatedly(context: RequestContext, prepare: () => Promise<RecipeCommand>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await context.execute(recipes, await prepare(), { name: 'recipe' });
        return;
      } catch (error) {
        if (!(error instanceof Rejection && error.kind === RECIPE_CHANGED) || tries === TRIES) throw error;
      }
    }
  }

  private async forDecision(context: RequestContext, formula: GivenFormula | undefined) {
    const store = await this.services.stores.byId(context.storeId);
    return {
      ifMatch: context.ifMatch,
      reasonNeeded: store?.segment === 'INDUSTRIAL',
      facts: formula ? await this.factsOf(context, formula) : new Map<string, never>(),
    };
  }

  private async factsOf(context: RequestContext, formula: GivenFormula): Promise<Facts> {
    const ids = [...new Set(placesOf(formula).map(({ variantId }) => variantId))];
    const found = await this.services.catalogue.variants(context, ids);
    return new Map(ids.map((id) => [id, found.get(id) ?? 'unknown']));
  }

  private async savedDraft(context: RequestContext, recipeId: string, version: VersionName) {
    const recipe = await recipeOf(context, recipeId);
    const draft = recipe?.drafts.find(({ number }) => 'draft' in version && number === version.draft);
    const [event] = draft ? await context.eventsAt(recipes, [draft.revision]) : [];
    return event?.type === 'RecipeDraftSaved' ? event.data : undefined;
  }
}
