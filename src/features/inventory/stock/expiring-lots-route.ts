import type { z } from 'zod';
import { lots, remainingOf } from '../../../../projections/inventory/lots.js';
import { listAnswer, listQuery } from '../../../kernel/routes/lists.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { toIso } from '../../../kernel/values/clock.js';
import { dayOf, daysLater, endOf } from '../../../kernel/values/days.js';
import { queryBoolean, queryInteger } from '../../../kernel/values/fields.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { expiringLot } from './answers.js';
import { lotDocument, shownLot } from './lot-answers.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';

const MOST_DAYS = 3_650;
const USUAL_DAYS = 7;

const query = listQuery.pick({ cursor: true, limit: true }).extend({
  days: queryInteger(0, MOST_DAYS).default(USUAL_DAYS).meta({ description: '0: those that expire today' }),
  includeExpired: queryBoolean.optional().meta({ description: 'false leaves out what has expired already' }),
});

export const listExpiring = ({ stores, catalogue }: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/expiring',
    operationId: 'listExpiringLots',
    summary: 'Lists the lots with something left that expire within some days, the first to expire first',
    description:
      'Days are those of the store, from today on. What has expired already and still lies there comes first, with expired: true; blocked lots are among them.',
    request: { query },
    response: { status: 200, schema: listAnswer(expiringLot) },
    async handle({ query: { days, includeExpired = true, limit, cursor } }, context) {
      const timeZone = await timeZoneOf(stores, context.storeId);
      const lastDay = daysLater(dayOf(Date.parse(context.at), timeZone), days);
      const page = await context.reads.find(lots, {
        equal: { left: 1 },
        range: {
          column: 'expiresAt',
          ...(includeExpired ? {} : { after: context.at }),
          to: toIso(endOf(lastDay, timeZone)),
        },
        sort: { column: 'expiresAt', direction: 'asc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const found = page.items.map(lotDocument);
      const labels = await catalogue.labels(context, [...new Set(found.map(({ variantId }) => variantId))]);
      const moment = { at: context.at, timeZone };
      const items = found.map((lot): z.output<typeof expiringLot> => {
        const label = labels.get(lot.variantId);
        const quantity = remainingOf(lot).toNumber();
        return {
          ...shownLot(lot, moment),
          description: label?.description ?? null,
          unit: label?.saleUnit ?? null,
          quantity,
        };
      });
      return { body: { items, nextCursor: page.nextCursor } };
    },
  });
