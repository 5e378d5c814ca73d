import { tagsProjector } from '../../../projections/tags/tags.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { tagEvents } from './events.js';
import { routes } from './routes.js';

export const tagsFeature: Feature = {
  name: 'tags',
  routes: () => routes,
  events: [tagEvents.codec],
  viewing: { tag: 'products.view' },
  records: [projectedRecord('tag', tagsProjector, 'name', ['productCount'])],
};
