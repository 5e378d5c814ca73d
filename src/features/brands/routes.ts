import { brands } from '../../../projections/brands/brands.js';
import { namedSetRoutes } from '../../kernel/patterns/named-set-routes.js';
import { brand } from './decider.js';

export const routes = namedSetRoutes({
  path: '/brands',
  tag: 'Brands',
  words: ['brand', 'brands'],
  permission: 'brands.manage',
  type: brand,
  collection: brands,
  fields: {},
  answer: {},
  defaults: {},
});
