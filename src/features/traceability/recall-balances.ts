import { Decimal } from '../../kernel/values/decimal.js';
import type { MassBalance } from './domain/mass-balance.js';
import { massBalance } from './domain/mass-balance.js';
import type { KnownLot, KnownProducts } from './found-lots.js';

/** What became of the lots of a recall: a balance for each product, so that kilograms are never added to pieces. */

/** Of the lots with the code, or of those that were made with them, all of one product. */
export interface Balance extends MassBalance {
  readonly kind: 'MATCHED' | 'REACHED';
  readonly variantId: string;
}

/** `lots` by product. */
export const balancesOf = (kind: Balance['kind'], lots: ReadonlyMap<string, readonly KnownLot[]>): readonly Balance[] =>
  [...lots].map(([variantId, some]) => ({ kind, variantId, ...balanceOf(some) }));

/** Of all of them together, which are of one unit. */
export function balanceOf(lots: readonly KnownLot[]): MassBalance {
  const held = lots.flatMap((lot) => lot.held);
  return massBalance(
    lots.map(({ life }) => life),
    Decimal.sumOf(held, ({ quantity }) => Decimal.from(quantity)),
  );
}

/** With the names of the products. */
export const shownBalances = (balances: readonly Balance[], { facts }: KnownProducts) =>
  balances.map(({ kind, variantId, ...balance }) => ({
    kind,
    variantId,
    description: facts.get(variantId)?.description ?? null,
    unit: facts.get(variantId)?.saleUnit ?? null,
    ...balance,
  }));
