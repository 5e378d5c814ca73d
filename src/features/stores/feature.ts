import type { Feature } from '../contracts/feature.js';
import { storeEvents } from './events.js';
import { routes } from './store-routes.js';

export const storesFeature: Feature = { name: 'stores', routes: () => routes, events: [storeEvents] };
