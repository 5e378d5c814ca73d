import { z } from 'zod';
import type { EventOf } from '../../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../../kernel/events/event.js';
import { PERMISSIONS } from '../../permissions.js';
import { ROLES } from '../../contracts/permissions.js';

/** Who may do what in one store. */

const permissions = z.array(z.enum(PERMISSIONS));
const rights = z.object({ role: z.enum(ROLES), permissions: permissions.nullable(), active: z.boolean() });

const memberAdded = defineEvent('MemberAdded', 1, rights.extend({ memberId: z.string(), userId: z.string() }));
/** The account that had the member's e-mail address before takes the membership over. */
const invitationAccepted = defineEvent('InvitationAccepted', 1, z.object({ memberId: z.string(), userId: z.string() }));
const memberChanged = defineEvent('MemberChanged', 1, rights.extend({ memberId: z.string() }));
const memberRemoved = defineEvent('MemberRemoved', 1, z.object({ memberId: z.string(), userId: z.string() }));

/** The key's secret is nowhere here: its hash lies in the vault. */
const apiKeyCreated = defineEvent(
  'ApiKeyCreated',
  1,
  z.object({ keyId: z.string(), name: z.string(), permissions, expiresAt: z.string().nullable() }),
);
const apiKeyRevoked = defineEvent('ApiKeyRevoked', 1, z.object({ keyId: z.string() }));

const definitions = [
  memberAdded,
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
