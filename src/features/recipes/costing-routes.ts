import { z } from 'zod';
import { recipeVersions, versionIdOf } from '../../../projections/recipes/recipe-versions.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { id, queryDecimal, queryInteger } from '../../kernel/values/fields.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { found, revisionOf } from '../../kernel/routes/stored-records.js';
import type { Catalogue, VariantFacts } from '../contracts/catalogue.js';
import type { StockKeeper } from '../contracts/stock-keeper.js';
import { recipes } from './decider.js';
import type { Preview } from './domain/preview.js';
import { needsOf, previewOf } from './domain/preview.js';
import type { Recipe } from './domain/state.js';
import type { Formula, RecipeEvent } from './events.js';
import { COST_KINDS } from './events.js';
import { expectRecipe } from './recipe-writer.js';
import { RECIPE_CHANGED } from './rejections.js';
import { recipeParams } from './schemas.js';

const PATH = '/bakery-production/recipes/{id}';
const MOST_BATCHES = 1_000_000;
const MOST_VERSIONS = 999_999_999;

const cost = z.number().optional().meta({ description: 'Only with the permission production.costs' });

const previewAnswer = z.object({
  recipeId: z.uuid(),
  batches: z.number(),
  items: z.array(
    z.object({
      componentVariantId: z.uuid(),
      description: z.string().nullable(),
      unit: z.string().nullable(),
      costKind: z.enum(COST_KINDS),
      required: z.number().meta({ description: 'With the loss of the input' }),
      available: z.number().meta({ description: 'In lots that may be taken' }),
      missing: z.number(),
      unitCost: cost,
      cost,
    }),
  ),
  byproducts: z.array(
    z.object({
      variantId: z.uuid(),
      description: z.string().nullable(),
      unit: z.string().nullable(),
      quantity: z.number(),
      costSharePercent: z.number(),
      cost,
    }),
  ),
  laborCost: cost,
  estimatedCost: cost,
  estimatedUnitCost: cost,
  expectedOutput: z.number(),
  maxBatches: z.int(),
  limitingVariantId: z.uuid().nullable(),
});

const costsOf = ({ costs }: Preview) => ({
  laborCost: costs.labor.toNumber(),
  estimatedCost: costs.total.toNumber(),
  estimatedUnitCost: costs.perUnit.toNumber(),
});

function answerOf(
  { recipeId }: Recipe,
  batches: Decimal,
  preview: Preview,
  facts: ReadonlyMap<string, VariantFacts>,
  seesCosts: boolean,
): z.output<typeof previewAnswer> {
  const items = preview.items.map(({ item, required, available, missing, ...costs }) => {
    const component = facts.get(item.componentVariantId);
    return {
      componentVariantId: item.componentVariantId,
      description: component?.description ?? null,
      unit: component?.saleUnit ?? null,
      costKind: item.costKind,
      required: required.toNumber(),
      available: available.toNumber(),
      missing: missing.toNumber(),
      ...(seesCosts ? { unitCost: costs.unitCost.toNumber(), cost: costs.cost.toNumber() } : {}),
    };
  });
  return {
    recipeId,
    batches: batches.toNumber(),
    items,
    byproducts: preview.byproducts.map(({ variantId, ...byproduct }) => ({
      variantId,
      description: facts.get(variantId)?.description ?? null,
      unit: facts.get(variantId)?.saleUnit ?? null,
      quantity: byproduct.quantity.toNumber(),
      costSharePercent: byproduct.costSharePercent.toNumber(),
      ...(seesCosts ? { cost: byproduct.cost.toNumber() } : {}),
    })),
    ...(seesCosts ? costsOf(preview) : {}),
    expectedOutput: preview.expectedOutput.toNumber(),
    maxBatches: preview.maxBatches.toNumber(),
    limitingVariantId: preview.limitingVariantId,
  };
}

/** The formula of a version; of one that is no longer in force, where it came into force the stream still has it. */
async function formulaOf(context: RequestContext, recipe: Recipe, version = recipe.version): Promise<Formula> {
  if (version === recipe.version) return recipe.formula;
  const stored = found(await context.reads.get(recipeVersions, versionIdOf(recipe.recipeId, version)));
  const [event] = await context.eventsAt(recipes, [revisionOf(stored)]);
  if (event?.type === 'RecipeCreated' || event?.type === 'RecipeVersionActivated') return event.data.formula;
  throw new Rejection(NOT_FOUND);
}

const storedCost = (event: RecipeEvent): Decimal | null | undefined =>
  event.type === 'RecipeDetailsChanged' ? event.data.changes.standardUnitCost : undefined;

interface CostingServices {
  readonly catalogue: Catalogue;
  readonly stock: StockKeeper;
}

export function costingRoutes({ catalogue, stock }: CostingServices): readonly Route[] {
  const estimated = async (context: RequestContext, formula: Formula, batches: Decimal, locationId?: string) => {
    const components = formula.items.map(({ componentVariantId }) => componentVariantId);
    const made = formula.byproducts.map(({ variantId }) => variantId);
    const facts = await catalogue.variants(context, [...components, ...made]);
    const estimates = await stock.estimate(context, needsOf(formula, batches, facts), locationId);
    return { preview: previewOf(formula, batches, estimates), facts };
  };

  return [
    route({
      tag: 'Recipes',
      method: 'get',
      path: `${PATH}/preview`,
      operationId: 'previewRecipe',
      summary: 'Says what batches would need, what of it is there, what they would cost and how many could be made',
      description:
        'Costs are those of the lots that would be taken, first in, first out (or by expiry where the input says so), and the average beyond them. Nothing is written.',
      permission: 'production.view',
      request: {
        params: recipeParams,
        query: z.strictObject({
          batches: queryDecimal({ decimals: 6, above: 0, maximum: MOST_BATCHES })
            .optional()
            .meta({ description: 'Default 1' }),
          locationId: id.optional().meta({ description: 'Default: the one that production uses' }),
          version: queryInteger(1, MOST_VERSIONS)
            .optional()
            .meta({ description: 'Default: the one in force. An open order is made by its `recipeVersion`' }),
        }),
      },
      response: { status: 200, schema: previewAnswer },
      async handle({ params, query: { batches = Decimal.one, locationId, version } }, context) {
        const recipe = await expectRecipe(context, params.id);
        const formula = await formulaOf(context, recipe, version);
        const { preview, facts } = await estimated(context, formula, batches, locationId);
        return { body: answerOf(recipe, batches, preview, facts, context.may('production.costs')) };
      },
    }),
    route({
      tag: 'Recipes',
      method: 'post',
      path: `${PATH}/standard-cost`,
      operationId: 'computeStandardCost',
      summary: 'Computes the standard cost from what one batch would cost now, and stores it',
      permission: 'production.costs',
      request: { params: recipeParams },
      response: { status: 200, schema: z.object({ recipeId: z.uuid(), standardUnitCost: z.number() }), etag: true },
      rejections: [RECIPE_CHANGED],
      async handle({ params }, context) {
        const recipe = await expectRecipe(context, params.id);
        const { recipeId, version, formula } = recipe;
        const { perUnit: standardUnitCost } = (await estimated(context, formula, Decimal.one)).preview.costs;
        const command = { type: 'setStandardCost', recipeId, version, standardUnitCost } as const;
        const { events } = await context.execute(recipes, command);
        const { revision } = await expectRecipe(context, recipeId);
        // A repeat finds what the first run has stored: by now one batch may cost something else.
        const stored = events.map(storedCost).find((one) => one) ?? standardUnitCost;
        return { body: { recipeId, standardUnitCost: stored.toNumber() }, etag: revision };
      },
    }),
  ];
}
