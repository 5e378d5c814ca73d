import { z } from 'zod';
import type { UsageDocument } from '../../../projections/usage.js';
import { usage } from '../../../projections/usage.js';
import { dayOf } from '../../kernel/days.js';
import { Decimal } from '../../kernel/decimal.js';
import type { FeatureServices } from '../../kernel/feature.js';
import { queryInteger } from '../../kernel/fields.js';
import type { RequestContext, Route } from '../../kernel/route.js';
import { route } from '../../kernel/route.js';
import type { RecipeCopy } from '../../ports/recipe-book.js';
import { suggest } from './domain/suggestion.js';
import { usedSince } from './domain/use.js';

const COVERAGE_DAYS = 15;
const LOOKBACK_DAYS = 30;
const LONGEST = 365;
const DAY = 86_400_000;

const suggestion = z
  .object({
    recipeId: z.uuid(),
    recipeName: z.string(),
    finishedVariantId: z.uuid(),
    stockQty: z.number(),
    plannedQty: z.number(),
    averageDailySales: z.number(),
    coverageDays: z.number().nullable(),
    targetQty: z.number(),
    suggestedBatches: z.int(),
    suggestedQty: z.number(),
    maxBatches: z.int().nullable(),
    limitedBy: z.uuid().nullable(),
  })
  .meta({ id: 'PlanningSuggestion' });

export const planningRoutes = ({
  recipes,
  stock,
  stores,
}: Pick<FeatureServices, 'recipes' | 'stock' | 'stores'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/bakery-production/planning/suggestions',
    tag: 'Planning',
    summary: 'Suggests batches for every active recipe, from stock coverage and average sales',
    description:
      'The average is of sales and ingredient use in the days looked back at, or since the first movement if that is newer. Blocked and ' +
      'expired lots are not stock. `maxBatches` is what the inputs in stock allow; `limitedBy` names the input that runs out first.',
    permission: 'production.view',
    request: {
      query: z.strictObject({
        days: queryInteger(1, LONGEST).default(COVERAGE_DAYS),
        lookbackDays: queryInteger(1, LONGEST).default(LOOKBACK_DAYS),
      }),
    },
    response: { status: 200, schema: z.array(suggestion) },
    async handle({ query: { days, lookbackDays } }, context) {
      const active = await recipes.active(context);
      const [outlook, uses] = await Promise.all([
        stock.outlook(context, variantsOf(active)),
        usesOf(
          context,
          active.map(({ finishedVariantId }) => finishedVariantId),
        ),
      ]);
      const timeZone = (await stores.byId(context.storeId))?.timeZone ?? 'UTC';
      const firstDay = dayOf(Date.parse(context.at) - (lookbackDays - 1) * DAY, timeZone);
      const available = new Map([...outlook].map(([variantId, { free }]) => [variantId, free]));
      const body = active.map((recipe) => {
        const { finishedVariantId } = recipe;
        const { free, planned } = outlook.get(finishedVariantId) ?? { free: Decimal.zero, planned: Decimal.zero };
        const use = usedSince(uses.get(finishedVariantId), { firstDay, lookback: lookbackDays, at: context.at });
        return suggest(recipe, { free, planned, available, ...use }, days);
      });
      return { body };
    },
  }),
];

const variantsOf = (active: readonly RecipeCopy[]): readonly string[] => [
  ...new Set(
    active.flatMap(({ finishedVariantId, items }) => [
      finishedVariantId,
      ...items.map(({ componentVariantId }) => componentVariantId),
    ]),
  ),
];

async function usesOf(
  context: RequestContext,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, UsageDocument>> {
  const records = await context.reads.getMany(usage, [...new Set(variantIds)]);
  return new Map(records.map(({ id, body }) => [id, JSON.parse(body) as UsageDocument]));
}
