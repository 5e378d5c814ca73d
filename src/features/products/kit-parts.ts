import type { Kit, KitPart } from '../../../projections/products/kits.js';
import { kits } from '../../../projections/products/kits.js';
import type { ProductDocument } from '../../../projections/products/parts/product-document.js';
import { products } from '../../../projections/products/products.js';
import type { VariantOwner } from '../../../projections/products/variants.js';
import { variants } from '../../../projections/products/variants.js';
import { Decimal } from '../../kernel/values/decimal.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';

/** The parts of kits as the read models have them, down to what lies on shelves. */

export interface Part {
  readonly componentVariantId: string;
  readonly quantity: Decimal;
}

/** What one variant of a kit is made of: its own parts and those of all its variants. */
export const partsOf = (variantId: string, components: readonly KitPart[]): readonly Part[] =>
  components
    .filter(({ parentVariantId }) => parentVariantId === null || parentVariantId === variantId)
    .map(({ componentVariantId, quantity }) => ({ componentVariantId, quantity: Decimal.from(quantity) }));

/** The parts of these products, by their ids; those that are no kits are missing. */
export async function readParts(
  context: RequestContext,
  composite: readonly string[],
): Promise<ReadonlyMap<string, readonly KitPart[]>> {
  if (composite.length === 0) return new Map();
  const found = await context.reads.getMany(kits, composite);
  const parts = new Map<string, readonly KitPart[]>(composite.map((id) => [id, []]));
  for (const { id, body } of found) parts.set(id, (JSON.parse(body) as Kit).components);
  return parts;
}

const parsed = (bodies: readonly (string | undefined)[]): readonly unknown[] =>
  bodies.flatMap((body) => (body === undefined ? [] : [JSON.parse(body) as unknown]));

/** Which of these variants are kits themselves, and of what. */
async function kitsAmong(
  context: RequestContext,
  variantIds: readonly string[],
): Promise<readonly (readonly [variantId: string, parts: readonly Part[]])[]> {
  const owners = parsed(await context.reads.getBodies(variants, variantIds)) as readonly VariantOwner[];
  const made = await context.reads.getMany(kits, [...new Set(owners.map(({ productId }) => productId))]);
  const ids = made.map(({ id }) => id);
  const bodies = ids.length === 0 ? [] : await context.reads.getBodies(products, ids);
  const known = parsed(bodies) as readonly ProductDocument[];
  const parts = await readParts(
    context,
    known.flatMap(({ id, isComposite }) => (isComposite ? [id] : [])),
  );
  return owners.flatMap(({ id, productId }) => {
    const components = parts.get(productId);
    return components ? [[id, partsOf(id, components)] as const] : [];
  });
}

/** Kits that are parts of kits. */
export class NestedKits {
  private readonly goods = new Map<string, readonly Part[]>();

  private constructor(private readonly parts: ReadonlyMap<string, readonly Part[]>) {}

  /** Those among these variants, those among their parts, and so on: one read for each level. */
  static async below(context: RequestContext, variantIds: readonly string[]): Promise<NestedKits> {
    const parts = new Map<string, readonly Part[]>();
    const seen = new Set<string>();
    let level: readonly string[] = [...new Set(variantIds)];
    while (level.length > 0) {
      for (const id of level) seen.add(id);
      const found = await kitsAmong(context, level);
      for (const [id, own] of found) parts.set(id, own);
      const next = found.flatMap(([, own]) => own.map(({ componentVariantId }) => componentVariantId));
      level = [...new Set(next)].filter((id) => !seen.has(id));
    }
    return new NestedKits(parts);
  }

  /** The same goods without kits among them, each once. */
  goodsOf(parts: readonly Part[]): readonly Part[] {
    // A kit's variant may take more of what all of them take.
    const isOnce = new Set(parts.map(({ componentVariantId }) => componentVariantId)).size === parts.length;
    if (isOnce && !parts.some(({ componentVariantId }) => this.parts.has(componentVariantId))) return parts;
    const sums = new Map<string, Decimal>();
    for (const { componentVariantId, quantity } of parts) {
      for (const goods of this.goodsOfOne(componentVariantId)) {
        const more = goods.quantity.times(quantity);
        sums.set(goods.componentVariantId, more.plus(sums.get(goods.componentVariantId) ?? Decimal.zero));
      }
    }
    return [...sums].map(([componentVariantId, quantity]) => ({ componentVariantId, quantity }));
  }

  private goodsOfOne(variantId: string): readonly Part[] {
    const own = this.parts.get(variantId);
    if (!own) return [{ componentVariantId: variantId, quantity: Decimal.one }];
    let goods = this.goods.get(variantId);
    if (!goods) this.goods.set(variantId, (goods = this.goodsOf(own)));
    return goods;
  }
}
