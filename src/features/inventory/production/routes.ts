import type { Route } from '../../../kernel/route.js';
import { planOrder, registerOrder } from './making.js';
import { listOrders, readOrder } from './reading.js';
import { previewReversal, reverseOrder } from './reversing.js';
import type { ProductionServices } from './services.js';
import { cancelOrder, completeOrder, markStage, refreshRecipe, startOrder } from './working.js';

export const productionRoutes = (services: ProductionServices): readonly Route[] => [
  listOrders(services),
  registerOrder(services),
  planOrder(services),
  readOrder,
  startOrder,
  markStage,
  completeOrder(services),
  cancelOrder,
  refreshRecipe(services),
  previewReversal,
  reverseOrder,
];
