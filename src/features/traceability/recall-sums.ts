import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { Held, KnownLot } from './found-lots.js';
import type { Balance } from './recall-balances.js';
import { balancesOf } from './recall-balances.js';
import type { SalesOfLots } from './sales-of-lots.js';

/** What lots of a recall add up to: what takes long to work out, and rests on nothing but them. */

/** Of all lots of a product with the code, or of all that were made with them. */
interface SoldOfProduct {
  readonly variantId: string;
  readonly sold: Decimal;
  readonly returned: Decimal;
}

export interface Totals {
  readonly sold: readonly SoldOfProduct[];
  /** What still lies somewhere, in the order of the lots' ids. */
  readonly remaining: readonly Held[];
  readonly balances: readonly Balance[];
}

export interface RecallSums extends Totals {
  readonly sales: SalesOfLots;
}

export function totalsOf(kind: Balance['kind'], lots: readonly KnownLot[]): Totals {
  const byProduct = grouped(lots, ({ variantId }) => variantId);
  return { sold: soldOf(byProduct), remaining: remainingOf(lots), balances: balancesOf(kind, byProduct) };
}

export const together = (one: Totals, other: Totals): Totals => ({
  sold: [...one.sold, ...other.sold],
  remaining: one.remaining.length === 0 ? other.remaining : [...one.remaining, ...other.remaining].sort(byId),
  balances: [...one.balances, ...other.balances],
});

/** `lots` by product. */
const soldOf = (lots: ReadonlyMap<string, readonly KnownLot[]>): readonly SoldOfProduct[] =>
  [...lots].map(([variantId, some]) => ({
    variantId,
    sold: Decimal.sumOf(some, ({ sold }) => sold),
    returned: Decimal.sumOf(some, ({ returned }) => returned),
  }));

const byId = (a: { readonly lotId: string }, b: { readonly lotId: string }): number =>
  a.lotId < b.lotId ? -1 : a.lotId > b.lotId ? 1 : 0;

const remainingOf = (lots: readonly KnownLot[]): readonly Held[] =>
  lots
    .filter(({ held }) => held.length > 0)
    .sort(byId)
    .flatMap(({ held }) => held);
