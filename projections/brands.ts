import { brandEvents } from '../src/features/brands/events.js';
import { namedCollection, namedSetHandlers } from '../src/kernel/named-set-projector.js';
import { recordProjector } from '../src/kernel/projector.js';

export const brands = namedCollection('brands');

export const brandsProjector = recordProjector(brands, [brandEvents.codec], namedSetHandlers(brandEvents));
