import { Decimal, QUANTITY_DECIMALS } from '../../../kernel/values/decimal.js';
import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Catalogue, VariantFacts } from '../../contracts/catalogue.js';
import type { SoldKit } from '../events.js';
import { KIT_EMPTY, PRODUCT_INACTIVE } from '../rejections.js';

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
    const asked = new Set(wanted);
    wanted = [...parts].filter((id) => !known.has(id) && !asked.has(id));
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

/** How the kits among goods are made up: they may be made up otherwise when a document of the sale is issued. */
export function kitsAmong(known: Known): readonly SoldKit[] {
  const kits: SoldKit[] = [];
  for (const { variantId: kit, components } of known.values()) {
    if (!components) continue;
    const parts = components.map(({ variantId, quantity }) => {
      const priceCash = known.get(variantId)?.priceCash ?? Decimal.zero;
      return { variantId, quantity, priceCash };
    });
    kits.push({ variantId: kit, parts });
  }
  return kits;
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

  /** Parts are worked out before what they are part of, without recursion: old stores may have kits of any depth. */
  private of(variantId: string): readonly Goods[] {
    const waiting = [variantId];
    const begun = new Set<string>();
    for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
      const parts = begun.has(next) ? [] : this.unknownParts(next);
      begun.add(next);
      if (parts.length > 0) {
        waiting.push(...parts.filter((part) => !begun.has(part)));
        continue;
      }
      waiting.pop();
      if (!this.found.has(next)) this.found.set(next, this.goodsOf(next));
    }
    return this.found.get(variantId) ?? [];
  }

  private unknownParts(variantId: string): readonly string[] {
    const parts = (this.known.get(variantId)?.components ?? []).map((part) => part.variantId);
    return parts.filter((part) => !this.found.has(part));
  }

  private goodsOf(variantId: string): readonly Goods[] {
    const facts = this.known.get(variantId);
    if (facts && !facts.components) {
      return facts.productType === 'SERVICE' ? [] : [{ variantId, quantity: Decimal.one }];
    }
    const sums = new Map<string, Decimal>();
    for (const { variantId: part, quantity } of facts?.components ?? []) {
      for (const goods of this.found.get(part) ?? []) {
        sums.set(goods.variantId, goods.quantity.times(quantity).plus(sums.get(goods.variantId) ?? Decimal.zero));
      }
    }
    if (sums.size === 0) throw new Rejection(KIT_EMPTY);
    return [...sums].map(([part, quantity]) => ({ variantId: part, quantity }));
  }
}
