import { redoneCost } from '../../../../projections/production/parts/order-parts.js';
import { NOT_FOUND, Rejection, saidWhenTooLarge } from '../../../kernel/events/rejection.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { inventory } from '../decider.js';
import { foreseeReversal } from './domain/reversal.js';
import { withHistory } from '../history-lookup.js';
import { ALREADY_REVERSED, ORDER_NOT_COMPLETED, REVERSAL_BLOCKED, REVERSAL_TOO_LARGE } from '../rejections.js';
import { forgivenOf, previewAnswer, previewReply, reversedOrder } from './answers.js';
import { orderParams, reversal } from './bodies.js';
import type { ProductionServices } from './services.js';
import { PATH, reversing } from './services.js';
import { nameOrder, workOn, workedReply } from './order-work-routes.js';

export const previewReversal = route({
  ...reversing,
  method: 'get',
  path: `${PATH}/{id}/reversal-preview`,
  operationId: 'previewOrderReversal',
  summary: 'Says what a reversal would come to now; writes nothing',
  description:
    'Where not everything is there any more, that is what `partial` would do: inputs, by-products and costs are those of the part that is left.',
  request: { params: orderParams },
  response: { status: 200, schema: previewAnswer },
  rejections: [ORDER_NOT_COMPLETED, ALREADY_REVERSED],
  async handle({ params: { id } }, context) {
    const preview = await withHistory(async () => {
      const named = await nameOrder(context, id, (await context.head(inventory)).state);
      return foreseeReversal((await context.head(inventory)).state, named, context.at);
    });
    return previewReply(context, preview);
  },
});

export const reverseOrder = (services: ProductionServices): Route =>
  route({
    ...reversing,
    method: 'post',
    path: `${PATH}/{id}/reverse`,
    ifMatch: true,
    summary: 'Unmakes an order: what it made leaves its lot, which is blocked, and the inputs go back to theirs',
    description:
      'Everything comes from what was recorded when the order was completed. With `partial` only what is still in stock is reversed, and that fraction of the inputs.',
    request: { params: orderParams, body: reversal },
    response: { status: 200, schema: reversedOrder, etag: true },
    rejections: [ORDER_NOT_COMPLETED, ALREADY_REVERSED, REVERSAL_BLOCKED, REVERSAL_TOO_LARGE],
    async handle({ params: { id }, body: { reason, partial = false } }, context) {
      const { events } = await saidWhenTooLarge(REVERSAL_TOO_LARGE, () =>
        workOn(context, id, (named) => ({ type: 'reverseOrder', ...named, reason, partial })),
      );
      const [event] = events;
      if (event?.type !== 'OrderReversed') throw new Rejection(NOT_FOUND);
      const { output, inputs, byproducts } = event.data;
      return workedReply(services, context, id, {
        costReversal: redoneCost(output.costReversal),
        forgiven: forgivenOf(inputs),
        coproductCostReversals: byproducts.map(({ costReversal }) => redoneCost(costReversal)),
      });
    },
  });
