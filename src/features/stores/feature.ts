import type { Feature } from '../../kernel/feature.js';
import { storeEvents } from './events.js';
import { routes } from './routes.js';

export const storesFeature: Feature = { name: 'stores', routes: () => routes, events: [storeEvents] };
