import { z } from 'zod';
import type { SnapshotCodec } from '../../../kernel/events/decider.js';
import { folding } from '../../../kernel/events/decider.js';
import { details, formula } from '../events.js';
import type { Recipe, Recipes } from './state.js';
import { NO_RECIPES, withRecipe } from './state.js';

const savedRecipe = details.extend({
  recipeId: z.string(),
  version: z.int(),
  formula,
  sha256: z.string(),
  activatedDraft: z.int().nullable(),
  drafts: z.array(z.object({ number: z.int(), base: z.int(), sha256: z.string(), revision: z.int() })),
  lastDraft: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  revision: z.int(),
});

/** A line a recipe. */
export const recipeSnapshot: SnapshotCodec<Recipes> = {
  version: 1,
  save: ({ byId }) => byId.values(),
  load: folding(NO_RECIPES, (all, part) => withRecipe(all, savedRecipe.parse(part) satisfies Recipe)),
};
