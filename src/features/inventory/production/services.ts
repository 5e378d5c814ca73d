import type { Catalogue } from '../../contracts/catalogue.js';
import type { StoreDirectory } from '../../contracts/feature.js';
import type { RecipeBook } from '../../contracts/recipe-book.js';
import type { LotCodeLookup } from '../lot-code-lookup.js';
import type { OutputCodes } from './output-codes.js';

/** What the routes of production orders work with. */
export interface ProductionServices {
  readonly recipes: RecipeBook;
  readonly catalogue: Catalogue;
  readonly outputCodes: OutputCodes;
  readonly lotCodes: LotCodeLookup;
  readonly stores: StoreDirectory;
}

export const PATH = '/bakery-production/orders';

const common = { tag: 'Production orders' } as const;
export const viewing = { ...common, permission: 'production.view' } as const;
export const managing = { ...common, permission: 'production.manage' } as const;
export const reversing = { ...common, permission: 'production.reverse' } as const;
