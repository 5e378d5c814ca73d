import type { Feature } from '../contracts/feature.js';
import { explainPlanning } from './explanation-route.js';
import { planningRoutes } from './planning-routes.js';

export const planningFeature: Feature = {
  name: 'planning',
  routes: (services) => [...planningRoutes(services), explainPlanning(services)],
  events: [],
};
