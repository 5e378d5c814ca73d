import { kitEvents } from '../../src/features/products/events.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';

export interface KitPart {
  readonly componentVariantId: string;
  readonly quantity: number;
  readonly parentVariantId: string | null;
}

/** The parts of a kit, by the id of its product. They are recorded in a stream of their own, perhaps before the product. */
export interface Kit {
  readonly id: string;
  readonly components: readonly KitPart[];
}

export const kits = recordCollection<Kit>({ name: 'kits', version: 1, hidden: [], columns: {}, indexes: [] });

export const kitsProjector = recordProjector(kits, [kitEvents], {
  KitComponentsReplaced: {
    ids: ({ data }) => [data.productId],
    evolve: (_, { data }, id) =>
      data.components.length === 0
        ? undefined
        : {
            id,
            components: data.components.map(({ componentVariantId, quantity, parentVariantId }) => ({
              componentVariantId,
              quantity: quantity.toNumber(),
              parentVariantId,
            })),
          },
  },
});
