import type { Feature } from '../contracts/feature.js';
import { customerEvents } from './events.js';
import { customerRoutes } from './customer-routes.js';

export const customersFeature: Feature = {
  name: 'customers',
  routes: (services) => customerRoutes(services),
  events: [customerEvents],
};
