import type { Route } from '../../../kernel/routes/route.js';
import { listBalances } from './balance-routes.js';
import { listExpiring } from './expiring-lots-route.js';
import { listLots } from './lot-list-route.js';
import { blockLot, blockLots, readLot, releaseLot, releaseLots } from './lot-routes.js';
import { listMovements } from './movement-routes.js';
import { stockRecordRoutes } from './record-routes.js';
import { adjustStock, receiveGoods, transferGoods } from './stock-entry-routes.js';
import { readValuation } from './valuation-route.js';
import type { StockServices } from './services.js';

export const stockRoutes = (services: StockServices): readonly Route[] => [
  receiveGoods(services),
  adjustStock(services),
  transferGoods(services),
  ...stockRecordRoutes(services),
  listLots(services),
  listExpiring(services),
  blockLots(services),
  releaseLots(services),
  readLot(services),
  blockLot(services),
  releaseLot(services),
  listBalances(services),
  listMovements(services),
  readValuation(services),
];
