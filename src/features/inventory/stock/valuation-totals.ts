import { Decimal } from '../../../kernel/values/decimal.js';
import { grouped } from '../../../kernel/values/grouped.js';
import type { PlaceWorth } from './valuation-rows.js';
import type { Named } from './valuation-labels.js';

/** What all of a valuation comes to: in all, and by category, product and location. */

const worth = (held: readonly PlaceWorth[]): number => Decimal.sum(held.map(({ value }) => value)).toNumber();

export function totalsOf(
  held: readonly PlaceWorth[],
  nameOf: (variantId: string) => Named,
  locations: ReadonlyMap<string, string>,
) {
  const by = (key: (one: PlaceWorth) => string) => [...grouped(held, key)];
  return {
    value: worth(held),
    byCategory: by(({ variantId }) => nameOf(variantId).categoryId ?? '').map(([id, some]) => ({
      categoryId: id === '' ? null : id,
      category: id === '' ? null : nameOf(some[0]?.variantId ?? '').category,
      value: worth(some),
    })),
    byProduct: by(({ variantId }) => nameOf(variantId).label?.productId ?? variantId).map(([productId, some]) => {
      const { label, product } = nameOf(some[0]?.variantId ?? '');
      return {
        productId,
        description: product,
        unit: label?.saleUnit ?? null,
        quantity: Decimal.sum(some.map(({ quantity }) => quantity)).toNumber(),
        value: worth(some),
      };
    }),
    byLocation: by(({ locationId }) => locationId).map(([locationId, some]) => ({
      locationId,
      location: locations.get(locationId) ?? null,
      value: worth(some),
    })),
  };
}

export type ValuationTotals = ReturnType<typeof totalsOf>;
