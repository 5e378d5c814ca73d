import { z } from 'zod';
import type { EventOf } from '../../../kernel/event.js';
import { defineEvent, eventCodec } from '../../../kernel/event.js';
import { PERMISSIONS } from '../../../kernel/permissions.js';
import { ROLES } from './roles.js';

/** Who may do what in one store. */

const permissions = z.array(z.enum(PERMISSIONS));
const rights = z.object({ role: z.enum(ROLES), permissions: permissions.nullable(), active: z.boolean() });
/** As the inviter typed it: the account behind an invitation shows nothing before its holder accepts. */
const profile = z.object({ username: z.string(), email: z.string(), name: z.string() });

const memberAdded = defineEvent(
  'MemberAdded',
  1,
  rights.extend({ memberId: z.string(), userId: z.string(), ...profile.shape }),
);
const memberInvited = defineEvent('MemberInvited', 1, rights.extend({ memberId: z.string(), ...profile.shape }));
const invitationAccepted = defineEvent('InvitationAccepted', 1, z.object({ memberId: z.string(), userId: z.string() }));
const memberChanged = defineEvent('MemberChanged', 1, rights.extend({ memberId: z.string() }));
const memberRemoved = defineEvent(
  'MemberRemoved',
  1,
  z.object({ memberId: z.string(), userId: z.string().nullable() }),
);

/** The key's secret is nowhere here: its hash lies in the vault. */
const apiKeyCreated = defineEvent(
  'ApiKeyCreated',
  1,
  z.object({ keyId: z.string(), name: z.string(), permissions, expiresAt: z.string().nullable() }),
);
const apiKeyRevoked = defineEvent('ApiKeyRevoked', 1, z.object({ keyId: z.string() }));

const definitions = [
  memberAdded,
  memberInvited,
  invitationAccepted,
  memberChanged,
  memberRemoved,
  apiKeyCreated,
  apiKeyRevoked,
] as const;

export const accessEvents = eventCodec(...definitions);
export type AccessEvent = EventOf<(typeof definitions)[number]>;
export type ApiKey = EventOf<typeof apiKeyCreated>['data'];
export type Rights = z.output<typeof rights>;
export type TypedProfile = z.output<typeof profile>;
