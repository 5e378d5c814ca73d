import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { ProductFields } from '../events.js';

/** What a product belongs to. */
export type Membership =
  | { readonly kind: 'category'; readonly id: string }
  | { readonly kind: 'brand'; readonly id: string }
  | { readonly kind: 'tag'; readonly id: string };

/** What changes when a product leaves it; refused when it is not there. */
export function leaving(fields: ProductFields, { kind, id }: Membership): Partial<ProductFields> {
  const notThere = new Rejection(NOT_FOUND);
  switch (kind) {
    case 'category':
      if (fields.categoryId !== id) throw notThere;
      return { categoryId: null };
    case 'brand':
      if (fields.brandId !== id) throw notThere;
      return { brandId: null };
    case 'tag':
      if (!fields.tagIds.includes(id)) throw notThere;
      return { tagIds: fields.tagIds.filter((tagId) => tagId !== id) };
  }
}
