import type { Formula, RecipeDetails, RecipeEvent } from '../../src/features/recipes/events.js';
import { draftName, recipeEvents } from '../../src/features/recipes/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandlers } from '../../src/kernel/projections/projector.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { foldText } from '../../src/kernel/values/words.js';
import { formulaAnswer } from './parts/recipe-answers.js';

type Of<T extends RecipeEvent['type']> = Recorded<Extract<RecipeEvent, { readonly type: T }>>;

const detailsAnswer = ({ standardUnitCost, ...rest }: Partial<RecipeDetails>) => ({
  ...rest,
  ...(standardUnitCost === undefined ? {} : { standardUnitCost: standardUnitCost?.toNumber() ?? null }),
});

interface Described extends RecipeDetails {
  readonly recipeId: string;
  readonly version: number;
  readonly formula: Formula;
  readonly drafts: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: number;
}

/** A recipe with its version in force; commands are answered with it as well. */
export const recipeDocument = ({ recipeId, version, formula, drafts, createdAt, updatedAt, ...rest }: Described) => ({
  id: recipeId,
  name: rest.name,
  notes: rest.notes,
  active: rest.active,
  currentVersion: version,
  standardUnitCost: rest.standardUnitCost?.toNumber() ?? null,
  ...formulaAnswer(formula),
  drafts,
  createdAt,
  updatedAt,
  /** Becomes the entity tag. */
  revision: rest.revision,
});

const createdRecipe = ({
  data: { recipeId, version, formula, details },
  meta: { at },
  revision,
}: Of<'RecipeCreated'>) =>
  recipeDocument({ ...details, recipeId, version, formula, drafts: [], createdAt: at, updatedAt: at, revision });

type RecipeDocument = ReturnType<typeof recipeDocument>;

export const recipes = recordCollection<RecipeDocument>({
  name: 'recipes',
  version: 1,
  hidden: ['revision'],
  columns: {},
  indexes: [],
});

/** A recipe in a list. */
const createdSummary = ({ data, meta, revision }: Of<'RecipeCreated'>) => ({
  id: data.recipeId,
  name: data.details.name,
  active: data.details.active,
  currentVersion: data.version as number,
  standardUnitCost: data.details.standardUnitCost?.toNumber() ?? null,
  ...formulaSummary(data.formula),
  drafts: [] as readonly string[],
  createdAt: meta.at,
  updatedAt: meta.at,
  revision,
});

const formulaSummary = ({ finishedVariantId, yieldQty, formulaMode, expectedLossPercent, items }: Formula) => ({
  finishedVariantId,
  yieldQty: yieldQty.toNumber(),
  expectedLossPercent: expectedLossPercent.toNumber(),
  formulaMode,
  itemCount: items.length,
});

export type RecipeSummary = ReturnType<typeof createdSummary>;

const summaryDetails = ({ notes: _, ...rest }: Partial<RecipeDetails>) => detailsAnswer(rest);

export const recipeSummaries = recordCollection<RecipeSummary>({
  name: 'recipe-summaries',
  version: 1,
  hidden: ['revision'],
  columns: {
    name: { type: 'text', of: ({ name }) => foldText(name) },
    active: { type: 'integer', of: ({ active }) => Number(active) },
  },
  indexes: [['name'], ['active', 'name']],
});

interface Evolving {
  readonly drafts: readonly string[];
  readonly currentVersion: number;
  readonly updatedAt: string;
  readonly revision: number;
}

const without = (drafts: readonly string[], draft: number | null): readonly string[] =>
  drafts.filter((name) => draft === null || name !== draftName(draft));

/** What has changed of a recipe in a list, and of one with everything, differs in its details and its formula alone. */
function handlers<D extends Evolving>(
  created: (event: Of<'RecipeCreated'>) => D,
  changedDetails: (changes: Partial<RecipeDetails>) => Partial<D>,
  changedFormula: (formula: Formula) => Partial<D>,
): RecordHandlers<D, RecipeEvent> {
  const ids = ({ data }: Recorded<RecipeEvent>) => [data.recipeId];
  const marked = (document: D, changes: Partial<Evolving> | Partial<D>, event: Recorded<RecipeEvent>): D => ({
    ...document,
    ...changes,
    updatedAt: event.meta.at,
    revision: event.revision,
  });
  return {
    RecipeCreated: { ids, evolve: (_, event) => created(event) },
    RecipeDetailsChanged: {
      ids,
      evolve: (document, event) =>
        document && marked(document, changedDetails(event.data.changes as Partial<RecipeDetails>), event),
    },
    RecipeDraftSaved: {
      ids,
      evolve(document, event) {
        const { draft } = event.data;
        return document && marked(document, { drafts: [...without(document.drafts, draft), draftName(draft)] }, event);
      },
    },
    RecipeDraftDiscarded: {
      ids,
      evolve: (document, event) =>
        document && marked(document, { drafts: without(document.drafts, event.data.draft) }, event),
    },
    RecipeVersionActivated: {
      ids,
      evolve(document, event) {
        if (!document) return undefined;
        const { formula, version, draft } = event.data;
        const evolving = { currentVersion: version, drafts: without(document.drafts, draft) };
        return marked(document, { ...changedFormula(formula), ...evolving }, event);
      },
    },
  };
}

export const recipesProjector = recordProjector(
  recipes,
  [recipeEvents],
  handlers<RecipeDocument>(createdRecipe, detailsAnswer, formulaAnswer),
);

export const recipeSummariesProjector = recordProjector(
  recipeSummaries,
  [recipeEvents],
  handlers<RecipeSummary>(createdSummary, summaryDetails, formulaSummary),
);
