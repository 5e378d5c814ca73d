import { momentOf } from '../../kernel/events/recorded.js';
import type { AuditedRecord } from '../contracts/audited-record.js';
import type { Product } from './domain/product.js';
import { evolveProduct } from './domain/product.js';
import type { ProductEvent } from './events.js';
import { productEvents } from './events.js';

/** A variant that came later begins in a product of which nothing else is known: only events about the variant are looked at. */
const unknownProduct = { fields: {}, variants: [], droppedClaims: [] } as unknown as Product;

/** A variant as its product's events made it. */
export const variantRecord: AuditedRecord = {
  kind: 'variant',
  evolve(before, event) {
    if (!productEvents.definitions.has(event.type)) return before;
    const state = (before as Product | undefined) ?? unknownProduct;
    return evolveProduct(state, event as unknown as ProductEvent, momentOf(event));
  },
  show(state, id) {
    if (state === undefined || typeof state === 'string') return undefined;
    return (state as Product).variants.find((variant) => variant.id === id);
  },
  nameOf: (shown) => {
    const { label } = shown as { readonly label?: string | null };
    return label ?? undefined;
  },
};
