import { tagEvents } from '../../src/features/tags/events.js';
import { productEvents } from '../../src/features/products/events.js';
import { namedCollection, namedSetHandlers } from '../../src/kernel/patterns/named-set-projector.js';
import { recordProjector } from '../../src/kernel/projections/projector.js';
import { productCounting } from '../products/product-counts.js';

export const tags = namedCollection('tags');

export const tagsProjector = recordProjector(tags, [tagEvents.codec, productEvents], {
  ...namedSetHandlers(tagEvents),
  ...productCounting(({ tagIds = [] }) => tagIds),
});
