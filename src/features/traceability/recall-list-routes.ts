import type { z } from 'zod';
import { listAnswer, listQuery } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { id, name } from '../../kernel/values/fields.js';
import { cursorAt, offsetAt } from '../../kernel/routes/list-cursors.js';
import { LOT_CODE_LENGTH, LOT_NOT_FOUND } from '../contracts/stock-keeper.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { recalledLot, remainingRow } from './answers.js';
import { shown } from './recall-parts.js';
import type { RecallServices, Scope } from './recall-scope.js';
import { scopeOf } from './recall-scope.js';

/** The lists of a recall that are too long to stand in it. */

const query = listQuery.omit({ from: true, to: true }).extend({
  lotCode: name(LOT_CODE_LENGTH),
  variantId: id.optional().meta({ description: 'Narrows a code that several products share' }),
});

interface Shown {
  readonly items: readonly object[];
  readonly total: number;
}

const list = (
  services: RecallServices,
  path: string,
  summary: string,
  item: z.ZodType,
  page: (context: RequestContext, scope: Scope, start: number, end: number, timeZone: string) => Promise<Shown>,
): Route =>
  route({
    method: 'get',
    path: `/bakery-production/recall/${path}`,
    tag: 'Traceability',
    summary,
    permission: 'reports.view',
    request: { query },
    response: { status: 200, schema: listAnswer(item) },
    rejections: [LOT_NOT_FOUND],
    async handle({ query: { lotCode, variantId, limit, cursor } }, context) {
      const start = offsetAt(path, cursor);
      const end = start + limit;
      const [scope, timeZone] = await Promise.all([
        scopeOf(context, services, { lotCode, variantId }),
        timeZoneOf(services.stores, context.storeId),
      ]);
      const { items, total } = await page(context, scope, start, end, timeZone);
      return { body: { items, nextCursor: end < total ? cursorAt(path, String(end)) : null } };
    },
  });

export const recallListRoutes = (services: RecallServices): readonly Route[] => [
  list(
    services,
    'lots',
    'Lists all lots of a recall: those with the code first, then level by level what was made with them',
    recalledLot,
    async (context, scope, start, end, timeZone) => {
      const { walked } = scope;
      const { lots } = await shown(context, scope, { lots: walked.lotsFrom(start, end), timeZone });
      return { items: lots, total: walked.lots.length };
    },
  ),
  list(
    services,
    'remaining',
    'Lists all that is left of the lots of a recall, a row for each lot and location',
    remainingRow,
    async (context, scope, start, end, timeZone) => {
      const [{ remaining }, locationNames] = await Promise.all([
        scope.sums(context),
        services.locations.names(context),
      ]);
      const some = { remaining: remaining.slice(start, end), locationNames, timeZone };
      return { items: (await shown(context, scope, some)).remaining, total: remaining.length };
    },
  ),
];
