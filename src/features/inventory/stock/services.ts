import type { StoreDirectory } from '../../../kernel/feature.js';
import type { Catalogue } from '../../../ports/catalogue.js';
import type { ReadModels } from '../../../ports/read-models.js';
import type { LotCodeLookup } from '../past.js';

/** What the routes of the stock work with. */
export interface StockServices {
  readonly reads: ReadModels;
  readonly catalogue: Catalogue;
  readonly lotCodes: LotCodeLookup;
  readonly stores: StoreDirectory;
}

export const viewing = { tag: 'Stock', permission: 'stock.view' } as const;
export const managing = { tag: 'Stock', permission: 'stock.manage' } as const;
