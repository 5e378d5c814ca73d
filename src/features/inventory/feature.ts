import type { Feature } from '../../kernel/feature.js';
import type { RequestContext } from '../../kernel/route.js';
import { inventory } from './decider.js';
import { inventoryEvents } from './events.js';
import { locationEvents } from './locations/events.js';
import { locationRoutes } from './locations/routes.js';

const hasHeldStock = async (context: RequestContext, locationId: string): Promise<boolean> =>
  (await context.current(inventory)).usedLocations.has(locationId);

export const inventoryFeature: Feature = {
  name: 'inventory',
  routes: ({ stores }) => locationRoutes({ stores, isUsed: hasHeldStock }),
  events: [inventoryEvents, locationEvents],
};
