import type { Feature } from '../contracts/feature.js';
import { fiscalEvents } from './events.js';

export const fiscalFeature: Feature = { name: 'fiscal', routes: () => [], events: [fiscalEvents] };
