import type { ProductEvent } from '../../src/features/products/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { NamedDocument } from '../../src/kernel/patterns/named-set-projector.js';
import type { RecordHandlers } from '../../src/kernel/projections/projector.js';

/** What a product says of these, as far as a fact speaks of it. */
interface References {
  readonly categoryId?: string | null | undefined;
  readonly brandId?: string | null | undefined;
  readonly tagIds?: readonly string[] | undefined;
}

/** The products of a category, brand or tag, counted beside it; one that is gone counts nothing. `referred` names those of a product. */
export function productCounting<D extends NamedDocument>(
  referred: (product: References) => readonly string[],
): RecordHandlers<D, ProductEvent> {
  const counted = (document: D | undefined, { position }: Recorded<ProductEvent>, difference: number) =>
    document && (document.countedAt ?? '') < position
      ? { ...document, productCount: document.productCount + difference, countedAt: position }
      : document;
  const among = (id: string, product: References): number => (referred(product).includes(id) ? 1 : 0);
  return {
    ProductCreated: {
      ids: ({ data }) => referred(data.product),
      evolve: (document, event) => counted(document, event, 1),
    },
    ProductChanged: {
      ids: ({ data }) => [...new Set([...referred(data.was), ...referred(data.changes)])],
      evolve: (document, event, id) =>
        counted(document, event, among(id, event.data.changes) - among(id, event.data.was)),
    },
    ProductDeleted: {
      ids: ({ data }) => referred(data.was),
      evolve: (document, event) => counted(document, event, -1),
    },
  };
}

export const one = (id: string | null | undefined): readonly string[] => (id ? [id] : []);
