import { z } from 'zod';
import { toIso } from '../../kernel/values/clock.js';
import type { Recorded } from '../../kernel/events/event.js';
import { namedId, timeOfId } from '../../kernel/values/ids.js';
import type { FiscalEvent } from '../fiscal/events.js';
import { notificationOf } from '../fiscal/events.js';
import type { Destination } from './decider.js';
import { WEBHOOK_TEST } from './events.js';

/** Deliveries as they lie in the vault: one for each event and destination. */

export const DELIVERY_STATUSES = ['PENDING', 'RETRYING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const LIVES_AFTER_END = 30 * 86_400_000;
/** Attempts by hand may be many: the last ones are kept. */
const KEPT_ATTEMPTS = 20;

const attempt = z.object({
  number: z.int(),
  at: z.string(),
  durationMs: z.int(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  responseSnippet: z.string().nullable(),
});
type Attempt = z.output<typeof attempt>;

export const delivery = z.object({
  id: z.string(),
  storeId: z.string(),
  destinationId: z.string(),
  event: z.string(),
  documentId: z.string().nullable(),
  /** The bytes of every attempt. */
  body: z.string(),
  /** The headers of the last attempt. */
  headers: z.record(z.string(), z.string()).nullable(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.array(attempt),
  nextAttemptAt: z.string().nullable(),
  createdAt: z.string(),
  deliveredAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The destination's when it was made or asked for again; those of old have none. */
  activation: z.int().optional(),
  /** Sent again by hand: one attempt, and when that was asked for. */
  retriedAt: z.string().nullable(),
});
export type Delivery = z.output<typeof delivery>;

export const isEnded = ({ status }: Pick<Delivery, 'status'>): boolean => status !== 'PENDING' && status !== 'RETRYING';

/** When a delivery is forgotten; undefined while it is open. */
export const expiryOf = ({ endedAt }: Delivery): number | undefined =>
  endedAt === null ? undefined : Date.parse(endedAt) + LIVES_AFTER_END;

/** Ids of rows: the newest first, so that a list reads on from where it is. */
const LATEST = 0xffff_ffff_ffff;
export const rowIdOf = (deliveryId: string): string =>
  `${(LATEST - timeOfId(deliveryId)).toString(16).padStart(12, '0')}-${deliveryId}`;
/** Sorts before every delivery of that time and of earlier ones. */
export const rowIdAt = (milliseconds: number): string =>
  (LATEST - Math.min(Math.max(Math.trunc(milliseconds), 0), LATEST)).toString(16).padStart(12, '0');
export const deliveryIdOf = (rowId: string): string => rowId.slice(13);

function newDelivery(
  { storeId, destinationId, id }: Pick<Delivery, 'storeId' | 'destinationId' | 'id'>,
  {
    event,
    documentId,
    createdAt,
    data,
  }: { event: string; documentId: string | null; createdAt: string; data: unknown },
): Delivery {
  return {
    id,
    storeId,
    destinationId,
    event,
    documentId,
    createdAt,
    body: JSON.stringify({ id, event, createdAt, data }),
    headers: null,
    status: 'PENDING',
    attempts: [],
    nextAttemptAt: createdAt,
    deliveredAt: null,
    endedAt: null,
    retriedAt: null,
  };
}

/** A destination, and where in the log it was last switched on. */
export interface Listener {
  readonly destination: Destination;
  readonly since: string;
}

/** The id of what a destination gets of an event. */
export const deliveryIdFor = (
  { id, at }: { readonly id: string; readonly at: string },
  destinationId: string,
): string => namedId({ at: Date.parse(at), entropy: id }, destinationId);

/** What a destination gets of an event; undefined when it does not concern it. Whoever makes it again makes the same. */
export function deliveryOf(event: Recorded<FiscalEvent>, { destination, since }: Listener): Delivery | undefined {
  const { at, storeId } = event.meta;
  const notification = notificationOf(event);
  const wanted =
    notification !== undefined &&
    destination.active &&
    event.position > since &&
    (destination.events?.includes(notification.event) ?? true);
  if (!wanted) return undefined;
  const { destinationId, activation } = destination;
  const id = deliveryIdFor({ id: event.id, at }, destinationId);
  const { data } = notification;
  const made = newDelivery(
    { storeId: storeId ?? '', destinationId, id },
    { event: notification.event, documentId: data.documentId, createdAt: at, data },
  );
  return { ...made, activation };
}

export const testDelivery = (storeId: string, destinationId: string, id: string, at: string): Delivery =>
  newDelivery(
    { storeId, destinationId, id },
    {
      event: WEBHOOK_TEST,
      documentId: null,
      createdAt: at,
      data: { message: 'A test of this webhook destination', destinationId },
    },
  );

/** Whether a delivery that is open still may be sent: switching a destination off ends what was open then. */
export const mayBeSent = (
  { activation }: Pick<Delivery, 'activation'>,
  destination: Destination | undefined,
): boolean => destination?.active === true && (activation === undefined || activation === destination.activation);

/** Its status as it stands, whatever its row has not heard of yet. */
export const statusAt = (
  known: Pick<Delivery, 'status' | 'activation'>,
  destination: Destination | undefined,
): DeliveryStatus => (isEnded(known) || mayBeSent(known, destination) ? known.status : 'CANCELLED');

/** As it stands. */
export function standing(known: Delivery, destination: Destination | undefined): Delivery {
  return statusAt(known, destination) === known.status ? known : cancelled(known, undefined);
}

export const cancelled = (known: Delivery, now: number | undefined): Delivery => ({
  ...known,
  status: 'CANCELLED',
  nextAttemptAt: null,
  endedAt: now === undefined ? known.endedAt : toIso(now),
});

/** Open again: what cancelled it no longer happened. */
export const reopened = (known: Delivery, now: number): Delivery => ({
  ...known,
  status: known.attempts.length === 0 ? 'PENDING' : 'RETRYING',
  nextAttemptAt: toIso(now),
  endedAt: null,
});

/** Sent again by hand, from FAILED alone. */
export const retried = (known: Delivery, { activation }: Destination, now: number): Delivery => ({
  ...known,
  activation,
  status: 'RETRYING',
  nextAttemptAt: toIso(now),
  endedAt: null,
  retriedAt: toIso(now),
});

/** The delivery after an attempt. `retryAt` is when the next one is, if it failed; undefined when there is none. */
export function attempted(
  known: Delivery,
  made: Omit<Attempt, 'number'>,
  succeeded: boolean,
  { now, retryAt }: { readonly now: number; readonly retryAt: number | undefined },
): Delivery {
  const number = (known.attempts.at(-1)?.number ?? 0) + 1;
  const attempts = [...known.attempts, { number, ...made }].slice(-KEPT_ATTEMPTS);
  const ended = { ...known, attempts, nextAttemptAt: null, endedAt: toIso(now) };
  if (succeeded) return { ...ended, status: 'DELIVERED', deliveredAt: toIso(now) };
  if (retryAt === undefined) return { ...ended, status: 'FAILED' };
  return { ...ended, status: 'RETRYING', nextAttemptAt: toIso(retryAt), endedAt: null };
}
