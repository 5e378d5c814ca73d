import { foldedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import type { Access } from './access/decider.js';
import { access } from './access/decider.js';
import { accessEvents } from './access/events.js';
import { keyFacts, keyRoutes } from './access/key-routes.js';
import { KeyUses } from './access/key-uses.js';
import { membershipOf } from './access/member-record.js';
import { memberRoutes } from './access/member-routes.js';
import { catalogueRoutes } from './access/catalogue-routes.js';
import { memberServices } from './access/services.js';
import { unfinishedMemberships } from './access/unfinished-memberships.js';
import { accountEvents, nameEvents } from './accounts/events.js';
import { accountNaming } from './accounts/naming.js';
import { addressRoutes } from './sign-in/address-routes.js';
import { passwordResetRoutes } from './sign-in/password-reset-routes.js';
import { profileRoutes } from './sign-in/profile-routes.js';
import { secondFactorRoutes } from './sign-in/second-factor-routes.js';
import { signInServices } from './sign-in/services.js';
import { sessionListRoutes } from './sign-in/session-list-routes.js';
import { sessionRoutes } from './sign-in/session-routes.js';

function userRecord({ members }: Access, id: string) {
  const member = members.get(id);
  return member && membershipOf(member);
}

function keyRecord({ keys }: Access, id: string) {
  const key = keys.get(id);
  return key && keyFacts(key);
}

export const authFeature: Feature = {
  name: 'auth',
  events: [accountEvents, nameEvents.codec, accessEvents],
  viewing: { user: 'users.manage', apiKey: 'apiKeys.manage' },
  records: [
    { ...foldedRecord('user', access, userRecord), naming: accountNaming },
    foldedRecord('apiKey', access, keyRecord),
  ],
  work: (services) => ({ schedule: unfinishedMemberships(services) }),
  routes(services) {
    const signIn = signInServices(services);
    const { members, invitations } = memberServices(services);
    const { vault, clock } = services;
    return [
      ...sessionRoutes(signIn),
      ...sessionListRoutes(signIn),
      ...secondFactorRoutes(signIn),
      ...passwordResetRoutes(signIn),
      ...addressRoutes(signIn),
      ...profileRoutes(signIn),
      ...catalogueRoutes,
      ...memberRoutes(members, invitations),
      ...keyRoutes({ ...services, uses: new KeyUses(vault, clock) }),
    ];
  },
};
