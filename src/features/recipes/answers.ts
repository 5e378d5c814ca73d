import { z } from 'zod';
import { actor } from '../contracts/actor.js';
import type { RecipeSummary } from '../../../projections/recipes/recipes.js';
import { RawJson } from '../../kernel/routes/route.js';
import { COST_KINDS, FORMULA_MODES, PERCENT_BASES } from './events.js';

/** Answers about recipes. Costs are left out for those who may not see them. */

const COSTS_NOTE = 'Only with the permission production.costs';
const cost = z.number().nullable().optional().meta({ description: COSTS_NOTE });

const formulaMembers = {
  finishedVariantId: z.uuid(),
  yieldQty: z.number().meta({ description: 'Of one batch, in the unit of the finished product' }),
  densityKgPerL: z.number().nullable(),
  expectedLossPercent: z.number(),
  formulaMode: z.enum(FORMULA_MODES),
  percentBasis: z.enum(PERCENT_BASES),
  stages: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      workCenter: z.string().nullable(),
      standardMinutes: z.number().nullable(),
      laborRatePerHour: cost,
    }),
  ),
  byproducts: z.array(z.object({ variantId: z.uuid(), quantityPerBatch: z.number(), costSharePercent: z.number() })),
  items: z.array(
    z.object({
      componentVariantId: z.uuid(),
      quantity: z.number().meta({
        description: 'For one batch in the unit of the component, before loss; worked out in a formula of percents',
      }),
      percent: z.number().nullable(),
      densityKgPerL: z.number().nullable(),
      lossPercent: z.number(),
      costKind: z.enum(COST_KINDS),
    }),
  ),
};

const drafts = z.array(z.string()).meta({ description: 'Drafts by name, the newest last' });
const times = { createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() };

export const recipeAnswer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    notes: z.string().nullable(),
    active: z.boolean(),
    currentVersion: z.int(),
    standardUnitCost: cost,
    ...formulaMembers,
    drafts,
    ...times,
  })
  .meta({ id: 'Recipe' });

export const recipeSummaryAnswer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    active: z.boolean(),
    currentVersion: z.int(),
    finishedVariantId: z.uuid(),
    yieldQty: z.number(),
    expectedLossPercent: z.number(),
    formulaMode: z.enum(FORMULA_MODES),
    itemCount: z.int(),
    drafts,
    ...times,
    standardUnitCost: cost,
  })
  .meta({ id: 'RecipeSummary' });

const versionAnswer = z
  .object({
    version: z.union([z.int(), z.string()]).meta({ description: 'A number, or a draft such as `draft-1`' }),
    status: z.enum(['ACTIVE', 'OBSOLETE', 'DRAFT']),
    snapshot: z.object(formulaMembers),
    sha256: z
      .string()
      .optional()
      .meta({ description: `Over the canonical JSON of the formula as it is stored. ${COSTS_NOTE}` }),
    changeReason: z.string().nullable(),
    basedOn: z.int().nullable().meta({ description: 'The version that was in force before it' }),
    baseVersion: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Drafts alone: the version in force when it was saved' }),
    outdated: z
      .boolean()
      .optional()
      .meta({ description: 'Drafts alone: whether another version came into force since it was saved' }),
    activatedDraft: z.string().nullable().meta({ description: 'The draft that it was' }),
    createdAt: z.iso.datetime(),
    createdBy: actor,
    obsoleteAt: z.iso.datetime().nullable(),
    changes: z
      .array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() }))
      .meta({ description: 'Against the version that it is based on; null stands for what is not there' }),
  })
  .meta({ id: 'RecipeVersion' });

export const versionsAnswer = z
  .object({
    currentVersion: z.int(),
    versions: z.array(versionAnswer),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'RecipeVersionPage' });

/** What is left out for who may not see costs. By the hash of a formula its rates could be guessed. */
const COSTS: ReadonlySet<string> = new Set(['standardUnitCost', 'laborRatePerHour', 'sha256']);

interface WithChanges {
  readonly changes?: readonly { readonly path: string }[];
}

const isOfCosts = ({ path }: { readonly path: string }): boolean => COSTS.has(path.slice(path.lastIndexOf('.') + 1));

/** The JSON of an answer, as the asker may see it. */
export function visibleJson(json: string, seesCosts: boolean): string {
  if (seesCosts) return json;
  const shown = JSON.parse(json, (member, value: unknown) => (COSTS.has(member) ? undefined : value)) as WithChanges;
  const { changes } = shown;
  return JSON.stringify(changes ? { ...shown, changes: changes.filter((change) => !isOfCosts(change)) } : shown);
}

export const visibleAnswer = (json: string, seesCosts: boolean): RawJson => new RawJson(visibleJson(json, seesCosts));

/** A row of the list, whose only cost is its own member. */
export function summaryWithoutCost(json: string): string {
  const { standardUnitCost: _, ...shown } = JSON.parse(json) as RecipeSummary;
  return JSON.stringify(shown);
}
