import type { components } from 'openapi-client';
import type { Tone } from '../../parts/status.js';
import type { remedies } from './words.js';

export type Destination = components['schemas']['WebhookDestination'];
export type Delivery = components['schemas']['WebhookDelivery'];
export type Attempt = Delivery['attempts'][number];

/** What a test is called, which no document caused. */
export const TEST_EVENT: Delivery['event'] = 'webhook.test';

export const deliveryTones: Readonly<Record<Delivery['status'], Tone>> = {
  PENDING: 'active',
  RETRYING: 'warn',
  DELIVERED: 'good',
  FAILED: 'bad',
  CANCELLED: 'calm',
};

/** How it goes on with a delivery is no event, so no message tells of it. */
export const LOOKED_AT_EVERY = 5_000;

const SPECIAL: Readonly<Record<number, keyof typeof remedies>> = {
  401: 'refused',
  403: 'refused',
  404: 'missing',
  410: 'missing',
  405: 'missing',
  429: 'busy',
};

/** Why an attempt did not arrive; undefined for one that did. */
export function remedyOf({ statusCode }: Attempt): keyof typeof remedies | undefined {
  if (statusCode === null) return 'unreachable';
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode < 400) return 'redirect';
  return SPECIAL[statusCode] ?? (statusCode < 500 ? 'rejected' : 'broken');
}
