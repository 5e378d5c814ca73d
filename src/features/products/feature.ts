import type { Feature } from '../../kernel/feature.js';
import { codeEvents, kitEvents, productEvents } from './events.js';
import { listProducts } from './list-routes.js';

export const productsFeature: Feature = {
  name: 'products',
  routes: () => [listProducts],
  events: [productEvents, kitEvents, codeEvents.codec],
};
