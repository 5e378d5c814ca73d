import { z } from 'zod';
import { products, searchWords, wordOfTag } from '../../../projections/products/products.js';
import { freeText, id, name, pathId, queryBoolean, queryInteger } from '../../kernel/values/fields.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { RawJsonBytes, route } from '../../kernel/routes/route.js';
import { foldText, wordsOf } from '../../kernel/values/words.js';
import type { Query } from '../../ports/read-models.js';
import { productAnswer } from './answers.js';
import { PRODUCT_TYPES } from './events.js';
import { BENEATH_PRODUCTS, joinedProducts, live, productReply } from './joined-products.js';
import { seesProductionCosts } from './stock.js';
import type { Scope } from './totals.js';
import { totalMembers } from './totals.js';

const LONGEST_QUERY = 200;
const LAST_PAGE = 1_000_000;

/** What every list of products may be asked for. */
export const searchQuery = {
  q: freeText(LONGEST_QUERY).optional(),
  page: queryInteger(1, LAST_PAGE).default(1),
};

export const takeQuery = (usual: number) => queryInteger(1, 100).default(usual);

interface PageAsked {
  readonly q?: string | undefined;
  readonly page: number;
  readonly take: number;
}

type Filter = Pick<Query, 'equal' | 'oneOf' | 'words'>;

const NOTHING: Filter = { oneOf: { column: 'description', values: [] } };

/** An empty text filters nothing; one without a letter or a digit finds nothing. */
export function wordsFilter(q: string | undefined): Filter {
  if (q === undefined || q === '') return {};
  return wordsOf(q).length === 0 ? NOTHING : { words: searchWords(q) };
}

/** A page that shows neither other products nor other stock is the same, whatever becomes of those. */
const BENEATH = { ...BENEATH_PRODUCTS, lists: [products] };

/** The members that every list of products has, as JSON without the brace that closes it; ordered by description. `asked` is all that tells it from other pages of the store. */
export function pageMembers(
  context: RequestContext,
  asked: readonly unknown[],
  { page, take }: PageAsked,
  filterOf: () => Filter | Promise<Filter>,
): Promise<Buffer> {
  const key = JSON.stringify([...asked, seesProductionCosts(context)]);
  return context.reads.kept(BENEATH, key, async ({ shows }) => {
    const filter = await filterOf();
    const { bodies, total } = await context.reads.slice(products, {
      ...filter,
      sort: { column: 'description', direction: 'asc' },
      offset: (page - 1) * take,
      limit: take,
    });
    const items = await joinedProducts(context, bodies, shows);
    const rest = `"page":${String(page)},"take":${String(take)},"total":${String(total)}`;
    return Buffer.from(`{"items":[${items.join(',')}],${rest}`);
  });
}

const [COMMA, CLOSE] = [Buffer.from(','), Buffer.from('}')];

/** A page alone, or with other members as JSON without the brace that opens them. */
export const pageWith = (page: Buffer, others?: Buffer): RawJsonBytes =>
  new RawJsonBytes(Buffer.concat(others ? [page, COMMA, others] : [page, CLOSE]));

interface ListAsked extends PageAsked, Scope {
  readonly needsCreditPrice?: boolean | undefined;
  readonly categoryId?: string | undefined;
  readonly brandId?: string | undefined;
  readonly tagId?: string | undefined;
}

export const pageAnswer = z
  .object({
    items: z.array(productAnswer),
    page: z.int(),
    take: z.int(),
    total: z.int(),
  })
  .meta({ id: 'ProductPage' });

const tag = 'Products';

const listProducts = route({
  method: 'get',
  path: '/products',
  tag,
  summary: 'Lists products by description',
  description:
    'q finds products whose description has words that begin like its own, or whose SKU or GTIN it is. categoryId, brandId and tagId let through what belongs there. The summary speaks of the products that active and productType let through, whatever else is asked; inactiveCount and missingCreditCount (merchandise without a credit price) speak of the whole store. Kits and services do not count in stockQty.',
  permission: 'products.view',
  request: {
    query: z.strictObject({
      ...searchQuery,
      take: takeQuery(100),
      active: queryBoolean.optional(),
      productType: z.enum(PRODUCT_TYPES).optional(),
      needsCreditPrice: queryBoolean.optional(),
      categoryId: id.optional(),
      brandId: id.optional(),
      tagId: id.optional(),
    }),
  },
  response: {
    status: 200,
    schema: pageAnswer
      .extend({
        inactiveCount: z.int(),
        missingCreditCount: z.int(),
        summary: z.object({ productCount: z.int(), variantCount: z.int(), stockQty: z.number() }),
      })
      .meta({ id: 'ProductList' }),
  },
  async handle({ query }, context) {
    return { body: await listOf(context, query) };
  },
});

async function listOf(context: RequestContext, query: ListAsked): Promise<RawJsonBytes> {
  const { active, productType } = query;
  const [page, totals] = await Promise.all([
    pageMembers(context, ['products', query], query, () => filterOf(context, query)),
    totalMembers(context, { active, productType }),
  ]);
  return pageWith(page, totals);
}

/** A product still names in its record what was deleted since; it belongs there no more. */
async function filterOf(context: RequestContext, asked: ListAsked): Promise<Filter> {
  const { categoryId = null, brandId = null, tagId } = asked;
  const named = { categoryId, brandId, tagIds: tagId === undefined ? [] : [tagId] };
  return (await live(context, named)) ? { equal: equalTo(asked), ...wordsAsked(asked) } : NOTHING;
}

/** A tag is a word of its products. */
function wordsAsked({ q, tagId }: ListAsked): Filter {
  const typed = wordsFilter(q);
  if (tagId === undefined) return typed;
  const words = wordOfTag(tagId);
  return { ...typed, words: typed.words === undefined ? words : `${words} ${typed.words}` };
}

function equalTo({ active, productType, needsCreditPrice = false, categoryId, brandId }: ListAsked) {
  return {
    ...(categoryId === undefined ? {} : { categoryId }),
    ...(brandId === undefined ? {} : { brandId }),
    ...(active === undefined ? {} : { active: active ? 1 : 0 }),
    ...(productType === undefined ? {} : { productType }),
    ...(needsCreditPrice ? { missingCredit: 1 } : {}),
  };
}

const read = route({
  method: 'get',
  path: '/products/{id}',
  tag,
  summary: 'Gives one product with its variants and its entity tag',
  permission: 'products.view',
  request: { params: z.strictObject({ id: pathId }) },
  response: { status: 200, schema: productAnswer, etag: true },
  handle: ({ params }, context) => productReply(context, params.id),
});

const descriptionMatch = route({
  method: 'get',
  path: '/products/description-match',
  operationId: 'matchProductDescription',
  tag,
  summary: 'Tells whether a product has this description, whatever case and accents',
  permission: 'products.view',
  request: {
    query: z.strictObject({ description: name(LONGEST_QUERY), excludeId: id.optional() }),
  },
  response: {
    status: 200,
    schema: z.object({
      exists: z.boolean(),
      match: z.object({ id: z.uuid(), description: z.string() }).optional(),
    }),
  },
  async handle({ query }, context) {
    // Two are asked for, because at most one is excluded.
    const { items } = await context.reads.find(products, {
      equal: { description: foldText(query.description) },
      sort: { column: 'description', direction: 'asc' },
      limit: 2,
    });
    const match = items.find((item) => item.id !== query.excludeId);
    if (!match) return { body: { exists: false } };
    const { description } = JSON.parse(match.body) as { readonly description: string };
    return { body: { exists: true, match: { id: match.id, description } } };
  },
});

export const listRoutes = [listProducts, descriptionMatch, read];
