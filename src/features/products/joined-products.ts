import { brands } from '../../../projections/brands/brands.js';
import { categories } from '../../../projections/categories/categories.js';
import type { Kit, KitPart } from '../../../projections/products/kits.js';
import { kits } from '../../../projections/products/kits.js';
import type { ProductDocument } from '../../../projections/products/parts/product-document.js';
import { products } from '../../../projections/products/products.js';
import { tags } from '../../../projections/tags/tags.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply } from '../../kernel/routes/route.js';
import { RawJson } from '../../kernel/routes/route.js';
import type { RecordCollection } from '../../ports/read-models.js';
import { componentsComplete } from './answers.js';
import type { ProductText } from './product-text.js';
import { joinedText, productText } from './product-text.js';
import type { Stock, VariantStock } from './stock.js';
import { readStock, stockOf, stockOfKit, stockTogether } from './stock.js';
import { found, revisionOf } from '../../kernel/routes/stored-records.js';

/** A product as its read model gives it. */
type StoredProduct = Omit<ProductDocument, 'revision'>;

/** Products with what lies apart from them: stock, a kit's parts, and which category, brand and tags still live. */

/** The JSON of each, with one read a collection for all of them. */
export async function joinedProducts(context: RequestContext, bodies: readonly string[]): Promise<readonly string[]> {
  const texts = bodies.map(productText);
  const whole = await joinedWhole(
    context,
    bodies.filter((_, index) => texts[index] === undefined),
  );
  const known = texts.filter((text) => text !== undefined);
  const [alive, stock] = await Promise.all([
    readLiving(context, known),
    readStock(context, [...new Set(known.flatMap(({ variants }) => variants.map(({ id }) => id)))]),
  ]);
  let others = 0;
  return texts.map((text, index) => {
    if (!text) return whole[others++] ?? '';
    return namesLiving(text, alive)
      ? joinedText(text, joinsOf(text, stock))
      : JSON.stringify(joined(JSON.parse(bodies[index] ?? '') as StoredProduct, alive, undefined, stock));
  });
}

/** What is put into the text of a plain product and of its variants. */
const joinsOf = ({ variants }: ProductText, stock: Stock) => ({
  product: `"components":[],"componentsComplete":true,${membersOf(stockTogether(variants.map(({ id }) => stockOf(stock, id))))}`,
  variant(id: string): string {
    const known = stockOf(stock, id);
    return `${membersOf(known)}"lotControlSince":${JSON.stringify(known.lotControlSince)},`;
  },
});

const membersOf = ({ quantity, averageCost }: Pick<VariantStock, 'quantity' | 'averageCost'>): string =>
  `"stockQty":${String(quantity)},${averageCost === undefined ? '' : `"averageCost":${String(averageCost)},`}`;

const namesLiving = ({ categoryId, brandId, tagIds }: ProductText, alive: ReadonlySet<string>): boolean =>
  [categoryId, brandId, ...tagIds].every((id) => id === null || alive.has(id));

/** Kits, and whatever else is not told by its text. */
async function joinedWhole(context: RequestContext, bodies: readonly string[]): Promise<readonly string[]> {
  if (bodies.length === 0) return [];
  // One text of many is read in half the time of so many texts.
  const stored = JSON.parse(`[${bodies.join(',')}]`) as readonly StoredProduct[];
  const [alive, partsByKit] = await Promise.all([readLiving(context, stored), readParts(context, stored)]);
  const components = [...partsByKit.values()].flat().map(({ componentVariantId }) => componentVariantId);
  const stocked = stored
    .filter(({ id }) => !partsByKit.has(id))
    .flatMap(({ variants }) => variants.map(({ id }) => id));
  const stock = await readStock(context, [...new Set([...stocked, ...components])]);
  return stored.map((product) => JSON.stringify(joined(product, alive, partsByKit.get(product.id), stock)));
}

/** One product with its entity tag. */
export async function productReply(context: RequestContext, id: string): Promise<Reply> {
  const record = found(await context.reads.get(products, id));
  const [text = ''] = await joinedProducts(context, [record.body]);
  return { body: new RawJson(text), etag: revisionOf(record) };
}

/** A product that was only just created, without a read: what it names is alive, and its stock is known. */
export function newProductAnswer(product: StoredProduct, stock: Stock): object {
  const named = [product.categoryId, product.brandId, ...product.tagIds].filter((id) => id !== null);
  return joined(product, new Set(named), undefined, stock);
}

function joined(
  product: StoredProduct,
  alive: ReadonlySet<string>,
  components: readonly KitPart[] | undefined,
  stock: Stock,
): object {
  const living = (id: string | null): string | null => (id !== null && alive.has(id) ? id : null);
  const stocks = product.variants.map(({ id }) =>
    components ? stockOfKit(partsOf(id, components), stock) : stockOf(stock, id),
  );
  const { quantity, averageCost } = stockTogether(stocks);
  const { id, categoryId, brandId, tagIds, isComposite, expectedComponentCount, ...rest } = product;
  return {
    id,
    categoryId: living(categoryId),
    brandId: living(brandId),
    tagIds: tagIds.filter((tagId) => alive.has(tagId)),
    isComposite,
    expectedComponentCount,
    components: components ?? [],
    componentsComplete: componentsComplete(expectedComponentCount, components ?? []),
    stockQty: quantity,
    averageCost,
    ...rest,
    variants: product.variants.map(({ id: variantId, ...variant }, index) => {
      return { id: variantId, ...stockMembers(stocks[index]), ...variant };
    }),
  };
}

const partsOf = (variantId: string, components: readonly KitPart[]): readonly KitPart[] =>
  components.filter(({ parentVariantId }) => parentVariantId === null || parentVariantId === variantId);

const stockMembers = (known: VariantStock | undefined) => ({
  stockQty: known?.quantity ?? 0,
  averageCost: known ? known.averageCost : null,
  lotControlSince: known?.lotControlSince ?? null,
});

/** Those of the categories, brands and tags that products name which are still there. */
async function readLiving(
  context: RequestContext,
  stored: readonly Pick<ProductText, 'categoryId' | 'brandId' | 'tagIds'>[],
): Promise<ReadonlySet<string>> {
  const among = async (collection: RecordCollection<never>, ids: readonly (string | null)[]) => {
    const named = [...new Set(ids)].filter((id) => id !== null);
    return named.length === 0 ? [] : context.reads.getMany(collection, named);
  };
  const found = await Promise.all([
    among(
      categories,
      stored.map(({ categoryId }) => categoryId),
    ),
    among(
      brands,
      stored.map(({ brandId }) => brandId),
    ),
    among(
      tags,
      stored.flatMap(({ tagIds }) => tagIds),
    ),
  ]);
  return new Set(found.flat().map(({ id }) => id));
}

async function readParts(
  context: RequestContext,
  stored: readonly StoredProduct[],
): Promise<ReadonlyMap<string, readonly KitPart[]>> {
  const composite = stored.filter(({ isComposite }) => isComposite).map(({ id }) => id);
  if (composite.length === 0) return new Map();
  const found = await context.reads.getMany(kits, composite);
  const parts = new Map<string, readonly KitPart[]>(composite.map((id) => [id, []]));
  for (const { id, body } of found) parts.set(id, (JSON.parse(body) as Kit).components);
  return parts;
}
