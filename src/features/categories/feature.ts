import type { Feature } from '../../kernel/route.js';
import { categoryEvents } from './events.js';
import { routes } from './routes.js';

export const categoriesFeature: Feature = { name: 'categories', routes, events: [categoryEvents.codec] };
