import { z } from 'zod';
import { brands } from '../../../projections/brands.js';
import { categories } from '../../../projections/categories.js';
import { products, wordOfTag } from '../../../projections/products.js';
import { tags } from '../../../projections/tags.js';
import { pathId } from '../../kernel/fields.js';
import type { NamedDocument } from '../../kernel/named-set-projector.js';
import type { Permission } from '../../kernel/permissions.js';
import { NOT_FOUND, Rejection } from '../../kernel/rejection.js';
import type { RequestContext, Route } from '../../kernel/route.js';
import { RawJson, route } from '../../kernel/route.js';
import type { Query, RecordCollection } from '../../ports/read-models.js';
import { pageAnswer, pageMembers, searchQuery, takeQuery, wordsFilter } from './list-routes.js';

/** What products belong to: categories, brands and tags. */
interface Register {
  readonly path: string;
  readonly tag: string;
  /** In sentences. */
  readonly word: string;
  readonly permission: Permission;
  readonly collection: RecordCollection<NamedDocument>;
  /** Which products belong to one of them. */
  readonly members: (id: string) => Pick<Query, 'equal' | 'words'>;
}

const registers: readonly Register[] = [
  {
    path: '/categories',
    tag: 'Categories',
    word: 'category',
    permission: 'categories.manage',
    collection: categories as RecordCollection<NamedDocument>,
    members: (categoryId) => ({ equal: { categoryId } }),
  },
  {
    path: '/brands',
    tag: 'Brands',
    word: 'brand',
    permission: 'brands.manage',
    collection: brands,
    members: (brandId) => ({ equal: { brandId } }),
  },
  {
    path: '/product-tags',
    tag: 'Product tags',
    word: 'product tag',
    permission: 'tags.manage',
    collection: tags,
    members: (tagId) => ({ words: wordOfTag(tagId) }),
  },
];

async function expectRecord(context: RequestContext, collection: RecordCollection<never>, id: string) {
  const record = await context.reads.get(collection, id);
  if (!record) throw new Rejection(NOT_FOUND);
  return JSON.parse(record.body) as NamedDocument;
}

function listOf({ path, tag, word, collection, members }: Register): Route {
  return route({
    method: 'get',
    path: `${path}/{id}/products`,
    tag,
    summary: `Lists the products of a ${word} by description`,
    description: 'q searches by name, SKU or code.',
    permission: 'products.view',
    request: {
      params: z.strictObject({ id: pathId }),
      query: z.strictObject({ ...searchQuery, take: takeQuery(10) }),
    },
    response: { status: 200, schema: pageAnswer },
    async handle({ params, query }, context) {
      const { productCount } = await expectRecord(context, collection, params.id);
      const all = members(params.id);
      const { words } = wordsFilter(query.q);
      const filter = words === undefined ? all : { ...all, words: [all.words, words].join(' ') };
      const total = words === undefined ? productCount : await context.reads.count(products, filter);
      return { body: new RawJson(`{${await pageMembers(context, query, filter, total)}}`) };
    },
  });
}

export const memberRoutes: readonly Route[] = registers.map(listOf);
