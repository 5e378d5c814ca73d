import type { Notification } from '../../kernel/routes/notification.js';
import type { JsonSchema } from './json-schema.js';
import type { SchemaComponents } from './schemas.js';

const headerOf = ([name, description]: readonly [string, string]): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/**
 * Whoever receives has a heading of its own: generated clients make a class of each heading, and one of what is sent beside one of what is
 * asked, both of the same name, would overwrite it.
 */
export const NOTIFICATIONS_TAG = 'Notifications';

/** What the service sends to others, by the name of the event. */
export function webhooksOf(notifications: readonly Notification[], components: SchemaComponents): JsonSchema {
  const described = notifications.map(({ event, summary, body, headers }) => {
    const post = {
      operationId: `receive ${event}`.replaceAll(/[ .]+(.)/g, (_, next: string) => next.toUpperCase()),
      tags: [NOTIFICATIONS_TAG],
      summary,
      parameters: Object.entries(headers).map(headerOf),
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.describe(body, 'output') } },
      },
      responses: { '2XX': { description: 'Received. Any other answer, or none within ten seconds, is tried again' } },
    };
    return [event, { post }] as const;
  });
  return Object.fromEntries(described);
}
