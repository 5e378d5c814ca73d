import { categories } from '../../../../projections/categories/categories.js';
import { products } from '../../../../projections/products/products.js';
import type { VariantLabel } from '../../contracts/catalogue.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { StockServices } from './services.js';

/** What the goods of a valuation are called, and where they belong. */

export interface Named {
  readonly label: VariantLabel | undefined;
  /** The name of the whole product, where the label names one of several variants. */
  readonly product: string | null;
  readonly categoryId: string | null;
  readonly category: string | null;
}

interface StoredProduct {
  readonly id: string;
  readonly description: string;
  readonly categoryId: string | null;
}

/** The names of every variant that is asked for; a category that was deleted is none. */
export async function namesOf(
  { catalogue }: StockServices,
  context: RequestContext,
  variantIds: readonly string[],
): Promise<(variantId: string) => Named> {
  const labels = await catalogue.labels(context, variantIds);
  const productIds = [...new Set([...labels.values()].map(({ productId }) => productId))];
  const bodies = await context.reads.getBodies(products, productIds);
  const byId = new Map(
    bodies.flatMap((body) => {
      const product = body === undefined ? undefined : (JSON.parse(body) as StoredProduct);
      return product ? [[product.id, product] as const] : [];
    }),
  );
  const ids = [...new Set([...byId.values()].flatMap(({ categoryId }) => categoryId ?? []))];
  const found = ids.length === 0 ? [] : await context.reads.getMany(categories, ids);
  const names = new Map(found.map(({ id, body }) => [id, (JSON.parse(body) as { readonly name: string }).name]));
  return (variantId) => {
    const label = labels.get(variantId);
    const product = byId.get(label?.productId ?? '');
    const category = names.get(product?.categoryId ?? '') ?? null;
    const categoryId = category === null ? null : (product?.categoryId ?? null);
    return { label, product: product?.description ?? null, categoryId, category };
  };
}
