import type { Route } from '../../../kernel/route.js';
import { completeSale } from './completing.js';
import { listSales, readSale } from './reading.js';
import { cancelSale, returnSale } from './returning.js';
import type { SaleServices } from './services.js';

export const saleRoutes = (services: SaleServices): readonly Route[] => [
  listSales(services),
  readSale(services),
  completeSale(services),
  returnSale,
  cancelSale,
];
