import type { Held, ProductSum } from './found-lots.js';
import type { Balance } from './recall-balances.js';
import { balanceOf } from './recall-balances.js';
import type { SalesOfLots } from './sales-of-lots.js';
import { summedByProduct } from './summed-lots.js';

/** What lots of a recall add up to: what takes long to work out, and rests on nothing but them. */

/** What was sold of a product: of its lots with the code, or of those that were made with them. */
type SoldOfProduct = Pick<ProductSum, 'variantId' | 'sold' | 'returned'>;

export interface Totals {
  readonly sold: readonly SoldOfProduct[];
  /** What still lies somewhere, in the order of the lots' ids. */
  readonly remaining: readonly Held[];
  readonly balances: readonly Balance[];
}

export interface RecallSums extends Totals {
  readonly sales: SalesOfLots;
}

/** Takes lots, or sums of lots. */
export function totalsOf(kind: Balance['kind'], some: readonly ProductSum[]): Totals {
  const sold = summedByProduct(some);
  return {
    sold,
    remaining: some.flatMap(({ held }) => held).sort(byId),
    balances: sold.map((sum) => ({ kind, variantId: sum.variantId, ...balanceOf(sum) })),
  };
}

export const together = (one: Totals, other: Totals): Totals => ({
  sold: [...one.sold, ...other.sold],
  remaining: one.remaining.length === 0 ? other.remaining : [...one.remaining, ...other.remaining].sort(byId),
  balances: [...one.balances, ...other.balances],
});

const byId = (a: { readonly lotId: string }, b: { readonly lotId: string }): number =>
  a.lotId < b.lotId ? -1 : a.lotId > b.lotId ? 1 : 0;
