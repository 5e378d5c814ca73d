import type { Feature } from '../../kernel/feature.js';
import { storeEvents } from './events.js';

export const storesFeature: Feature = { name: 'stores', routes: () => [], events: [storeEvents] };
