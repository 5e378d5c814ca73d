import type { Feature } from '../../kernel/feature.js';
import { inventoryEvents } from './events.js';
import { locationEvents } from './locations/events.js';
import { locationRoutes } from './locations/routes.js';

export const inventoryFeature: Feature = {
  name: 'inventory',
  routes: ({ stores }) => locationRoutes({ stores, isUsed: () => Promise.resolve(false) }),
  events: [inventoryEvents, locationEvents],
};
