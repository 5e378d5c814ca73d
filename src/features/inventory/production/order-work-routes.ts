import type { OrderDocument } from '../../../../projections/production/orders.js';
import { begunBy, orderAfter, orders } from '../../../../projections/production/orders.js';
import { textOrNull } from '../../../kernel/values/fields.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { inventory } from '../decider.js';
import { orderKey } from '../ledger/touched-revisions.js';
import type { OrderCommand } from './domain/order-decisions.js';
import type { NamedOrder } from './domain/order-guards.js';
import type { Inventory } from '../ledger/state.js';
import { isStale, historyOf, recordOf, withHistory } from '../history-lookup.js';
import { NOT_KEPT_IN_STOCK } from '../../contracts/stock-keeper.js';
import { ORDER_NOT_OPEN, ORDER_NOT_PLANNED, STAGES_PENDING } from '../rejections.js';
import { documentReply, orderAnswer } from './answers.js';
import { completion, orderParams, stageMark, stageParams } from './bodies.js';
import {
  completionRefusals,
  completionFromRequest,
  inputCodesOf,
  inputsByExpiry,
  recipeInOrder,
} from './order-registration-routes.js';
import type { ProductionServices } from './services.js';
import { PATH, managing } from './services.js';

/** Work on orders that are planned or under way. */

const orderPast = (context: RequestContext, orderId: string) =>
  historyOf(context, {
    key: orderKey(orderId),
    id: orderId,
    collection: orders,
    begins: (event) => begunBy(event) === orderId,
  });

const orderOf = ({ events }: Awaited<ReturnType<typeof orderPast>>): OrderDocument | undefined =>
  events.reduce<OrderDocument | undefined>((order, { event }) => orderAfter(order, event), undefined);

/** The order with its past, where the decision needs it. */
export async function nameOrder(context: RequestContext, orderId: string, state: Inventory): Promise<NamedOrder> {
  if (context.ifMatch === undefined && state.openOrders.has(orderId)) return { orderId, past: undefined };
  const past = await orderPast(context, orderId);
  return { orderId, past: { ...past, stale: isStale(context, orderOf(past)) } };
}

type Work = Exclude<OrderCommand, { readonly type: 'planOrder' | 'registerOrder' }>;

/** Decides on an order by what is known of it; what was recorded, or nothing. */
export const workOn = (
  context: RequestContext,
  orderId: string,
  commandOf: (named: NamedOrder, state: Inventory) => Work | Promise<Work>,
) =>
  withHistory(
    async () => {
      const { state } = await context.head(inventory);
      const command = await commandOf(await nameOrder(context, orderId, state), state);
      return context.execute(inventory, command, { name: 'order' });
    },
    recordOf(context, orderId),
  );

/** The whole order from its facts: what was just done needs no read model to be answered. */
export async function workedReply(
  services: Pick<ProductionServices, 'stores'>,
  context: RequestContext,
  orderId: string,
  extra: object = {},
): Promise<Reply> {
  return documentReply(services, context, orderOf(await orderPast(context, orderId)), extra);
}

const answered = { status: 200, schema: orderAnswer, etag: true } as const;

export const startOrder = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: `${PATH}/{id}/start`,
    ifMatch: true,
    summary: 'Starts a planned order',
    request: { params: orderParams },
    response: answered,
    rejections: [ORDER_NOT_PLANNED],
    async handle({ params: { id } }, context) {
      await workOn(context, id, (named) => ({ type: 'startOrder', ...named }));
      return workedReply(services, context, id);
    },
  });

export const markStage = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: `${PATH}/{id}/stages/{stageId}`,
    ifMatch: true,
    operationId: 'markOrderStage',
    summary: 'Marks a stage as done or not done, or notes something about it',
    description: 'What is omitted stays as it is.',
    request: { params: stageParams, body: stageMark },
    response: answered,
    rejections: [ORDER_NOT_OPEN],
    async handle({ params: { id, stageId }, body: { done, notes: given } }, context) {
      const notes = given === undefined ? undefined : textOrNull(given);
      await workOn(context, id, (named) => ({ type: 'markStage', ...named, stageId, done, notes }));
      return workedReply(services, context, id);
    },
  });

export const refreshRecipe = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: `${PATH}/{id}/refresh-recipe`,
    ifMatch: true,
    summary: 'Gives a planned order the version of its recipe that is in force; its stages begin anew',
    request: { params: orderParams },
    response: answered,
    rejections: [ORDER_NOT_PLANNED, NOT_KEPT_IN_STOCK],
    async handle({ params: { id } }, context) {
      const stageIds: string[] = [];
      await workOn(context, id, async (named, state) => {
        const recipeId = state.openOrders.get(id)?.plan.recipe.recipeId;
        const copy = recipeId === undefined ? undefined : await services.recipes.inForce(context, recipeId);
        const stages = copy?.stages ?? [];
        while (stageIds.length < stages.length) stageIds.push(context.newId());
        return {
          type: 'refreshRecipe',
          ...named,
          recipe: copy && recipeInOrder(copy),
          stageIds: stageIds.slice(0, stages.length),
        };
      });
      return workedReply(services, context, id);
    },
  });

export const cancelOrder = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: `${PATH}/{id}/cancel`,
    ifMatch: true,
    summary: 'Cancels an order that is not completed',
    request: { params: orderParams },
    response: answered,
    rejections: [ORDER_NOT_OPEN],
    async handle({ params: { id } }, context) {
      await workOn(context, id, (named) => ({ type: 'cancelOrder', ...named }));
      return workedReply(services, context, id);
    },
  });

export const completeOrder = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: `${PATH}/{id}/complete`,
    ifMatch: true,
    summary: 'Completes an order: consumes the inputs by FIFO or by expiry, enters the output and fixes the cost',
    request: { params: orderParams, body: completion.optional() },
    response: answered,
    rejections: [ORDER_NOT_OPEN, STAGES_PENDING, ...completionRefusals],
    async handle({ params: { id }, body = {} }, context) {
      const making = await completionFromRequest(services, context, body);
      const lotIds: string[] = [];
      await workOn(context, id, async (named, state) => {
        const open = state.openOrders.get(id);
        // What is not open is left to the decision to refuse, or to the lane, which knows whether this very request has completed it.
        if (!open) return { type: 'completeOrder', ...named, making: { ...making, lotIds, knownCodes: undefined } };
        const { recipe, number } = open.plan;
        while (lotIds.length <= recipe.byproducts.length) lotIds.push(context.newId());
        const byExpiry = await inputsByExpiry(services, context, recipe);
        const output = { variantId: recipe.finishedVariantId, number, day: making.completedOn };
        const knownCodes = await services.outputCodes.known(context, { ...output, code: making.outputLotCode });
        const inputCodes = await inputCodesOf(services, context, making);
        const whole = { ...making, lotIds, knownCodes, inputCodes, expiryFirst: byExpiry };
        return { type: 'completeOrder', ...named, making: whole };
      });
      return workedReply(services, context, id);
    },
  });
