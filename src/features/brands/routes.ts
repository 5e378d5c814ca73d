import { brands } from '../../../projections/brands.js';
import { namedSetRoutes } from '../../kernel/named-set-routes.js';
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
