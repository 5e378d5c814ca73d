import type { MassBalance } from './domain/mass-balance.js';
import { massBalance } from './domain/mass-balance.js';
import type { KnownProducts, Sum } from './found-lots.js';

/** What became of the lots of a recall: a balance for each product, so that kilograms are never added to pieces. */

/** The balance of one product's lots: of those with the code, or of those that were made with them. */
export interface Balance extends MassBalance {
  readonly kind: 'MATCHED' | 'REACHED';
  readonly variantId: string;
}

/** The lots behind the sum must be counted in one unit. */
export const balanceOf = ({ life, inStock }: Sum): MassBalance => massBalance(life, inStock);

/** With the names of the products. */
export const shownBalances = (balances: readonly Balance[], { facts }: KnownProducts) =>
  balances.map(({ kind, variantId, ...balance }) => ({
    kind,
    variantId,
    description: facts.get(variantId)?.description ?? null,
    unit: facts.get(variantId)?.saleUnit ?? null,
    ...balance,
  }));
