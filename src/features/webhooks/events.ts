import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { NOTIFICATIONS } from '../fiscal/events.js';

/** Where a store's fiscal notifications go. Secrets are nowhere here: they lie in the vault. */

export const WEBHOOK_TEST = 'webhook.test';
export const DESTINATION_EVENTS = Object.values(NOTIFICATIONS);
export type DestinationEvent = (typeof DESTINATION_EVENTS)[number];

const settings = z.object({
  url: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  /** Null: all of them. */
  events: z.array(z.enum(DESTINATION_EVENTS)).nullable(),
});

const destinationAdded = defineEvent('WebhookDestinationAdded', 1, settings.extend({ destinationId: z.string() }));
const destinationChanged = defineEvent('WebhookDestinationChanged', 1, settings.extend({ destinationId: z.string() }));
/** `secretId` names the secret in the vault; rotations of old have none. */
const secretRotated = defineEvent(
  'WebhookSecretRotated',
  1,
  z.object({ destinationId: z.string(), secretId: z.string().optional() }),
);
const destinationRemoved = defineEvent('WebhookDestinationRemoved', 1, z.object({ destinationId: z.string() }));

const definitions = [destinationAdded, destinationChanged, secretRotated, destinationRemoved] as const;

export const webhookEvents = eventCodec(...definitions);
export type WebhookEvent = EventOf<(typeof definitions)[number]>;
export type DestinationSettings = z.output<typeof settings>;
