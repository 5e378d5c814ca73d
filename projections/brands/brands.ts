import { brandEvents } from '../../src/features/brands/events.js';
import { productEvents } from '../../src/features/products/events.js';
import { namedCollection, namedSetHandlers } from '../../src/kernel/patterns/named-set-projector.js';
import { recordProjector } from '../../src/kernel/projections/projector.js';
import { one, productCounting } from '../products/product-counts.js';

export const brands = namedCollection('brands');

export const brandsProjector = recordProjector(brands, [brandEvents.codec, productEvents], {
  ...namedSetHandlers(brandEvents),
  ...productCounting(({ brandId }) => one(brandId)),
});
