import { z } from 'zod';
import type { Destination } from './decider.js';
import type { Delivery } from './deliveries.js';
import { DELIVERY_STATUSES } from './deliveries.js';
import { DESTINATION_EVENTS, WEBHOOK_TEST } from './events.js';
import type { DestinationHealth } from './health.js';

export const DELIVERY_EVENTS = [...DESTINATION_EVENTS, WEBHOOK_TEST] as const;

const time = z.iso.datetime();

export const destinationAnswer = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string().nullable(),
    active: z.boolean(),
    events: z.array(z.enum(DESTINATION_EVENTS)).nullable().meta({ description: 'null: all of them' }),
    createdAt: time,
    lastDelivery: z
      .object({ id: z.uuid(), event: z.enum(DELIVERY_EVENTS), status: z.enum(DELIVERY_STATUSES), at: time })
      .nullable(),
    health: z.object({
      successRate24h: z.number().nullable().meta({ description: 'Share of the attempts of the last 24 hours, 0 to 1' }),
      consecutiveFailures: z.int(),
    }),
  })
  .meta({ id: 'WebhookDestination' });

export const destinationWithSecret = destinationAnswer
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries. Shown this once' }) })
  .meta({ id: 'WebhookDestinationWithSecret' });

/** What somebody set of it, without how it fares. */
export const settingsOf = ({ destinationId, url, description, active, events, createdAt }: Destination) => ({
  id: destinationId,
  url,
  description,
  active,
  events,
  createdAt,
});

export const destinationOf = (
  destination: Destination,
  known: DestinationHealth | undefined,
): z.output<typeof destinationAnswer> => ({
  ...settingsOf(destination),
  lastDelivery: (known?.lastDelivery ?? null) as z.output<typeof destinationAnswer>['lastDelivery'],
  health: known?.health ?? { successRate24h: null, consecutiveFailures: 0 },
});

export const deliveryAnswer = z
  .object({
    id: z.uuid(),
    event: z.enum(DELIVERY_EVENTS),
    documentId: z.uuid().nullable(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(
      z.object({
        number: z.int(),
        at: time,
        durationMs: z.int(),
        statusCode: z.int().nullable(),
        error: z.string().nullable(),
        responseSnippet: z.string().nullable().meta({ description: 'The beginning of the answer, at most 1 KiB' }),
      }),
    ),
    nextAttemptAt: time.nullable(),
    createdAt: time,
    deliveredAt: time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryDetails = deliveryAnswer
  .extend({
    requestBody: z.string().meta({ description: 'The bytes of every attempt' }),
    requestHeaders: z.record(z.string(), z.string()).nullable().meta({ description: 'Those of the last attempt' }),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

export const summaryOf = (known: Delivery): z.output<typeof deliveryAnswer> => {
  const { id, event, documentId, status, attempts, nextAttemptAt, createdAt, deliveredAt } = known;
  const kind = event as z.output<typeof deliveryAnswer>['event'];
  return { id, event: kind, documentId, status, attempts, nextAttemptAt, createdAt, deliveredAt };
};

export const detailsOf = (known: Delivery): z.output<typeof deliveryDetails> => ({
  ...summaryOf(known),
  requestBody: known.body,
  requestHeaders: known.headers,
});
