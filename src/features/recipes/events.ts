import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { storedDecimal } from '../../kernel/values/fields.js';

/** What a product is made of and how: recipes with their versions, and drafts of versions to come. */

export const FORMULA_MODES = ['ABSOLUTE', 'PERCENT'] as const;
export const PERCENT_BASES = ['MASS', 'VOLUME'] as const;
export const COST_KINDS = ['MATERIAL', 'PACKAGING'] as const;

const number = storedDecimal.nullable();

/** `quantity` is for one batch, in the component's own unit, before loss; in a formula of percents it was worked out. */
const item = z.object({
  componentVariantId: z.string(),
  quantity: storedDecimal,
  percent: number,
  densityKgPerL: number,
  lossPercent: storedDecimal,
  costKind: z.enum(COST_KINDS),
});
const stage = z.object({
  name: z.string(),
  required: z.boolean(),
  workCenter: z.string().nullable(),
  standardMinutes: number,
  laborRatePerHour: number,
});
const byproduct = z.object({ variantId: z.string(), quantityPerBatch: storedDecimal, costSharePercent: storedDecimal });

/** What a version is about; `yieldQty` is for one batch in the unit of the finished product. */
export const formula = z.object({
  finishedVariantId: z.string(),
  yieldQty: storedDecimal,
  densityKgPerL: number,
  expectedLossPercent: storedDecimal,
  formulaMode: z.enum(FORMULA_MODES),
  percentBasis: z.enum(PERCENT_BASES),
  stages: z.array(stage),
  byproducts: z.array(byproduct),
  items: z.array(item),
});

/** What a recipe is beside its versions. */
export const details = z.object({
  name: z.string(),
  notes: z.string().nullable(),
  active: z.boolean(),
  standardUnitCost: number,
});

/** One difference between two versions; null stands for what is not there. */
const change = z.object({ path: z.string(), from: z.json(), to: z.json() });

/** `sha256` is over the canonical JSON of the formula as it is stored. */
const sealedFormula = z.object({ formula, sha256: z.string() });

const recipeCreated = defineEvent(
  'RecipeCreated',
  1,
  sealedFormula.extend({ recipeId: z.string(), version: z.literal(1), details }),
);
/** `changes` holds the members that changed, `was` the same members as they were. */
const recipeDetailsChanged = defineEvent(
  'RecipeDetailsChanged',
  1,
  z.object({ recipeId: z.string(), changes: details.partial(), was: details.partial() }),
);
/** `base` is the version in force that the draft was made against. */
const recipeDraftSaved = defineEvent(
  'RecipeDraftSaved',
  1,
  sealedFormula.extend({
    recipeId: z.string(),
    draft: z.int(),
    base: z.int(),
    changeReason: z.string().nullable(),
    changes: z.array(change),
  }),
);
const recipeDraftDiscarded = defineEvent('RecipeDraftDiscarded', 1, z.object({ recipeId: z.string(), draft: z.int() }));
/** From here on a new version is in force, and the one before it is obsolete; `draft` is null for a change without one. */
const recipeVersionActivated = defineEvent(
  'RecipeVersionActivated',
  1,
  sealedFormula.extend({
    recipeId: z.string(),
    version: z.int(),
    replaces: z.int(),
    draft: z.int().nullable(),
    changeReason: z.string().nullable(),
    changes: z.array(change),
  }),
);

const definitions = [
  recipeCreated,
  recipeDetailsChanged,
  recipeDraftSaved,
  recipeDraftDiscarded,
  recipeVersionActivated,
] as const;

export const recipeEvents = eventCodec(...definitions);
export type RecipeEvent = EventOf<(typeof definitions)[number]>;
export type Formula = z.output<typeof formula>;
export type FormulaItem = Formula['items'][number];
export type FormulaStage = Formula['stages'][number];
export type RecipeDetails = z.output<typeof details>;
export type FormulaChange = z.output<typeof change>;

/** How a draft is called beside versions, which have numbers. */
export const draftName = (draft: number): string => `draft-${String(draft)}`;
