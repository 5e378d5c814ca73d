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

const SORTS = {
  made: { column: 'made', direction: 'desc' },
  due: { column: 'dueOrEnded', direction: 'asc' },
  ended: { column: 'dueOrEnded', direction: 'desc' },
} as const;

export const listOrders = ({ stores }: ProductionServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: PATH,
    summary: 'Lists the production orders, the newest first',
    description:
      'from and to speak of the moment that they are sorted by. Where more follow, the header X-Next-Cursor says where to go on; with sort due or ended, X-Total-Count says how many there are.',
    request: { query: orderQuery },
    response: { status: 200, schema: z.array(orderAnswer), continued: true, counted: true },
    async handle({ query: { cursor, limit, status, recipeId, sort: order, ...period } }, context) {
      const sort = SORTS[order];
      const timeZone = await timeZoneOf(stores, context.storeId);
      const wanted = { equal: defined({ status, recipeId }), ...rangeOf(sort.column, period, timeZone) };
      const [{ items, nextCursor }, total] = await Promise.all([
        context.reads.find(orders, { ...wanted, sort, limit, ...defined({ cursor }) }),
        order === 'made' ? undefined : context.reads.count(orders, wanted),
      ]);
      const body = visibleList(
        context,
        items.map((item) => item.body),
        timeZone,
      );
      const headers = { 'X-Next-Cursor': nextCursor ?? undefined, 'X-Total-Count': total?.toString() };
      return { body, headers: defined(headers) };
    },
  });

export const readOrder = (services: ProductionServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: `${PATH}/{id}`,
    summary: 'Gives one order with its stages, consumption per batch, cost and loss',
    request: { params: orderParams },
    response: { status: 200, schema: orderAnswer, etag: true },
    handle: ({ params }, context) => storedReply(services, context, params.id),
  });
