import { Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Catalogue, VariantFacts } from '../../contracts/catalogue.js';
import { NOT_KEPT_IN_STOCK } from '../../contracts/stock-keeper.js';

/** Among what the catalogue knows: those of which the lot that expires first leaves first. */
export const expiryFirst = (known: ReadonlyMap<string, VariantFacts>): ReadonlySet<string> =>
  new Set([...known.values()].filter(({ issueBy }) => issueBy === 'EXPIRY').map(({ variantId }) => variantId));

/** Refuses items that name no variant of the store, or one that has no stock of its own; gives what the catalogue knows of the others. */
export async function expectGoods(
  catalogue: Catalogue,
  context: RequestContext,
  items: readonly { readonly variantId: string }[],
): Promise<ReadonlyMap<string, VariantFacts>> {
  const known = await catalogue.variants(context, [...new Set(items.map(({ variantId }) => variantId))]);
  const where = (wrong: (facts: VariantFacts | undefined) => boolean): string[] =>
    items.flatMap(({ variantId }, index) => (wrong(known.get(variantId)) ? [`items[${String(index)}].variantId`] : []));
  const unknown = where((facts) => facts === undefined);
  if (unknown.length > 0) throw notFoundAt(...unknown);
  const unkept = where((facts) => facts?.productType === 'SERVICE' || facts?.components !== undefined);
  if (unkept.length === 0) return known;
  const errors = unkept.map((path) => ({ path, message: 'is a service or a kit' }));
  throw new Rejection(NOT_KEPT_IN_STOCK, undefined, { errors });
}
