import { paddedGtin } from '../../src/brazil/gtin.js';
import type { ProductEvent } from '../../src/features/products/events.js';
import { productEvents } from '../../src/features/products/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';

/** Whose variant it is, and which code names it. */
export interface VariantOwner {
  readonly id: string;
  readonly productId: string;
  readonly gtin: string;
}

export const variants = recordCollection<VariantOwner>({
  name: 'variants',
  version: 1,
  hidden: [],
  columns: { gtin: { type: 'text', of: ({ gtin }) => paddedGtin(gtin) } },
  indexes: [['gtin']],
});

type Fact<T extends ProductEvent['type']> = Recorded<Extract<ProductEvent, { readonly type: T }>>;

const created = ({ data }: Fact<'ProductCreated'>, id: string): VariantOwner | undefined => {
  const variant = data.variants.find((one) => one.id === id);
  return variant && { id, productId: data.productId, gtin: variant.gtin };
};

export const variantsProjector = recordProjector(variants, [productEvents], {
  ProductCreated: {
    ids: ({ data }) => data.variants.map(({ id }) => id),
    evolve: (_, event, id) => created(event, id),
  },
  VariantAdded: {
    ids: ({ data }) => [data.variant.id],
    evolve: (_, { data }, id) => ({ id, productId: data.productId, gtin: data.variant.gtin }),
  },
  VariantChanged: {
    ids: ({ data }) => (data.changes.gtin === undefined ? [] : [data.variantId]),
    evolve: (variant, { data }) => variant && { ...variant, gtin: data.changes.gtin ?? variant.gtin },
  },
  VariantRemoved: { ids: ({ data }) => [data.variantId], evolve: () => undefined },
  ProductDeleted: { ids: ({ data }) => data.variantIds, evolve: () => undefined },
});
