import type { Feature } from '../../kernel/feature.js';
import { recipeEvents } from './events.js';
import { listRecipes } from './recipe-routes.js';
import { statusRoute } from './status-route.js';

export const recipesFeature: Feature = {
  name: 'recipes',
  routes: ({ stores }) => [statusRoute(stores), listRecipes],
  events: [recipeEvents],
};
