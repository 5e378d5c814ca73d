import { z } from 'zod';
import { categories } from '../../../projections/categories/categories.js';
import { products } from '../../../projections/products/products.js';
import { digits } from '../../kernel/values/fields.js';
import { namedSetRoutes } from '../../kernel/patterns/named-set-routes.js';
import { category } from './decider.js';

export const routes = namedSetRoutes({
  path: '/categories',
  tag: 'Categories',
  words: ['category', 'categories'],
  permission: 'categories.manage',
  type: category,
  collection: categories,
  fields: { defaultNcm: digits(8).nullable().optional() },
  answer: { defaultNcm: z.string().nullable() },
  defaults: { defaultNcm: null },
  bulkDelete: {
    maximum: 200,
    counted: 'unlinkedProducts',
    productsOf: (context, ids) => context.reads.count(products, { oneOf: { column: 'categoryId', values: ids } }),
  },
});
