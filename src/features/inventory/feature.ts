import type { Feature, FeatureServices } from '../../kernel/feature.js';
import type { RequestContext } from '../../kernel/route.js';
import { inventory } from './decider.js';
import { inventoryEvents } from './events.js';
import { locationEvents } from './locations/events.js';
import { locationRoutes } from './locations/routes.js';
import { LotCodeLookup } from './past.js';
import { OutputCodes } from './production/output-codes.js';
import { productionRoutes } from './production/routes.js';
import { stockRoutes } from './stock/routes.js';
import { saleRoutes } from './sales/routes.js';

const hasHeldStock = async (context: RequestContext, locationId: string): Promise<boolean> =>
  (await context.current(inventory)).usedLocations.has(locationId);

const timeZones =
  ({ stores }: FeatureServices) =>
  async (storeId: string): Promise<string> =>
    (await stores.byId(storeId))?.timeZone ?? 'UTC';

export const inventoryFeature: Feature = {
  name: 'inventory',
  routes(services) {
    const lotCodes = new LotCodeLookup();
    const timeZoneOf = timeZones(services);
    return [
      ...locationRoutes({ stores: services.stores, isUsed: hasHeldStock }),
      ...stockRoutes({ ...services, lotCodes, timeZoneOf }),
      ...saleRoutes({ ...services, lotCodes, timeZoneOf }),
      ...productionRoutes({ ...services, outputCodes: new OutputCodes(lotCodes), timeZoneOf }),
    ];
  },
  events: [inventoryEvents, locationEvents],
};
