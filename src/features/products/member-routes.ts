import { z } from 'zod';
import { brands } from '../../../projections/brands/brands.js';
import { categories } from '../../../projections/categories/categories.js';
import { products, wordOfTag } from '../../../projections/products/products.js';
import { tags } from '../../../projections/tags/tags.js';
import { pathId } from '../../kernel/values/fields.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import { isNcm } from '../../brazil/ncm.js';
import type { NamedDocument } from '../../kernel/patterns/named-set-projector.js';
import type { Permission } from '../../kernel/values/permissions.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import type { Query, RecordCollection } from '../../ports/read-models.js';
import { product } from './decider.js';
import type { Membership } from './domain/membership.js';
import { pageAnswer, pageMembers, pageWith, searchQuery, takeQuery, wordsFilter } from './list-routes.js';
import { DEFAULT_NCM_MISSING } from './rejections.js';

/** What products belong to: categories, brands and tags. */
interface Register {
  readonly path: string;
  readonly tag: string;
  /** In sentences. */
  readonly word: string;
  readonly permission: Permission;
  readonly collection: RecordCollection<NamedDocument>;
  readonly kind: Membership['kind'];
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
    kind: 'category',
    members: (categoryId) => ({ equal: { categoryId } }),
  },
  {
    path: '/brands',
    tag: 'Brands',
    word: 'brand',
    permission: 'brands.manage',
    collection: brands,
    kind: 'brand',
    members: (brandId) => ({ equal: { brandId } }),
  },
  {
    path: '/product-tags',
    tag: 'Product tags',
    word: 'product tag',
    permission: 'tags.manage',
    collection: tags,
    kind: 'tag',
    members: (tagId) => ({ words: wordOfTag(tagId) }),
  },
];

async function expectRecord<D extends object>(
  context: RequestContext,
  collection: RecordCollection<D>,
  id: string,
): Promise<D> {
  const record = await context.reads.get(collection, id);
  if (!record) throw new Rejection(NOT_FOUND);
  return JSON.parse(record.body) as D;
}

function listOf({ path, tag, word, collection, kind, members }: Register): Route {
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
      await expectRecord(context, collection, params.id);
      const all = members(params.id);
      const { words, ...typed } = wordsFilter(query.q);
      const filter = { ...all, ...typed, ...(words === undefined ? {} : { words: [all.words, words].join(' ') }) };
      return { body: pageWith(await pageMembers(context, [kind, params.id, query], query, () => filter)) };
    },
  });
}

const REMOVALS: Readonly<Record<Membership['kind'], string>> = {
  category: 'removeProductFromCategory',
  brand: 'removeProductFromBrand',
  tag: 'removeProductFromTag',
};

function removalFrom({ path, tag, word, permission, collection, kind }: Register): Route {
  return route({
    method: 'delete',
    path: `${path}/{id}/products/{productId}`,
    tag,
    operationId: REMOVALS[kind],
    summary: `Takes a product out of a ${word}; the product stays`,
    description: 'If-Match speaks of the product.',
    permission,
    request: { params: z.strictObject({ id: pathId, productId: pathId }) },
    response: { status: 204 },
    async handle({ params }, context) {
      const { id, productId } = params;
      await expectRecord(context, collection, id);
      const command = { type: 'leave', membership: { kind, id }, ifMatch: context.ifMatch } as const;
      await context.execute(product, command, { id: productId });
      return {};
    },
  });
}

/** Products whose NCM is changed at the same time: a page, which is all that is held of a large category. */
const PAGE = 200;

const applyNcm = route({
  method: 'post',
  path: '/categories/{id}/apply-ncm',
  tag: 'Categories',
  summary: "Gives the category's NCM to its products that have no valid one",
  description:
    'A valid NCM is never overwritten. What has one, and services, count as skipped. When it was interrupted, a repeat does the rest.',
  permission: 'categories.manage',
  request: { params: z.strictObject({ id: pathId }) },
  response: { status: 200, schema: z.object({ updated: z.int(), skipped: z.int() }) },
  rejections: [DEFAULT_NCM_MISSING],
  async handle({ params }, context) {
    const { defaultNcm, productCount } = await expectRecord(context, categories, params.id);
    if (!isNcm(defaultNcm)) throw new Rejection(DEFAULT_NCM_MISSING);
    let updated = 0;
    const pages = pagesOf((at) =>
      context.reads.find(products, {
        equal: { categoryId: params.id, needsNcm: 1 },
        sort: { column: 'description', direction: 'asc' },
        limit: PAGE,
        ...at,
      }),
    );
    for await (const page of pages) {
      const applied = await Promise.all(page.map(({ id }) => applyTo(context, id, defaultNcm)));
      updated += applied.filter((changed) => changed).length;
    }
    return { body: { updated, skipped: Math.max(0, productCount - updated) } };
  },
});

/** False when it has a valid one by now, or is gone. */
async function applyTo(context: RequestContext, id: string, ncm: string): Promise<boolean> {
  try {
    const { events } = await context.execute(product, { type: 'applyNcm', ncm }, { id, name: `ncm of ${id}` });
    return events.length > 0;
  } catch (error) {
    if (error instanceof Rejection && error.kind === NOT_FOUND) return false;
    throw error;
  }
}

export const memberRoutes: readonly Route[] = [
  ...registers.flatMap((one) => [listOf(one), removalFrom(one)]),
  applyNcm,
];
