import type { Projector } from '../src/kernel/projector.js';
import { brandsProjector } from './brands.js';
import { categoriesProjector } from './categories.js';
import { customersProjector } from './customers.js';
import { kitsProjector } from './kits.js';
import { lotCodesProjector } from './lot-codes.js';
import { productsProjector } from './products.js';
import { recipeSummariesProjector, recipesProjector } from './recipes.js';
import { recipeVersionsProjector } from './recipe-versions.js';
import { stockProjector } from './stock.js';
import { tagsProjector } from './tags.js';
import { variantsProjector } from './variants.js';

export const projectors: readonly Projector[] = [
  categoriesProjector,
  brandsProjector,
  tagsProjector,
  productsProjector,
  variantsProjector,
  kitsProjector,
  lotCodesProjector,
  recipeSummariesProjector,
  recipeVersionsProjector,
  recipesProjector,
  stockProjector,
  customersProjector,
];
