import type { Kit } from '../../../projections/products/kits.js';
import { kitsProjector } from '../../../projections/products/kits.js';
import type { ProductDocument } from '../../../projections/products/parts/product-document.js';
import { productsProjector } from '../../../projections/products/products.js';
import type { AuditedRecord } from '../contracts/audited-record.js';
import { projectedRecord } from '../contracts/audited-record.js';

interface PastProduct {
  readonly product?: unknown;
  readonly kit?: unknown;
}

const products = projectedRecord('product', productsProjector, 'description');
const kits = projectedRecord('kit', kitsProjector, 'id');

/** A product with the parts of its kit, which another stream records, perhaps before the product. */
export const productRecord: AuditedRecord = {
  ...products,
  partsOf: (shown) => (shown as ProductDocument).variants.map(({ id, label }) => ({ id, name: label })),
  unitOf: (shown) => (shown as ProductDocument).saleUnit,
  evolve(before, event, id) {
    const { product, kit }: PastProduct = before ?? {};
    return { product: products.evolve(product, event, id), kit: kits.evolve(kit, event, id) };
  },
  show(state, id) {
    const { product, kit }: PastProduct = state ?? {};
    const shown = products.show(product, id);
    return shown && { ...shown, components: (kit as Kit | undefined)?.components ?? [] };
  },
};
