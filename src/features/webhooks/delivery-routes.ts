import { z } from 'zod';
import { Rejection } from '../../kernel/events/rejection.js';
import { listAnswer, listQuery } from '../../kernel/routes/lists.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { pathId } from '../../kernel/values/fields.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { DELIVERY_EVENTS, deliveryAnswer, deliveryDetails, detailsOf, summaryOf } from './answers.js';
import { DELIVERY_STATUSES, standing, testDelivery } from './deliveries.js';
import { expectDestination } from './destination-routes.js';
import { DELIVERY_NOT_FAILED, DESTINATION_INACTIVE, TESTS_RUNNING } from './rejections.js';
import type { WebhookServices } from './services.js';

const params = z.strictObject({ id: pathId });
const deliveryParams = z.strictObject({ id: pathId, deliveryId: pathId });
const query = listQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: z.enum(DELIVERY_EVENTS).optional(),
});

const see = { tag: 'Webhooks', permission: 'fiscal.view' } as const;
const manage = { tag: 'Webhooks', permission: 'fiscal.manage' } as const;

export const deliveryRoutes = (own: WebhookServices): readonly Route[] => [
  ...readingRoutes(own),
  ...sendingRoutes(own),
];

const readingRoutes = (own: WebhookServices): readonly Route[] => [
  route({
    ...see,
    method: 'get',
    path: '/outbound-webhooks/{id}/deliveries',
    summary: 'Lists the deliveries to a destination, the newest first',
    description:
      'Those that ended are kept for 30 days. With a filter a page may hold fewer than its limit and still have a next one.',
    request: { params, query },
    response: { status: 200, schema: listAnswer(deliveryAnswer) },
    async handle(input, context) {
      const destination = await expectDestination(context, input.params.id);
      const timeZone = await timeZoneOf(own.services.stores, context.storeId);
      const { items, nextCursor } = await own.records.page(destination, input.query, timeZone);
      return { body: { items: items.map(summaryOf), nextCursor } };
    },
  }),
  route({
    ...see,
    method: 'get',
    path: '/outbound-webhooks/{id}/deliveries/{deliveryId}',
    summary: 'Shows a delivery with what was sent',
    request: { params: deliveryParams },
    response: { status: 200, schema: deliveryDetails },
    async handle(input, context) {
      const destination = await expectDestination(context, input.params.id);
      const { delivery } = await own.records.find(destination, input.params.deliveryId);
      return { body: detailsOf(standing(delivery, destination)) };
    },
  }),
];

const sendingRoutes = (own: WebhookServices): readonly Route[] => [
  route({
    ...manage,
    method: 'post',
    path: '/outbound-webhooks/{id}/test',
    summary: 'Sends an event of kind webhook.test, once, and answers with what came of it',
    request: { params },
    response: { status: 200, schema: deliveryDetails },
    rejections: [TESTS_RUNNING],
    async handle(input, context) {
      const { destinationId } = await expectDestination(context, input.params.id);
      const made = testDelivery(context.storeId, destinationId, context.newId(), context.at);
      return { body: detailsOf(await own.sendOnce(made)) };
    },
  }),
  route({
    ...manage,
    method: 'post',
    path: '/outbound-webhooks/{id}/deliveries/{deliveryId}/retry',
    summary: 'Sends a failed delivery again, once',
    request: { params: deliveryParams },
    response: { status: 200, schema: deliveryDetails },
    rejections: [DELIVERY_NOT_FAILED, DESTINATION_INACTIVE],
    async handle(input, context) {
      const destination = await expectDestination(context, input.params.id);
      const found = await own.records.find(destination, input.params.deliveryId);
      if (found.delivery.status !== 'FAILED') throw new Rejection(DELIVERY_NOT_FAILED);
      if (!destination.active) throw new Rejection(DESTINATION_INACTIVE);
      const again = await own.retry(found, destination);
      if (!again) throw new Rejection(DELIVERY_NOT_FAILED);
      return { body: detailsOf(again) };
    },
  }),
];
