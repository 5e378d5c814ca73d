import type { Route } from '../../../kernel/routes/route.js';
import { listBalances } from './balance-routes.js';
import { blockLot, listLots, releaseLot } from './lot-routes.js';
import { listMovements } from './movement-routes.js';
import { adjustStock, receiveGoods, transferGoods } from './stock-entry-routes.js';
import type { StockServices } from './services.js';

export const stockRoutes = (services: StockServices): readonly Route[] =>
  [receiveGoods, adjustStock, transferGoods, listLots, blockLot, releaseLot, listBalances, listMovements].map((make) =>
    make(services),
  );
