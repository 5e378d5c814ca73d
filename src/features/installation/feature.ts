import type { Feature } from '../contracts/feature.js';
import { installationEvents } from './events.js';

export const installationFeature: Feature = {
  name: 'installation',
  routes: () => [],
  events: [installationEvents],
};
