import type { Route } from '../../../kernel/routes/route.js';
import { completeSale } from './sale-completion-routes.js';
import { listSales, readSale } from './sale-reading-routes.js';
import { cancelSale, returnSale } from './sale-return-routes.js';
import { summariseSales } from './sales-summary-route.js';
import type { SaleServices } from './services.js';

export const saleRoutes = (services: SaleServices): readonly Route[] => [
  listSales(services),
  summariseSales(services),
  readSale(services),
  completeSale(services),
  returnSale(services),
  cancelSale(services),
];
