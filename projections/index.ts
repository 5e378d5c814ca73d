import type { Projector } from '../src/kernel/projector.js';
import { averageCostsProjector } from './average-costs.js';
import { brandsProjector } from './brands.js';
import { categoriesProjector } from './categories.js';
import { customersProjector } from './customers.js';
import { holdingsProjector } from './holdings.js';
import { kitsProjector } from './kits.js';
import { lotCodesProjector } from './lot-codes.js';
import { lotGraphProjector } from './lot-graph.js';
import { lotsProjector } from './lots.js';
import { ordersProjector } from './orders.js';
import { productsProjector } from './products.js';
import { recipeSummariesProjector, recipesProjector } from './recipes.js';
import { recipeVersionsProjector } from './recipe-versions.js';
import { soldLotsProjector } from './sold-lots.js';
import { stockMovementsProjector } from './stock-movements.js';
import { salesProjector } from './sales.js';
import { stockProjector } from './stock.js';
import { tagsProjector } from './tags.js';
import { usageProjector } from './usage.js';
import { variantsProjector } from './variants.js';

export const projectors: readonly Projector[] = [
  categoriesProjector,
  brandsProjector,
  tagsProjector,
  productsProjector,
  variantsProjector,
  kitsProjector,
  lotCodesProjector,
  ordersProjector,
  recipeSummariesProjector,
  recipeVersionsProjector,
  recipesProjector,
  stockProjector,
  stockMovementsProjector,
  averageCostsProjector,
  customersProjector,
  lotsProjector,
  holdingsProjector,
  lotGraphProjector,
  soldLotsProjector,
  usageProjector,
  salesProjector,
];
