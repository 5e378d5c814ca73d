import type { Feature } from '../../kernel/feature.js';
import { planningRoutes } from './routes.js';

export const planningFeature: Feature = { name: 'planning', routes: planningRoutes, events: [] };
