import { stockRecordsProjector } from '../../../projections/inventory/stock-records.js';
import { foldedRecord, writtenRecord } from '../contracts/audited-record.js';
import type { Feature, FeatureServices } from '../contracts/feature.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { memoise } from '../../kernel/values/memoise.js';
import { inventory } from './decider.js';
import { explanationRoutes } from './explanations/explanation-routes.js';
import { inventoryEvents } from './events.js';
import type { Locations } from './locations/decider.js';
import { locations, recordOf, withFirst } from './locations/decider.js';
import { locationDirectory } from './locations/directory.js';
import { locationEvents } from './locations/events.js';
import { locationRoutes } from './locations/location-routes.js';
import type { Retire } from './locations/retirement.js';
import { LocationRetirements } from './locations/retirement.js';
import { LotCodeLookup } from './lot-code-lookup.js';
import { OutputCodes } from './production/output-codes.js';
import { productionRoutes } from './production/order-routes.js';
import { isUsed } from './stock/domain/stock-decisions.js';
import { stockKeeper } from './stock/keeper.js';
import { pastLot, withPastExpiryDays } from './stock/past-lots.js';
import { stockRoutes } from './stock/stock-routes.js';
import { pastOrder } from './production/past-orders.js';
import { pastSale } from './sales/past-sales.js';
import { TaxedSales } from './sales/taxing.js';
import { saleRoutes } from './sales/sale-routes.js';

const isUsedNow = async (context: RequestContext, locationId: string): Promise<boolean> =>
  isUsed(await context.current(inventory), locationId);

const retireLocation: Retire = (context, locationId) =>
  context.execute(inventory, { type: 'retireLocation', locationId }, { name: 'retire location' });

/** One for each service: its routes write down what its background does. */
const retirementsOf = memoise((services: FeatureServices) => new LocationRetirements(services, retireLocation));

function locationRecord(known: Locations, id: string) {
  const location = known.byId.get(id);
  return location && recordOf(known, location);
}

export const inventoryFeature: Feature = {
  name: 'inventory',
  provides: ({ stores }) => ({ stock: stockKeeper, locations: locationDirectory, salesToTax: new TaxedSales(stores) }),
  routes(services) {
    const lotCodes = new LotCodeLookup();
    return [
      ...locationRoutes({
        stores: services.stores,
        isUsed: isUsedNow,
        retire: retireLocation,
        retirements: retirementsOf(services),
      }),
      ...stockRoutes({ ...services, lotCodes }),
      ...saleRoutes({ ...services, lotCodes }),
      ...productionRoutes({ ...services, lotCodes, outputCodes: new OutputCodes(lotCodes) }),
      ...explanationRoutes(services),
    ];
  },
  work: (services) => ({ schedule: retirementsOf(services).background }),
  events: [inventoryEvents, locationEvents],
  viewing: {
    lot: 'stock.view',
    receipt: 'stock.view',
    adjustment: 'stock.view',
    transfer: 'stock.view',
    location: 'stock.view',
    sale: 'sales.view',
    order: 'production.view',
  },
  records: [
    pastOrder,
    pastSale,
    pastLot,
    writtenRecord('receipt', stockRecordsProjector, withPastExpiryDays),
    writtenRecord('adjustment', stockRecordsProjector, withPastExpiryDays),
    writtenRecord('transfer', stockRecordsProjector, withPastExpiryDays),
    foldedRecord('location', locations, locationRecord, {
      changedBy: ['location'],
      given: ({ id }) => withFirst(locations.decider.initial, id),
    }),
  ],
};
