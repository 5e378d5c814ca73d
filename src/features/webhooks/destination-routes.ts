import { z } from 'zod';
import { defined } from '../../kernel/values/defined.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { listAnswer, listQuery, pageByIdWithin } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { freeText, pathId, textOrNull } from '../../kernel/values/fields.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { destinationAnswer, destinationOf, destinationWithSecret } from './answers.js';
import type { Destination } from './decider.js';
import { webhooks } from './decider.js';
import { DESTINATION_EVENTS } from './events.js';
import { URL_NOT_ALLOWED, WEBHOOK_LIMIT } from './rejections.js';
import { secretRow } from './secrets.js';
import type { WebhookServices } from './services.js';

const URL_LENGTH = 2_048;
const DESCRIPTION_LENGTH = 200;

const url = z
  .string()
  .min(1)
  .max(URL_LENGTH)
  .meta({ examples: ['https://example.com/hooks/fiscal'] });
const fields = {
  description: freeText(DESCRIPTION_LENGTH).nullable().optional(),
  active: z.boolean().optional(),
  events: z
    .array(z.enum(DESTINATION_EVENTS))
    .min(1)
    .max(DESTINATION_EVENTS.length)
    .transform((events) => [...new Set(events)])
    .nullable()
    .optional()
    .meta({ description: 'What it is told of; null: all of them' }),
};
const newDestination = z.strictObject({ url, ...fields }).meta({ id: 'WebhookDestinationBody' });
const destinationChanges = z.strictObject({ url: url.optional(), ...fields }).meta({ id: 'WebhookDestinationChanges' });
const params = z.strictObject({ id: pathId });

const TAG = 'Webhooks';
const see = { tag: TAG, permission: 'fiscal.view' } as const;
const manage = { tag: TAG, permission: 'fiscal.manage' } as const;

/** A destination of the request's store. */
export async function expectDestination(context: RequestContext, id: string): Promise<Destination> {
  const destination = (await context.current(webhooks)).destinations.get(id);
  if (!destination) throw new Rejection(NOT_FOUND);
  return destination;
}

export const destinationRoutes = (own: WebhookServices): readonly Route[] => [
  ...readingRoutes(own),
  ...writingRoutes(own),
  ...secretRoutes(own),
];

async function replyOf({ health }: WebhookServices, context: RequestContext, id: string): Promise<Reply> {
  const destination = await expectDestination(context, id);
  const known = await health.of([destination]);
  return { body: destinationOf(destination, known.get(id)), etag: destination.revision };
}

function expectAllowed({ services }: WebhookServices, address: string | undefined): void {
  const refusal = address === undefined ? undefined : services.poster.refusalOf(address);
  if (refusal === undefined) return;
  throw new Rejection(URL_NOT_ALLOWED, undefined, { errors: [{ path: 'url', message: refusal }] });
}

const readingRoutes = (own: WebhookServices): readonly Route[] => [
  route({
    ...see,
    method: 'get',
    path: '/outbound-webhooks',
    summary: 'Lists the webhook destinations of the store in the order in which they were made',
    request: { query: listQuery },
    response: { status: 200, schema: listAnswer(destinationAnswer) },
    async handle({ query }, context) {
      const { destinations } = await context.current(webhooks);
      const listed = ({ destinationId, createdAt }: Destination) => ({ id: destinationId, createdAt });
      const timeZone = await timeZoneOf(own.services.stores, context.storeId);
      const { items, nextCursor } = pageByIdWithin('outbound-webhooks', destinations.values(), listed, query, timeZone);
      const known = await own.health.of(items);
      return { body: { items: items.map((each) => destinationOf(each, known.get(each.destinationId))), nextCursor } };
    },
  }),
  route({
    ...see,
    method: 'get',
    path: '/outbound-webhooks/{id}',
    summary: 'Shows a webhook destination',
    request: { params },
    response: { status: 200, schema: destinationAnswer, etag: true },
    handle: (input, context) => replyOf(own, context, input.params.id),
  }),
];

const writingRoutes = (own: WebhookServices): readonly Route[] => [
  route({
    ...manage,
    method: 'post',
    path: '/outbound-webhooks',
    dryRun: 'not possible',
    summary: 'Adds a webhook destination; its secret is in this answer alone',
    description: 'In production the address must be https and public. It is checked again at each connection.',
    request: { body: newDestination },
    response: { status: 201, schema: destinationWithSecret, etag: true },
    rejections: [URL_NOT_ALLOWED, WEBHOOK_LIMIT],
    async handle({ body }, context) {
      expectAllowed(own, body.url);
      const { url: address, description, active = true, events = null } = body;
      const destinationId = context.newId();
      const settings = { url: address, description: textOrNull(description), active, events };
      const rows = await own.secrets.first(destinationId);
      await context.execute(webhooks, { type: 'add', destinationId, settings }, { rows });
      return withSecret(own, context, destinationId);
    },
  }),
  route({
    ...manage,
    method: 'patch',
    path: '/outbound-webhooks/{id}',
    summary: 'Changes a webhook destination',
    description: 'Switching it off ends its open deliveries: they become CANCELLED.',
    request: { params, body: destinationChanges },
    response: { status: 200, schema: destinationAnswer, etag: true },
    rejections: [URL_NOT_ALLOWED],
    async handle({ params: { id }, body }, context) {
      expectAllowed(own, body.url);
      const { description, ...rest } = body;
      const changes = defined({
        ...rest,
        description: description === undefined ? undefined : textOrNull(description),
      });
      await context.execute(webhooks, { type: 'change', destinationId: id, changes, ifMatch: context.ifMatch });
      if (body.active === false) await own.lookAt(id);
      return replyOf(own, context, id);
    },
  }),
  route({
    ...manage,
    method: 'delete',
    path: '/outbound-webhooks/{id}',
    summary: 'Removes a webhook destination; its open deliveries are cancelled',
    request: { params },
    response: { status: 204 },
    async handle({ params: { id } }, context) {
      const rows = [secretRow(id, undefined)];
      await context.execute(webhooks, { type: 'remove', destinationId: id, ifMatch: context.ifMatch }, { rows });
      await own.lookAt(id);
      await own.health.forget(id);
      return {};
    },
  }),
];

const secretRoutes = (own: WebhookServices): readonly Route[] => [
  route({
    ...manage,
    method: 'post',
    path: '/outbound-webhooks/{id}/rotate-secret',
    dryRun: 'not possible',
    ifMatch: true,
    summary: 'Gives a webhook destination a new secret; the old one is gone at once',
    request: { params },
    response: { status: 200, schema: destinationWithSecret, etag: true },
    async handle({ params: { id } }, context) {
      await own.secrets.rotate(context, id, context.ifMatch);
      return withSecret(own, context, id);
    },
  }),
];

/** With the secret that counts: also a repeated request shows it. */
async function withSecret(own: WebhookServices, context: RequestContext, id: string): Promise<Reply> {
  const destination = await expectDestination(context, id);
  const secret = await own.secrets.of(destination);
  const { body, etag } = await replyOf(own, context, id);
  return { body: { ...(body as object), secret }, etag: etag ?? destination.revision };
}
