import type { Kit } from '../../../projections/products/kits.js';
import { kitsProjector } from '../../../projections/products/kits.js';
import type { ProductDocument } from '../../../projections/products/parts/product-document.js';
import { productsProjector } from '../../../projections/products/products.js';
import type { DomainEvent, Recorded } from '../../kernel/events/event.js';
import { entity } from '../../kernel/events/history.js';
import { brandEvents } from '../brands/events.js';
import { categoryEvents } from '../categories/events.js';
import { tagEvents } from '../tags/events.js';
import type { AuditedRecord } from '../contracts/audited-record.js';
import { projectedRecord } from '../contracts/audited-record.js';

interface PastProduct {
  readonly product?: unknown;
  readonly kit?: unknown;
}

const products = projectedRecord('product', productsProjector, 'description');
const kits = projectedRecord('kit', kitsProjector, 'id');

const DELETED: ReadonlySet<string> = new Set([categoryEvents.deleted, brandEvents.deleted, tagEvents.deleted]);

type Named = Pick<ProductDocument, 'categoryId' | 'brandId' | 'tagIds'>;

/** A deleted category, brand or tag is no more that of any product; the product's own events do not say so. */
function withoutDeleted(product: unknown, { type, data }: Recorded<DomainEvent>): unknown {
  if (!DELETED.has(type) || product === undefined) return product;
  const { ids } = data as { readonly ids: readonly string[] };
  const { categoryId, brandId, tagIds } = product as Named;
  const living = (id: string | null): string | null => (id === null || ids.includes(id) ? null : id);
  return {
    ...(product as Named),
    categoryId: living(categoryId),
    brandId: living(brandId),
    tagIds: tagIds.filter((id) => !ids.includes(id)),
  };
}

/** A product with the parts of its kit, which another stream records, perhaps before the product. */
export const productRecord: AuditedRecord = {
  ...products,
  partsOf: (shown) => (shown as ProductDocument).variants.map(({ id, label }) => ({ id, name: label })),
  unitOf: (shown) => (shown as ProductDocument).saleUnit,
  mentions(shown) {
    const { categoryId, brandId, tagIds } = shown as Named;
    return [
      ...(categoryId === null ? [] : [entity('category', categoryId)]),
      ...(brandId === null ? [] : [entity('brand', brandId)]),
      ...tagIds.map((id) => entity('tag', id)),
    ];
  },
  evolve(before, event, id) {
    const { product, kit }: PastProduct = before ?? {};
    return {
      product: withoutDeleted(products.evolve(product, event, id), event),
      kit: kits.evolve(kit, event, id),
    };
  },
  show(state, id) {
    const { product, kit }: PastProduct = state ?? {};
    const shown = products.show(product, id);
    return shown && { ...shown, components: (kit as Kit | undefined)?.components ?? [] };
  },
};
