import { z } from 'zod';
import { orders } from '../../../../projections/production/orders.js';
import { defined } from '../../../kernel/values/defined.js';
import { rangeOf } from '../../../kernel/routes/lists.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { orderAnswer, storedReply, visibleList } from './answers.js';
import { orderParams, orderQuery } from './bodies.js';
import type { ProductionServices } from './services.js';
import { PATH, viewing } from './services.js';

export const listOrders = ({ stores }: ProductionServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: PATH,
    summary: 'Lists the production orders, the newest first',
    description:
      'from and to speak of when they were planned or registered. Where more follow, the header X-Next-Cursor says where to go on.',
    request: { query: orderQuery },
    response: { status: 200, schema: z.array(orderAnswer), continued: true },
    async handle({ query: { cursor, limit, status, recipeId, ...period } }, context) {
      const { items, nextCursor } = await context.reads.find(orders, {
        equal: defined({ status, recipeId }),
        ...rangeOf('made', period, await timeZoneOf(stores, context.storeId)),
        sort: { column: 'made', direction: 'desc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const body = visibleList(
        context,
        items.map((item) => item.body),
      );
      return { body, headers: nextCursor === null ? {} : { 'X-Next-Cursor': nextCursor } };
    },
  });

export const readOrder = route({
  ...viewing,
  method: 'get',
  path: `${PATH}/{id}`,
  summary: 'Gives one order with its stages, consumption per batch, cost and loss',
  request: { params: orderParams },
  response: { status: 200, schema: orderAnswer, etag: true },
  handle: ({ params }, context) => storedReply(context, params.id),
});
