import { setImmediate as othersFirst } from 'node:timers/promises';
import { brands } from '../../../projections/brands/brands.js';
import { categories } from '../../../projections/categories/categories.js';
import { stock as stockCollection } from '../../../projections/inventory/stock.js';
import type { KitPart } from '../../../projections/products/kits.js';
import { kits } from '../../../projections/products/kits.js';
import type { ProductDocument } from '../../../projections/products/parts/product-document.js';
import { products } from '../../../projections/products/products.js';
import { tags } from '../../../projections/tags/tags.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply } from '../../kernel/routes/route.js';
import { RawJson } from '../../kernel/routes/route.js';
import { readTogether } from '../../kernel/values/json-texts.js';
import { memoise } from '../../kernel/values/memoise.js';
import type { RecordCollection, Resting } from '../../ports/read-models.js';
import { componentsComplete } from './answers.js';
import type { Part } from './kit-parts.js';
import { NestedKits, partsOf, readParts } from './kit-parts.js';
import type { ProductText } from './product-text.js';
import { joinedText, productText } from './product-text.js';
import type { Stock, VariantStock } from './stock.js';
import { readStock, stockOf, stockOfKit, stockTogether } from './stock.js';
import { found, revisionOf } from '../../kernel/routes/stored-records.js';

/** A product as its read model gives it. */
type StoredProduct = Omit<ProductDocument, 'revision'>;

/** Products with what lies apart from them: stock, a kit's parts, and which category, brand and tags still live. */

/** All that products with their joins rest on: of the first two the records that are shown. */
export const BENEATH_PRODUCTS = { records: [products, stockCollection], collections: [kits, categories, brands, tags] };

/** The JSON of each, with one read a collection for all of them. */
export async function joinedProducts(
  context: RequestContext,
  bodies: readonly string[],
  shows?: Resting['shows'],
): Promise<readonly string[]> {
  const texts = bodies.map(productText);
  const whole = await joinedWhole(
    context,
    bodies.filter((_, index) => texts[index] === undefined),
  );
  const known = texts.filter((text) => text !== undefined);
  const variantIds = [...new Set(known.flatMap(({ variants }) => variants.map(({ id }) => id)))];
  // A kit rests on records of other products.
  if (whole.length === 0) {
    shows?.(
      products,
      known.map(({ id }) => id),
    );
    shows?.(stockCollection, variantIds);
  }
  const [alive, stock] = await Promise.all([readLiving(context, known), readStock(context, variantIds)]);
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

/** The category, brand and tags that a product names. */
type Named = Pick<ProductText, 'categoryId' | 'brandId' | 'tagIds'>;

const namesLiving = ({ categoryId, brandId, tagIds }: Named, alive: ReadonlySet<string>): boolean =>
  [categoryId, brandId, ...tagIds].every((id) => id === null || alive.has(id));

/** Whether all of them are still there. */
export const live = async (context: RequestContext, named: Named): Promise<boolean> =>
  namesLiving(named, await readLiving(context, [named]));

/** Kits, and whatever else is not told by its text. */
async function joinedWhole(context: RequestContext, bodies: readonly string[]): Promise<readonly string[]> {
  if (bodies.length === 0) return [];
  const stored = readTogether(bodies) as readonly StoredProduct[];
  const [alive, readKit] = await Promise.all([readLiving(context, stored), readKits(context, stored)]);
  const stocked = stored.filter(({ id }) => !readKit.has(id)).flatMap(({ variants }) => variants.map(({ id }) => id));
  const needed = new Set(stocked);
  for (const { goods } of readKit.values()) {
    for (const parts of new Set(goods)) for (const { componentVariantId } of parts) needed.add(componentVariantId);
  }
  const stock = await readStock(context, [...needed]);
  const texts: string[] = [];
  for (const product of stored) {
    const kit = readKit.get(product.id);
    texts.push(JSON.stringify(joined(product, alive, kit, stock)));
    if (kit) await othersFirst();
  }
  return texts;
}

/** A kit's parts, and for each of its variants what leaves the stock for one of it. */
interface ReadKit {
  readonly components: readonly KitPart[];
  readonly goods: readonly (readonly Part[])[];
}

async function readKits(
  context: RequestContext,
  stored: readonly StoredProduct[],
): Promise<ReadonlyMap<string, ReadKit>> {
  const composite = stored.filter(({ isComposite }) => isComposite);
  const parts = await readParts(
    context,
    composite.map(({ id }) => id),
  );
  const all = [...parts.values()].flat();
  const nested = await NestedKits.below(
    context,
    all.map(({ componentVariantId }) => componentVariantId),
  );
  const read = new Map<string, ReadKit>();
  for (const { id, variants } of composite) {
    const components = parts.get(id) ?? [];
    read.set(id, { components, goods: goodsOfEach(variants, components, nested) });
    await othersFirst();
  }
  return read;
}

/** Variants without parts of their own share one list. */
function goodsOfEach(
  variants: StoredProduct['variants'],
  components: readonly KitPart[],
  nested: NestedKits,
): ReadKit['goods'] {
  const withOwn = new Set(components.map(({ parentVariantId }) => parentVariantId));
  const shared = nested.goodsOf(partsOf('', components));
  return variants.map(({ id }) => (withOwn.has(id) ? nested.goodsOf(partsOf(id, components)) : shared));
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

function joined(product: StoredProduct, alive: ReadonlySet<string>, kit: ReadKit | undefined, stock: Stock): object {
  const living = (id: string | null): string | null => (id !== null && alive.has(id) ? id : null);
  const kitStock = memoise((goods: readonly Part[]) => stockOfKit(goods, stock));
  const stocks = product.variants.map(({ id }, index) => (kit ? kitStock(kit.goods[index] ?? []) : stockOf(stock, id)));
  const { components = [] } = kit ?? {};
  const { quantity, averageCost } = stockTogether(stocks);
  const { id, categoryId, brandId, tagIds, isComposite, expectedComponentCount, ...rest } = product;
  return {
    id,
    categoryId: living(categoryId),
    brandId: living(brandId),
    tagIds: tagIds.filter((tagId) => alive.has(tagId)),
    isComposite,
    expectedComponentCount,
    components,
    componentsComplete: componentsComplete(expectedComponentCount, components),
    stockQty: quantity,
    averageCost,
    ...rest,
    variants: product.variants.map(({ id: variantId, ...variant }, index) => {
      return { id: variantId, ...stockMembers(stocks[index]), ...variant };
    }),
  };
}

const stockMembers = (known: VariantStock | undefined) => ({
  stockQty: known?.quantity ?? 0,
  averageCost: known ? known.averageCost : null,
  lotControlSince: known?.lotControlSince ?? null,
});

/** Those of the categories, brands and tags that products name which are still there. */
async function readLiving(context: RequestContext, stored: readonly Named[]): Promise<ReadonlySet<string>> {
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
