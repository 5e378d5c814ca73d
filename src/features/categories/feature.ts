import { categoriesProjector } from '../../../projections/categories/categories.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { categoryEvents } from './events.js';
import { routes } from './routes.js';
import { seedRoutes } from './seed-routes.js';

export const categoriesFeature: Feature = {
  name: 'categories',
  routes: (services) => [...routes, ...seedRoutes(services)],
  events: [categoryEvents.codec],
  viewing: { category: 'products.view' },
  records: [projectedRecord('category', categoriesProjector, 'name', ['productCount'])],
};
