import { brandEvents } from '../src/features/brands/events.js';
import { productEvents } from '../src/features/products/events.js';
import { namedCollection, namedSetHandlers } from '../src/kernel/named-set-projector.js';
import { recordProjector } from '../src/kernel/projector.js';
import { one, productCounting } from './product-counts.js';

export const brands = namedCollection('brands');

export const brandsProjector = recordProjector(brands, [brandEvents.codec, productEvents], {
  ...namedSetHandlers(brandEvents),
  ...productCounting(({ brandId }) => one(brandId)),
});
