import type { Feature } from '../../kernel/route.js';
import { brandEvents } from './events.js';
import { routes } from './routes.js';

export const brandsFeature: Feature = { name: 'brands', routes, events: [brandEvents.codec] };
