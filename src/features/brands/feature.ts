import type { Feature } from '../contracts/feature.js';
import { brandEvents } from './events.js';
import { routes } from './routes.js';

export const brandsFeature: Feature = { name: 'brands', routes: () => routes, events: [brandEvents.codec] };
