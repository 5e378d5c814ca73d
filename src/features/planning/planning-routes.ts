import { z } from 'zod';
import type { StockDocument } from '../../../projections/inventory/stock.js';
import { stock as stockRecords } from '../../../projections/inventory/stock.js';
import type { UsageDocument } from '../../../projections/planning/usage.js';
import { usage, usageId } from '../../../projections/planning/usage.js';
import { dayOf } from '../../kernel/values/days.js';
import { Decimal } from '../../kernel/values/decimal.js';
import type { FeatureServices } from '../contracts/feature.js';
import { queryInteger } from '../../kernel/values/fields.js';
import type { RequestContext, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import type { RecipeCopy } from '../contracts/recipe-book.js';
import { suggest } from './domain/suggestion.js';
import type { PastUse } from './domain/use.js';
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
      'expired lots are not stock. `maxBatches` is what the inputs in stock allow; `limitedBy` names the input that runs out before the suggestion is made.',
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
      const timeZone = await timeZoneOf(stores, context.storeId);
      const now = Date.parse(context.at);
      const [firstDay, today] = [dayOf(now - (lookbackDays - 1) * DAY, timeZone), dayOf(now, timeZone)];
      const finished = new Set(active.map(({ finishedVariantId }) => finishedVariantId));
      const [outlook, uses] = await Promise.all([
        stock.outlook(context, variantsOf(active)),
        usesOf(context, [...finished], monthsOf(firstDay, today)),
      ]);
      const available = new Map([...outlook].map(([variantId, { free }]) => [variantId, free]));
      const body = active.map((recipe) => {
        const { free, planned } = outlook.get(recipe.finishedVariantId) ?? NOTHING;
        const past = uses(recipe.finishedVariantId);
        const use = usedSince(past, { firstDay, lookback: lookbackDays, at: context.at });
        return suggest(recipe, { free, planned, available, ...use }, days);
      });
      return { body };
    },
  }),
];

const NOTHING = { free: Decimal.zero, planned: Decimal.zero };

const variantsOf = (active: readonly RecipeCopy[]): readonly string[] => [
  ...new Set(
    active.flatMap(({ finishedVariantId, items }) => [
      finishedVariantId,
      ...items.map(({ componentVariantId }) => componentVariantId),
    ]),
  ),
];

/** A day of each month from one day to another. */
function monthsOf(first: string, last: string): readonly string[] {
  const months: string[] = [];
  for (let month = first.slice(0, 7); month <= last.slice(0, 7); month = nextMonth(month)) months.push(`${month}-01`);
  return months;
}

function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/** Two reads, however many variants and months. */
async function usesOf(
  context: RequestContext,
  variantIds: readonly string[],
  months: readonly string[],
): Promise<(variantId: string) => PastUse> {
  const ids = variantIds.flatMap((variantId) => months.map((day) => usageId(variantId, day)));
  const [used, moved] = await Promise.all([
    context.reads.getMany(usage, ids),
    context.reads.getMany(stockRecords, variantIds),
  ]);
  const daysById = new Map(used.map(({ id, body }) => [id, (JSON.parse(body) as UsageDocument).days]));
  const firstById = new Map(
    moved.map(({ id, hidden }) => [id, (JSON.parse(hidden) as Pick<StockDocument, 'firstMovedAt'>).firstMovedAt]),
  );
  return (variantId) => ({
    firstMovedAt: firstById.get(variantId) ?? null,
    days: Object.assign({}, ...months.map((day) => daysById.get(usageId(variantId, day)) ?? {})) as PastUse['days'],
  });
}
