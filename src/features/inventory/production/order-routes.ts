import type { Route } from '../../../kernel/routes/route.js';
import { planOrder, registerOrder } from './order-registration-routes.js';
import { listOrders, readOrder } from './order-reading-routes.js';
import { previewReversal, reverseOrder } from './order-reversal-routes.js';
import type { ProductionServices } from './services.js';
import { cancelOrder, completeOrder, markStage, refreshRecipe, startOrder } from './order-work-routes.js';

export const productionRoutes = (services: ProductionServices): readonly Route[] => [
  listOrders(services),
  registerOrder(services),
  planOrder(services),
  readOrder(services),
  startOrder(services),
  markStage(services),
  completeOrder(services),
  cancelOrder(services),
  refreshRecipe(services),
  previewReversal,
  reverseOrder(services),
];
