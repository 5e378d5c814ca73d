import type { Feature } from '../contracts/feature.js';
import { traceabilityRoutes } from './traceability-routes.js';

export const traceabilityFeature: Feature = { name: 'traceability', routes: traceabilityRoutes, events: [] };
