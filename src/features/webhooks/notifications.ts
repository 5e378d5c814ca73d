import { z } from 'zod';
import type { Notification } from '../../kernel/routes/notification.js';
import { documentFacts } from '../fiscal/events.js';
import type { DestinationEvent } from './events.js';
import { WEBHOOK_TEST } from './events.js';

/** What receivers are sent, for the OpenAPI document. */

const data = documentFacts
  .extend({
    links: z
      .object({ document: z.string(), xml: z.string(), pdf: z.string() })
      .meta({ description: 'Paths of this interface, fetched with a credential of the store' }),
  })
  .meta({ id: 'FiscalDocumentNotification', description: 'The document as it stood after the event' });

const testData = z.object({ message: z.string(), destinationId: z.uuid() }).meta({ id: 'WebhookTestNotification' });

const bodyOf = (event: string, ofEvent: z.ZodType) =>
  z
    .object({
      id: z.uuid().meta({ description: 'Of the delivery, the same in every attempt' }),
      event: z.literal(event),
      createdAt: z.iso.datetime(),
      data: ofEvent,
    })
    .meta({ id: event });

const HEADERS = {
  'X-Service-Event': 'The name of the event',
  'X-Service-Delivery': 'The id of the delivery, by which to recognise one that comes again',
  'X-Service-Timestamp': 'Seconds since 1970; refuse what is more than five minutes away',
  'X-Service-Signature':
    '`v1=` and the lowercase hexadecimal HMAC-SHA256 of `{timestamp}.{body}`, keyed with the secret of the destination',
};

const SUMMARIES: Readonly<Record<DestinationEvent, string>> = {
  'fiscal.document.authorized': 'The tax authority has authorized a document',
  'fiscal.document.rejected': 'The tax authority has rejected a document; `data.rejection` says why',
  'fiscal.document.cancelled': 'The cancellation of a document is approved',
  'fiscal.document.contingency': 'A document was issued offline and will be transmitted',
  'fiscal.document.failed': 'A document could not be built or signed',
};

export const notifications: readonly Notification[] = [
  ...Object.entries(SUMMARIES).map(([event, summary]) => ({
    event,
    summary,
    body: bodyOf(event, data),
    headers: HEADERS,
  })),
  {
    event: WEBHOOK_TEST,
    summary: 'Somebody tests the destination',
    body: bodyOf(WEBHOOK_TEST, testData),
    headers: HEADERS,
  },
];
