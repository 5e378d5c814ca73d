import { Decimal } from '../../../kernel/values/decimal.js';
import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/route.js';
import type { Catalogue, VariantFacts } from '../../contracts/catalogue.js';
import { KIT_EMPTY, PRODUCT_INACTIVE } from '../rejections.js';

const QUANTITY_DECIMALS = 6;

type Known = ReadonlyMap<string, VariantFacts>;

/** What the catalogue knows of what is sold, and of the parts of kits down to the last. */
export async function readGoods(
  catalogue: Catalogue,
  context: RequestContext,
  variantIds: readonly string[],
): Promise<Known> {
  const known = new Map<string, VariantFacts>();
  let wanted = [...new Set(variantIds)];
  while (wanted.length > 0) {
    const found = await catalogue.variants(context, wanted);
    const parts = new Set<string>();
    for (const [id, facts] of found) {
      known.set(id, facts);
      for (const { variantId } of facts.components ?? []) parts.add(variantId);
    }
    wanted = [...parts].filter((id) => !known.has(id) && !wanted.includes(id));
  }
  return known;
}

/** The facts of each item; refuses what the catalogue does not know or does not sell. */
export function expectSold(known: Known, items: readonly { readonly variantId: string }[]): readonly VariantFacts[] {
  const unknown: string[] = [];
  const inactive: string[] = [];
  const facts = items.flatMap(({ variantId }, index) => {
    const found = known.get(variantId);
    const path = `items[${String(index)}].variantId`;
    if (!found) unknown.push(path);
    else if (!found.active) inactive.push(path);
    return found ? [found] : [];
  });
  if (unknown.length > 0) throw notFoundAt(...unknown);
  if (inactive.length > 0) {
    const errors = inactive.map((path) => ({ path, message: 'names a product that is not sold any more' }));
    throw new Rejection(PRODUCT_INACTIVE, undefined, { errors });
  }
  return facts;
}

interface Goods {
  readonly variantId: string;
  readonly quantity: Decimal;
}

/** What leaves the stock for one of something: itself, nothing for a service, the parts of a kit down to the last. */
export class GoodsOfOne {
  private readonly found = new Map<string, readonly Goods[]>();

  constructor(private readonly known: Known) {}

  times(variantId: string, quantity: Decimal): readonly Goods[] {
    const goods: Goods[] = [];
    for (const one of this.of(variantId)) {
      const needed = one.quantity.times(quantity).round(QUANTITY_DECIMALS);
      if (needed.isPositive) goods.push({ variantId: one.variantId, quantity: needed });
    }
    return goods;
  }

  private of(variantId: string): readonly Goods[] {
    const found = this.found.get(variantId);
    if (found) return found;
    this.found.set(variantId, []); // no kit holds itself, but nobody should wait for ever if one did
    const goods = this.look(variantId);
    this.found.set(variantId, goods);
    return goods;
  }

  private look(variantId: string): readonly Goods[] {
    const facts = this.known.get(variantId);
    if (facts && !facts.components) {
      return facts.productType === 'SERVICE' ? [] : [{ variantId, quantity: Decimal.one }];
    }
    const sums = new Map<string, Decimal>();
    for (const { variantId: part, quantity } of facts?.components ?? []) {
      for (const goods of this.of(part)) {
        sums.set(goods.variantId, goods.quantity.times(quantity).plus(sums.get(goods.variantId) ?? Decimal.zero));
      }
    }
    if (sums.size === 0) throw new Rejection(KIT_EMPTY);
    return [...sums].map(([part, quantity]) => ({ variantId: part, quantity }));
  }
}
