import { z } from 'zod';
import { products, wordOfTag } from '../../../projections/products/products.js';
import { tags } from '../../../projections/tags/tags.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { namedSetRoutes } from '../../kernel/patterns/named-set-routes.js';
import { tag } from './decider.js';

const PAGE = 1_000;

/** One that has several of the tags counts once. */
async function productsTagged({ reads }: RequestContext, ids: readonly string[]): Promise<number> {
  const [onlyId] = ids;
  if (onlyId !== undefined && ids.length === 1) return reads.count(products, { words: wordOfTag(onlyId) });
  const tagged = new Set<string>();
  for (const tagId of ids) {
    const sort = { column: 'description', direction: 'asc' } as const;
    const pages = pagesOf((at) => reads.find(products, { words: wordOfTag(tagId), sort, limit: PAGE, ...at }));
    for await (const page of pages) for (const { id } of page) tagged.add(id);
  }
  return tagged.size;
}

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
    productsOf: productsTagged,
  },
});
