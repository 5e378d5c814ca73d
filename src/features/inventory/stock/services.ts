import type { StoreDirectory } from '../../contracts/feature.js';
import type { LocationDirectory } from '../../contracts/location-directory.js';
import type { Catalogue } from '../../contracts/catalogue.js';
import type { ReadModels } from '../../../ports/read-models.js';
import type { LotCodeLookup } from '../lot-code-lookup.js';

/** What the routes of the stock work with. */
export interface StockServices {
  readonly reads: ReadModels;
  readonly catalogue: Catalogue;
  readonly lotCodes: LotCodeLookup;
  readonly stores: StoreDirectory;
  readonly locations: LocationDirectory;
}

export const viewing = { tag: 'Stock', permission: 'stock.view' } as const;
export const managing = { tag: 'Stock', permission: 'stock.manage' } as const;
