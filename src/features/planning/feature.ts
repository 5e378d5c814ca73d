import type { Feature } from '../contracts/feature.js';
import { planningRoutes } from './planning-routes.js';

export const planningFeature: Feature = { name: 'planning', routes: planningRoutes, events: [] };
