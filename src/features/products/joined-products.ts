import { brands } from '../../../projections/brands/brands.js';
import { categories } from '../../../projections/categories/categories.js';
import type { Kit, KitPart } from '../../../projections/products/kits.js';
import { kits } from '../../../projections/products/kits.js';
import { products } from '../../../projections/products/products.js';
import { tags } from '../../../projections/tags/tags.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { Reply, RequestContext } from '../../kernel/routes/route.js';
import { RawJson } from '../../kernel/routes/route.js';
import type { RecordCollection } from '../../ports/read-models.js';
import type { Stock, VariantStock } from './stock.js';
import { readStock, stockOf, stockOfKit, stockTogether } from './stock.js';
import type { StoredText } from './stored-text.js';
import { answerText, storedText } from './stored-text.js';

/** Products with what lies apart from them: stock, a kit's parts, and which category, brand and tags still live. */

/** The JSON of each, with one read a collection for all of them. */
export async function joinedProducts(context: RequestContext, bodies: readonly string[]): Promise<readonly string[]> {
  const texts = bodies.map(storedText);
  const [alive, partsByKit] = await Promise.all([readLiving(context, texts), readParts(context, texts)]);
  const components = [...partsByKit.values()].flat().map(({ componentVariantId }) => componentVariantId);
  const stocked = texts.filter(({ id }) => !partsByKit.has(id)).flatMap(({ variants }) => variants.map(({ id }) => id));
  const stock = await readStock(context, [...new Set([...stocked, ...components])]);
  return texts.map((text) => joined(text, alive, partsByKit.get(text.id), stock));
}

/** One product with its entity tag. */
export async function productReply(context: RequestContext, id: string): Promise<Reply> {
  const record = await context.reads.get(products, id);
  if (!record) throw new Rejection(NOT_FOUND);
  const [text = ''] = await joinedProducts(context, [record.body]);
  const { revision } = JSON.parse(record.hidden) as { readonly revision: number };
  return { body: new RawJson(text), etag: revision };
}

/** A product that was only just created, without a read: what it names is alive, and its stock is known. */
export function newProductText(body: string, stock: Stock): string {
  const text = storedText(body);
  const named = [text.categoryId, text.brandId, ...text.tagIds].filter((id) => id !== '');
  return joined(text, new Set(named), undefined, stock);
}

function joined(
  text: StoredText,
  alive: ReadonlySet<string>,
  components: readonly KitPart[] | undefined,
  stock: Stock,
): string {
  const living = (id: string): string | null => (id !== '' && alive.has(id) ? id : null);
  const stocks = text.variants.map(({ id }) =>
    components ? stockOfKit(partsOf(id, components), stock) : stockOf(stock, id),
  );
  const { quantity, averageCost } = stockTogether(stocks);
  return answerText(text, {
    categoryId: living(text.categoryId),
    brandId: living(text.brandId),
    tagIds: text.tagIds.filter((id) => alive.has(id)),
    components,
    stockQty: quantity,
    averageCost,
    variants: stocks.map(stockMembers),
  });
}

const partsOf = (variantId: string, components: readonly KitPart[]): readonly KitPart[] =>
  components.filter(({ parentVariantId }) => parentVariantId === null || parentVariantId === variantId);

const stockMembers = ({ quantity, averageCost, lotControlSince }: VariantStock): string =>
  `"stockQty":${String(quantity)},"averageCost":${String(averageCost)},"lotControlSince":${JSON.stringify(lotControlSince)}`;

/** Of the categories, brands and tags that products name, those that are still there. */
async function readLiving(context: RequestContext, texts: readonly StoredText[]): Promise<ReadonlySet<string>> {
  const among = async (collection: RecordCollection<never>, ids: readonly string[]) => {
    const named = [...new Set(ids)].filter((id) => id !== '');
    return named.length === 0 ? [] : context.reads.getMany(collection, named);
  };
  const found = await Promise.all([
    among(
      categories,
      texts.map(({ categoryId }) => categoryId),
    ),
    among(
      brands,
      texts.map(({ brandId }) => brandId),
    ),
    among(
      tags,
      texts.flatMap(({ tagIds }) => tagIds),
    ),
  ]);
  return new Set(found.flat().map(({ id }) => id));
}

async function readParts(
  context: RequestContext,
  texts: readonly StoredText[],
): Promise<ReadonlyMap<string, readonly KitPart[]>> {
  const composite = texts.filter(({ isComposite }) => isComposite).map(({ id }) => id);
  if (composite.length === 0) return new Map();
  const found = await context.reads.getMany(kits, composite);
  const parts = new Map<string, readonly KitPart[]>(composite.map((id) => [id, []]));
  for (const { id, body } of found) parts.set(id, (JSON.parse(body) as Kit).components);
  return parts;
}
