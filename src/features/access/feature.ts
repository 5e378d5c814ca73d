import type { Feature } from '../../kernel/route.js';
import { accessEvents } from './events.js';

export const accessFeature: Feature = { name: 'access', routes: [], events: [accessEvents] };
