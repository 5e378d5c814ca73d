import type { Feature } from '../../kernel/feature.js';
import { accessEvents } from './access/events.js';
import { accountEvents, nameEvents } from './accounts/events.js';
import { accountRoutes } from './sign-in/account-routes.js';
import { signInServices } from './sign-in/services.js';
import { sessionRoutes } from './sign-in/session-routes.js';

export const authFeature: Feature = {
  name: 'auth',
  events: [accountEvents, nameEvents, accessEvents],
  routes(services) {
    const signIn = signInServices(services);
    return [...sessionRoutes(signIn), ...accountRoutes(signIn)];
  },
};
