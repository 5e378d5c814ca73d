import type { Feature } from '../contracts/feature.js';
import { watchStore } from './live-route.js';

export const liveFeature: Feature = {
  name: 'live',
  events: [],
  routes: ({ live }) => [watchStore(live)],
};
