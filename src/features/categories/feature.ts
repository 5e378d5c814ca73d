import type { Feature } from '../../kernel/feature.js';
import { categoryEvents } from './events.js';
import { routes } from './routes.js';

export const categoriesFeature: Feature = { name: 'categories', routes: () => routes, events: [categoryEvents.codec] };
