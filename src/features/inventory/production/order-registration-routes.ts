import { orderAfter } from '../../../../projections/production/orders.js';
import { toIso } from '../../../kernel/values/clock.js';
import { dayOf, endOf, startOf } from '../../../kernel/values/days.js';
import { textOrNull } from '../../../kernel/values/fields.js';
import { memoise } from '../../../kernel/values/memoise.js';
import { COMMAND_TOO_LARGE, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import type { Decimal } from '../../../kernel/values/decimal.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { RecipeCopy } from '../../contracts/recipe-book.js';
import { LOT_NOT_FOUND, NOT_KEPT_IN_STOCK } from '../../contracts/stock-keeper.js';
import { inventory } from '../decider.js';
import type { Completion } from './domain/completion.js';
import type { NewPlan } from './domain/order-decisions.js';
import type { RecipeInOrder } from '../events.js';
import { locationChooser } from '../locations/choice.js';
import { withHistory } from '../history-lookup.js';
import { expiryFirst } from '../stock/goods.js';
import { INSUFFICIENT_STOCK, LOT_CODE_TAKEN } from '../rejections.js';
import { documentReply, orderAnswer } from './answers.js';
import type { OutputGiven, Places } from './bodies.js';
import { newOrder, newPlan } from './bodies.js';
import type { ProductionServices } from './services.js';
import { PATH, managing } from './services.js';

/** The members that an order keeps of a recipe. */
export const recipeInOrder = memoise((recipe: RecipeCopy): RecipeInOrder => ({
  recipeId: recipe.recipeId,
  version: recipe.version,
  name: recipe.name,
  finishedVariantId: recipe.finishedVariantId,
  yieldQty: recipe.yieldQty,
  expectedLossPercent: recipe.expectedLossPercent,
  items: recipe.items.map(({ componentVariantId, quantity, lossPercent, costKind }) => ({
    componentVariantId,
    quantity,
    lossPercent,
    costKind,
  })),
  stages: recipe.stages.map(({ name, required, workCenter, standardMinutes, laborRatePerHour }) => ({
    name,
    required,
    workCenter,
    standardMinutes,
    laborRatePerHour,
  })),
  byproducts: recipe.byproducts.map(({ variantId, quantityPerBatch, costSharePercent }) => ({
    variantId,
    quantityPerBatch,
    costSharePercent,
  })),
}));

async function recipeInForce({ recipes }: ProductionServices, context: RequestContext, recipeId: string) {
  const recipe = await recipes.inForce(context, recipeId);
  if (!recipe) throw notFoundAt('recipeId');
  return recipeInOrder(recipe);
}

interface Asked extends Places {
  readonly recipeId: string;
  readonly batches: Decimal;
  readonly notes?: string | null | undefined;
}

async function planOf(
  services: ProductionServices,
  context: RequestContext,
  asked: Asked,
): Promise<Omit<NewPlan, 'stageIds' | 'expectedAt'>> {
  const recipe = await recipeInForce(services, context, asked.recipeId);
  const choose = await locationChooser(context, 'productionDefaultId');
  const locationId = choose(asked.locationId, 'locationId');
  const outputLocationId = choose(asked.outputLocationId, 'outputLocationId');
  return { recipe, batches: asked.batches, locationId, outputLocationId, notes: textOrNull(asked.notes) };
}

/** The inputs of a recipe of which the lot that expires first leaves first. */
export const inputsByExpiry = async (
  { catalogue }: ProductionServices,
  context: RequestContext,
  { items }: RecipeInOrder,
): Promise<ReadonlySet<string>> =>
  expiryFirst(
    await catalogue.variants(
      context,
      items.map(({ componentVariantId }) => componentVariantId),
    ),
  );

/** How the request wants an order to be completed, apart from ids, codes and what its recipe says. */
export async function completionFromRequest(
  { stores }: ProductionServices,
  context: RequestContext,
  given: OutputGiven,
): Promise<Omit<Completion, 'lotIds' | 'knownCodes' | 'inputCodes' | 'expiryFirst'>> {
  const timeZone = await timeZoneOf(stores, context.storeId);
  const { actualOutputQty = null, outputLotCode = null, outputExpiresAt, allowNegativeStock = false } = given;
  const actualInputs = (given.actualInputs ?? []).map(({ lotCode = null, ...input }) => ({ ...input, lotCode }));
  return {
    actualOutputQty,
    outputLotCode,
    outputExpiresAt: outputExpiresAt === undefined ? null : toIso(endOf(outputExpiresAt, timeZone)),
    allowNegativeStock,
    actualInputs,
    completedOn: dayOf(Date.parse(context.at), timeZone),
  };
}

/** Whether the lots that inputs are said to come from are known. */
export const inputCodesOf = (
  { lotCodes }: ProductionServices,
  context: RequestContext,
  { actualInputs = [] }: Pick<Completion, 'actualInputs'>,
) =>
  lotCodes.find(
    context,
    actualInputs.flatMap(({ componentVariantId: variantId, lotCode }) =>
      lotCode === null ? [] : [{ variantId, lotCode }],
    ),
  );

export const completionRefusals = [INSUFFICIENT_STOCK, LOT_CODE_TAKEN, LOT_NOT_FOUND, COMMAND_TOO_LARGE];

/** The command by which an order comes to be. */
const ORDER = 'order';

export const registerOrder = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: PATH,
    operationId: 'registerOrder',
    summary: 'Registers what was produced: consumes the inputs, enters the output and fixes the cost at once',
    description:
      'Inputs leave by FIFO of their lots, or by expiry where the input says so. It asks for no stages; their standard labour is part of the cost. By-products enter under the same lot code.',
    request: { body: newOrder },
    response: { status: 201, schema: orderAnswer, etag: true },
    rejections: [...completionRefusals, NOT_KEPT_IN_STOCK],
    async handle({ body }, context) {
      const earlier = await context.earlierEvents(inventory, ORDER);
      if (earlier) return documentReply(services, context, earlier.reduce(orderAfter, undefined));
      const plan: NewPlan = { stageIds: [], expectedAt: null, ...(await planOf(services, context, body)) };
      const making = await completionFromRequest(services, context, body);
      const byExpiry = await inputsByExpiry(services, context, plan.recipe);
      const { finishedVariantId: variantId, byproducts } = plan.recipe;
      const orderId = context.newId();
      const lotIds = [variantId, ...byproducts].map(() => context.newId());
      const output = { variantId, code: making.outputLotCode, number: undefined, day: making.completedOn };
      const { events } = await withHistory(async () => {
        const knownCodes = await services.outputCodes.known(context, output);
        const inputCodes = await inputCodesOf(services, context, making);
        const whole = { lotIds, knownCodes, inputCodes, expiryFirst: byExpiry, ...making };
        const command = { type: 'registerOrder', orderId, plan, making: whole } as const;
        return context.execute(inventory, command, { name: ORDER });
      });
      return documentReply(services, context, events.reduce(orderAfter, undefined));
    },
  });

export const planOrder = (services: ProductionServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: `${PATH}/plan`,
    operationId: 'planOrder',
    summary: 'Plans an order with a copy of the recipe and its stages',
    request: { body: newPlan },
    response: { status: 201, schema: orderAnswer, etag: true },
    rejections: [NOT_KEPT_IN_STOCK, COMMAND_TOO_LARGE],
    async handle({ body }, context) {
      const earlier = await context.earlierEvents(inventory, ORDER);
      if (earlier) return documentReply(services, context, earlier.reduce(orderAfter, undefined));
      const { expectedAt: expected, ...asked } = body;
      const plan = await planOf(services, context, asked);
      const orderId = context.newId();
      const stageIds = plan.recipe.stages.map(() => context.newId());
      const expectedAt = toIso(startOf(expected, await timeZoneOf(services.stores, context.storeId)));
      const command = { type: 'planOrder', orderId, plan: { ...plan, stageIds, expectedAt } } as const;
      const { events } = await context.execute(inventory, command, { name: ORDER });
      return documentReply(services, context, events.reduce(orderAfter, undefined));
    },
  });
