import { setImmediate as othersFirst } from 'node:timers/promises';
import { z } from 'zod';
import { queryInteger } from '../../kernel/values/fields.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { Suggestion } from './domain/suggestion.js';
import { suggest } from './domain/suggestion.js';
import type { PlanningServices } from './outlooks.js';
import { outlooks } from './outlooks.js';

const COVERAGE_DAYS = 15;
const LOOKBACK_DAYS = 30;
const LONGEST = 365;
/** So many recipes are worked out in one turn of the event loop: thousands of them would hold up everybody else. */
export const RECIPES_AT_ONCE = 200;

export const planningQuery = z.strictObject({
  days: queryInteger(1, LONGEST).default(COVERAGE_DAYS),
  lookbackDays: queryInteger(1, LONGEST).default(LOOKBACK_DAYS),
});

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

export const planningRoutes = ({ recipes, stock, stores }: PlanningServices): readonly Route[] => [
  route({
    method: 'get',
    path: '/bakery-production/planning/suggestions',
    tag: 'Planning',
    summary: 'Suggests batches for every active recipe, by name, from stock coverage and average sales',
    description:
      'The average is of sales and ingredient use in the days looked back at, or since the first movement if that is newer. Blocked and ' +
      'expired lots are not stock. `maxBatches` is what the inputs in stock allow; `limitedBy` names the input that runs out before the suggestion is made.',
    permission: 'production.view',
    request: {
      query: planningQuery,
    },
    response: { status: 200, schema: z.array(suggestion) },
    async handle({ query: { days, lookbackDays } }, context) {
      const active = await recipes.active(context);
      const outlook = await outlooks({ stock, stores }, context, active, lookbackDays);
      const body: Suggestion[] = [];
      for (const recipe of active) {
        body.push(suggest(recipe, outlook(recipe), days));
        if (body.length % RECIPES_AT_ONCE === 0) await othersFirst();
      }
      return { body };
    },
  }),
];
