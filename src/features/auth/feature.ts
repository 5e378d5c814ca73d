import type { Feature } from '../../kernel/feature.js';
import { accessEvents } from './access/events.js';
import { accountEvents, nameEvents } from './accounts/events.js';

export const authFeature: Feature = {
  name: 'auth',
  events: [accountEvents, nameEvents, accessEvents],
  routes: () => [],
};
