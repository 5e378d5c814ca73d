import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/route.js';
import type { Catalogue, VariantFacts } from '../../contracts/catalogue.js';
import { NOT_KEPT_IN_STOCK } from '../../contracts/stock-keeper.js';

/** Refuses items that name no variant of the store, or one that has no stock of its own. */
export async function expectGoods(
  catalogue: Catalogue,
  context: RequestContext,
  items: readonly { readonly variantId: string }[],
): Promise<void> {
  const known = await catalogue.variants(context, [...new Set(items.map(({ variantId }) => variantId))]);
  const where = (wrong: (facts: VariantFacts | undefined) => boolean): string[] =>
    items.flatMap(({ variantId }, index) => (wrong(known.get(variantId)) ? [`items[${String(index)}].variantId`] : []));
  const unknown = where((facts) => facts === undefined);
  if (unknown.length > 0) throw notFoundAt(...unknown);
  const unkept = where((facts) => facts?.productType === 'SERVICE' || facts?.components !== undefined);
  if (unkept.length === 0) return;
  const errors = unkept.map((path) => ({ path, message: 'is a service or a kit' }));
  throw new Rejection(NOT_KEPT_IN_STOCK, undefined, { errors });
}
