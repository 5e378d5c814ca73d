import { z } from 'zod';
import { products, wordOfTag } from '../../../projections/products/products.js';
import { tags } from '../../../projections/tags/tags.js';
import { namedSetRoutes } from '../../kernel/patterns/named-set-routes.js';
import { tag } from './decider.js';

export const routes = namedSetRoutes({
  path: '/product-tags',
  tag: 'Product tags',
  words: ['product tag', 'product tags'],
  permission: 'tags.manage',
  type: tag,
  collection: tags,
  fields: {},
  answer: { existing: z.literal(true).optional() },
  defaults: {},
  bulkDelete: {
    maximum: 200,
    counted: 'untaggedProducts',
    productsOf: (context, id) => context.reads.count(products, { words: wordOfTag(id) }),
  },
});
