import type { Feature } from '../../kernel/route.js';
import { tagEvents } from './events.js';
import { routes } from './routes.js';

export const tagsFeature: Feature = { name: 'tags', routes, events: [tagEvents.codec] };
