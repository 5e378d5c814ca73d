import type { Feature } from '../../kernel/feature.js';
import { traceabilityRoutes } from './routes.js';

export const traceabilityFeature: Feature = { name: 'traceability', routes: traceabilityRoutes, events: [] };
