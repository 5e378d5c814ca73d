import { brandsProjector } from '../../../projections/brands/brands.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { brandEvents } from './events.js';
import { routes } from './routes.js';

export const brandsFeature: Feature = {
  name: 'brands',
  routes: () => routes,
  events: [brandEvents.codec],
  viewing: { brand: 'products.view' },
  records: [projectedRecord('brand', brandsProjector, 'name', ['productCount'])],
};
