import { z } from 'zod';
import type { StoreDirectory } from '../contracts/feature.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { route } from '../../kernel/routes/route.js';

export const statusRoute = (stores: StoreDirectory) =>
  route({
    method: 'get',
    path: '/bakery-production/status',
    operationId: 'getProductionStatus',
    tag: 'Recipes',
    summary: 'Says which modules the store has switched on',
    permission: 'authenticated',
    request: {},
    response: {
      status: 200,
      schema: z.object({ production: z.boolean(), scaleCode: z.boolean(), orders: z.boolean() }),
    },
    async handle(_input, context) {
      const store = await stores.byId(context.storeId);
      if (!store) throw new Rejection(NOT_FOUND);
      return { body: store.modules };
    },
  });
