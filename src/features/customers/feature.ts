import type { Feature } from '../../kernel/feature.js';
import { customerEvents } from './events.js';
import { customerRoutes } from './routes.js';

export const customersFeature: Feature = {
  name: 'customers',
  routes: (services) => customerRoutes(services),
  events: [customerEvents],
};
