import type { ShelfTotals } from '../../../projections/products.js';
import { products, shelfOf } from '../../../projections/products.js';
import { totalsOf } from '../../kernel/projector.js';
import type { RequestContext } from '../../kernel/route.js';
import { PRODUCT_TYPES } from './events.js';

/** Of what a summary speaks: everything that these let through. */
export interface Scope {
  readonly active?: boolean | undefined;
  readonly productType?: (typeof PRODUCT_TYPES)[number] | undefined;
}

export interface CatalogueTotals {
  readonly inactiveCount: number;
  readonly missingCreditCount: number;
  readonly scope: Required<ShelfTotals>;
}

const SHELVES = [true, false].flatMap((active) =>
  PRODUCT_TYPES.map((productType) => ({ active, productType, id: shelfOf(active, productType) })),
);

/** What the store's products come to, kept while they change: one small read. */
export async function catalogueTotals(context: RequestContext, scope: Scope): Promise<CatalogueTotals> {
  const found = await context.reads.getMany(
    totalsOf(products),
    SHELVES.map(({ id }) => id),
  );
  const totals = new Map(found.map(({ id, body }) => [id, JSON.parse(body) as ShelfTotals]));
  const sum = (counter: keyof ShelfTotals, { active, productType }: Scope): number =>
    SHELVES.filter((shelf) => (active ?? shelf.active) === shelf.active)
      .filter((shelf) => (productType ?? shelf.productType) === shelf.productType)
      .reduce((total, { id }) => total + (totals.get(id)?.[counter] ?? 0), 0);
  return {
    inactiveCount: sum('products', { active: false }),
    missingCreditCount: sum('missingCredit', {}),
    scope: {
      products: sum('products', scope),
      variants: sum('variants', scope),
      missingCredit: sum('missingCredit', scope),
    },
  };
}
