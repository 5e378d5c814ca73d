import type { Clock } from '../../kernel/values/clock.js';
import { toIso } from '../../kernel/values/clock.js';
import type { RetryPlan } from '../../kernel/reactors/retry-plan.js';
import { retryAt } from '../../kernel/reactors/retry-plan.js';
import type { HttpPoster, PostResult } from '../../ports/http-poster.js';
import type { Destination } from './decider.js';
import type { Delivery } from './deliveries.js';
import { attempted } from './deliveries.js';
import type { HealthBook } from './health.js';
import type { Secrets } from './secrets.js';
import { signatureOf } from './secrets.js';

export interface SendingServices {
  readonly poster: HttpPoster;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly health: HealthBook;
}

/** A log that was restored may have a destination whose secret was deleted with it. */
const NO_SECRET: PostResult = {
  durationMs: 0,
  statusCode: null,
  snippet: null,
  error: 'the destination has no secret any more: give it a new one',
};

const headersOf = ({ event, id, body }: Delivery, secret: string, now: number): Record<string, string> => {
  const timestamp = Math.floor(now / 1000);
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'store-management-webhooks/1',
    'X-Service-Event': event,
    'X-Service-Delivery': id,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': signatureOf(secret, timestamp, body),
  };
};

/** One signed request, and what the delivery comes to by it. `plan` is empty where one attempt is all there is. */
export async function attemptDelivery(
  { poster, clock, secrets, health }: SendingServices,
  delivery: Delivery,
  destination: Destination,
  { plan, signal }: { readonly plan: RetryPlan; readonly signal?: AbortSignal },
): Promise<Delivery> {
  const secret = await secrets.of(destination);
  const began = clock.now();
  const headers = secret === undefined ? null : headersOf(delivery, secret, began);
  const { url } = destination;
  const { durationMs, statusCode, error, snippet } = headers
    ? await poster.post({ url, headers, body: delivery.body, ...(signal && { signal }) })
    : NO_SECRET;
  const now = clock.now();
  const succeeded = error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;
  const failures = delivery.attempts.length + 1;
  const made = {
    at: toIso(began),
    durationMs,
    statusCode,
    error: succeeded ? null : (error ?? `the answer was ${String(statusCode)}`),
    responseSnippet: snippet,
  };
  const outcome = attempted({ ...delivery, headers }, made, succeeded, { now, retryAt: retryAt(plan, failures, now) });
  health.note(outcome, succeeded);
  return outcome;
}
