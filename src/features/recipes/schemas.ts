import { z } from 'zod';
import { Decimal } from '../../kernel/values/decimal.js';
import { decimal, freeText, id, name, pathId, textOrNull } from '../../kernel/values/fields.js';
import { COST_KINDS, FORMULA_MODES, PERCENT_BASES } from './events.js';

/** Requests and answers of recipes. */

const NAME_LENGTH = 200;
const NOTES_LENGTH = 2_000;
const REASON_LENGTH = 500;
const WORD_LENGTH = 120;
const MOST_QUANTITY = 999_999_999;
const MOST_MONEY = 999_999_999.99;
const MAX_ITEMS = 200;
const MAX_STAGES = 100;
const MAX_BYPRODUCTS = 50;

const quantity = decimal({ decimals: 6, above: 0, maximum: MOST_QUANTITY });
const density = decimal({ decimals: 6, above: 0, maximum: 100 }).nullable();
const loss = decimal({ decimals: 4, minimum: 0, maximum: 99.99 });
const notes = freeText(NOTES_LENGTH).nullable();
const unitCost = decimal({ decimals: 10, minimum: 0, maximum: MOST_MONEY }).nullable();

const item = z
  .strictObject({
    componentVariantId: id,
    quantity: quantity.nullable().optional(),
    percent: decimal({ decimals: 4, above: 0, maximum: 100 }).nullable().optional(),
    densityKgPerL: density.optional(),
    lossPercent: loss.optional(),
    costKind: z.enum(COST_KINDS).optional(),
  })
  .transform((given) => ({
    componentVariantId: given.componentVariantId,
    quantity: given.quantity ?? null,
    percent: given.percent ?? null,
    densityKgPerL: given.densityKgPerL ?? null,
    lossPercent: given.lossPercent ?? Decimal.zero,
    costKind: given.costKind ?? 'MATERIAL',
  }));

const stageName = name(WORD_LENGTH);
/** A name alone is a stage that is not required. */
const stage = z
  .union([
    stageName,
    z.strictObject({
      name: stageName,
      required: z.boolean().optional(),
      workCenter: freeText(WORD_LENGTH).nullable().optional(),
      standardMinutes: decimal({ decimals: 6, minimum: 0, maximum: 1_000_000 }).nullable().optional(),
      laborRatePerHour: decimal({ decimals: 2, minimum: 0, maximum: MOST_MONEY }).nullable().optional(),
    }),
  ])
  .transform((given) => {
    const one = typeof given === 'string' ? { name: given } : given;
    return {
      name: one.name,
      required: one.required ?? false,
      workCenter: textOrNull(one.workCenter),
      standardMinutes: one.standardMinutes ?? null,
      laborRatePerHour: one.laborRatePerHour,
    };
  });

const byproduct = z.strictObject({
  variantId: id,
  quantityPerBatch: quantity,
  costSharePercent: decimal({ decimals: 4, minimum: 0, maximum: 100 }),
});

const formulaFields = {
  finishedVariantId: id,
  yieldQty: quantity,
  densityKgPerL: density,
  expectedLossPercent: loss,
  formulaMode: z.enum(FORMULA_MODES),
  percentBasis: z.enum(PERCENT_BASES),
  stages: z.array(stage).max(MAX_STAGES),
  byproducts: z.array(byproduct).max(MAX_BYPRODUCTS),
  items: z.array(item).min(1).max(MAX_ITEMS),
};

const ofCreation = {
  ...formulaFields,
  densityKgPerL: density.optional(),
  expectedLossPercent: loss.optional(),
  formulaMode: formulaFields.formulaMode.optional(),
  percentBasis: formulaFields.percentBasis.optional(),
  stages: formulaFields.stages.optional(),
  byproducts: formulaFields.byproducts.optional(),
};

export const newRecipe = z
  .strictObject({
    name: name(NAME_LENGTH),
    notes: notes.optional(),
    standardUnitCost: unitCost.optional(),
    ...ofCreation,
    yieldQty: quantity.optional(),
  })
  .meta({ id: 'RecipeBody' });

export const changeReason = freeText(REASON_LENGTH).nullable().optional();

export const recipeChange = z
  .strictObject({
    name: name(NAME_LENGTH).optional(),
    notes: notes.optional(),
    active: z.boolean().optional(),
    standardUnitCost: unitCost.optional(),
    ...z.object(formulaFields).partial().shape,
    changeReason,
    saveAsDraft: z.boolean().optional(),
  })
  .meta({ id: 'RecipeChange' });

export type NewRecipe = z.output<typeof newRecipe>;
export type RecipeChange = z.output<typeof recipeChange>;

export const recipeParams = z.strictObject({ id: pathId });
export const versionParams = z.strictObject({
  id: pathId,
  version: z.string().meta({ description: 'A number, or a draft such as `draft-1`' }),
});
