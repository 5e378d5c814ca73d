import { recipesProjector } from '../../../projections/recipes/recipes.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { costingRoutes } from './costing-routes.js';
import { recipeBook } from './recipe-book.js';
import { recipeEvents } from './events.js';
import { recipeRoutes } from './recipe-routes.js';
import { RecipeWriter } from './recipe-writer.js';
import { statusRoute } from './status-route.js';
import { taxableUnitRoutes } from './taxable-unit-routes.js';
import { versionRoutes } from './version-routes.js';

export const recipesFeature: Feature = {
  name: 'recipes',
  provides: () => ({ recipes: recipeBook }),
  routes(services) {
    const writer = new RecipeWriter(services);
    return [
      statusRoute(services.stores),
      ...recipeRoutes(writer),
      ...versionRoutes(writer),
      ...costingRoutes(services),
      ...taxableUnitRoutes(services.catalogue),
    ];
  },
  events: [recipeEvents],
  viewing: { recipe: 'production.view' },
  records: [projectedRecord('recipe', recipesProjector, 'name')],
};
