import { z } from 'zod';
import type { EventOf } from '../../kernel/event.js';
import { defineEvent, eventCodec } from '../../kernel/event.js';
import { PERMISSIONS } from '../../kernel/permissions.js';

/** The key's secret is nowhere here: its hash lies in the vault. */
export const apiKeyCreated = defineEvent(
  'ApiKeyCreated',
  1,
  z.object({
    keyId: z.string(),
    name: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    expiresAt: z.string().nullable(),
  }),
);

export const accessEvents = eventCodec(apiKeyCreated);
export type AccessEvent = EventOf<typeof apiKeyCreated>;
export type ApiKey = AccessEvent['data'];
