import { z } from 'zod';
import { actor } from '../../contracts/actor.js';
import { lotPart as lotPartOf, redoneCost } from '../../../../projections/production/parts/order-parts.js';
import type { OrderDocument } from '../../../../projections/production/orders.js';
import { ORDER_COSTS, ORDER_STATUSES, orders } from '../../../../projections/production/orders.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply } from '../../../kernel/routes/route.js';
import { RawJson } from '../../../kernel/routes/route.js';
import type { Comeback } from '../events.js';
import { expiryDay } from '../stock/lot-answers.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { ReversalPreview } from './domain/reversal.js';
import type { ProductionServices } from './services.js';
import { fractionOf, isFull } from './domain/reversal.js';
import { found, revisionOf } from '../../../kernel/routes/stored-records.js';

/** Answers about production orders. Costs are left out for those who may not see them. */

const cost = z.number().optional().meta({ description: 'Only with the permission production.costs' });
const time = z.iso.datetime().nullable();

const stage = z.object({
  stageId: z.uuid(),
  name: z.string(),
  required: z.boolean(),
  workCenter: z.string().nullable(),
  standardMinutes: z.number().nullable(),
  done: z.boolean(),
  doneAt: time,
  doneBy: actor.nullable(),
  notes: z.string().nullable(),
});

const consumption = z.object({
  componentVariantId: z.uuid(),
  lotId: z.uuid().nullable().meta({ description: 'null for what is still owed' }),
  lotCode: z.string().nullable(),
  plannedQty: z.number().meta({ description: 'What the recipe needed of the whole input, all lots together' }),
  quantity: z.number(),
  perBatch: z.number(),
  unitCost: cost,
  cost,
  settledLater: z.boolean().meta({ description: 'The lot entered later and made good what was owed' }),
});

const input = z.object({
  componentVariantId: z.uuid(),
  plannedQty: z.number().meta({ description: 'What the recipe needed' }),
  quantity: z.number().meta({ description: 'What was really used' }),
});

const lotPart = z.object({
  variantId: z.uuid(),
  lotId: z.uuid(),
  lotCode: z.string().nullable(),
  quantity: z.number(),
  cost,
});

const costReversal = z.object({
  variantId: z.uuid(),
  status: z.enum(['REDONE', 'SKIPPED']),
  reason: z.string().optional().meta({ description: 'Why the average cost stays' }),
  before: cost,
  after: cost,
});

const costReversals = { costReversal, coproductCostReversals: z.array(costReversal) };

const reversalAnswer = z.object({
  at: z.iso.datetime(),
  by: actor,
  reason: z.string(),
  quantity: z.number(),
  fraction: z.number(),
  inputs: z.array(lotPart),
  byproducts: z.array(lotPart),
  ...costReversals,
});

const optionalCost = cost.nullable();

const members = {
  id: z.uuid(),
  number: z.int(),
  status: z.enum(ORDER_STATUSES),
  recipeId: z.uuid(),
  recipeVersion: z.int(),
  recipeName: z.string(),
  finishedVariantId: z.uuid(),
  batches: z.number(),
  locationId: z.uuid(),
  outputLocationId: z.uuid(),
  nominalQty: z.number().meta({ description: 'What the batches give without loss' }),
  expectedQty: z.number(),
  actualOutputQty: z.number().nullable(),
  lossQty: z.number().nullable().meta({ description: 'Nominal less actual; negative is a gain' }),
  lossPercent: z.number().nullable(),
  materialCost: optionalCost,
  laborCost: optionalCost,
  totalCost: optionalCost,
  unitCost: optionalCost,
  outputLotId: z.uuid().nullable(),
  outputLotCode: z.string().nullable(),
  outputExpiresAt: time,
  outputExpiresOn: z.iso.date().nullable().meta({ description: 'The day in the store’s time zone, as labels have it' }),
  expectedAt: time,
  startedAt: time,
  completedAt: time,
  cancelledAt: time,
  stages: z.array(stage),
  inputs: z.array(input).meta({ description: 'Each input once; empty until the order is completed' }),
  consumptions: z.array(consumption).meta({ description: 'What was used, lot by lot' }),
  byproducts: z.array(lotPart),
  reversals: z.array(reversalAnswer),
  notes: z.string().nullable(),
  createdBy: actor,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const orderAnswer = z.object(members).meta({ id: 'ProductionOrder' });
const forgivenInputs = z.array(z.object({ variantId: z.uuid(), quantity: z.number() }));
export const reversedOrder = z
  .object({
    ...members,
    ...costReversals,
    forgiven: forgivenInputs.meta({ description: 'Inputs that were still owed, and are owed no more' }),
  })
  .meta({ id: 'ReversedProductionOrder' });

export const previewAnswer = z
  .object({
    orderId: z.uuid(),
    outputLotCode: z.string().nullable(),
    obtainedQty: z.number(),
    remainingQty: z.number().meta({ description: 'Still in the lot, at all locations' }),
    availableQty: z.number().meta({ description: 'Of that, what may be sold or used' }),
    soldOrConsumedQty: z.number(),
    reversibleFraction: z.number(),
    full: z.boolean(),
    inputs: z.array(lotPart).meta({ description: 'What would go back to its lots, at the cost it left with' }),
    forgiven: forgivenInputs.meta({ description: 'Inputs that are still owed, and would be owed no more' }),
    byproducts: z.array(lotPart.extend({ obtainedQty: z.number() })).meta({
      description:
        'What would leave their lots, at its cost: the same fraction of what was obtained, as far as it lasts',
    }),
    ...costReversals,
  })
  .meta({ id: 'ReversalPreview' });

const seesCosts = (context: RequestContext): boolean => context.may('production.costs');

/** Within a text of JSON quotes are never alone, so nothing in it looks like the member. */
const EXPIRY = /"outputExpiresAt":(?:null|"([^"]+)")/g;

/** The stored JSON of orders, beside each expiry its day. */
const withExpiryDays = (json: string, timeZone: string): string =>
  json.replace(
    EXPIRY,
    (member, at: string | undefined) =>
      `${member},"outputExpiresOn":${JSON.stringify(expiryDay(at ?? null, timeZone))}`,
  );

/** The JSON of an answer as the asker may see it. */
function visibleJson(context: RequestContext, json: string): string {
  if (seesCosts(context)) return json;
  return JSON.stringify(JSON.parse(json, (member, value: unknown) => (ORDER_COSTS.has(member) ? undefined : value)));
}

const visible = (context: RequestContext, json: string): RawJson => new RawJson(visibleJson(context, json));

export const visibleList = (context: RequestContext, bodies: readonly string[], timeZone: string): RawJson =>
  visible(context, withExpiryDays(`[${bodies.join(',')}]`, timeZone));

/** An order with the last day on which what it made may be used. */
export const withExpiryDay = (order: OrderDocument, timeZone: string) => ({
  ...order,
  outputExpiresOn: expiryDay(order.outputExpiresAt, timeZone),
});

/** An order as facts make it, with its entity tag; `extra` joins its members. */
export async function documentReply(
  { stores }: Pick<ProductionServices, 'stores'>,
  context: RequestContext,
  order: OrderDocument | undefined,
  extra: object = {},
): Promise<Reply> {
  if (!order) throw new Rejection(NOT_FOUND);
  const shown = withExpiryDay(order, await timeZoneOf(stores, context.storeId));
  // JSON leaves out what is undefined.
  const body = { ...shown, revision: undefined, revisions: undefined, ...extra };
  return { body: seesCosts(context) ? body : visible(context, JSON.stringify(body)), etag: order.revision };
}

/** The order as it is stored. */
export async function storedReply(
  { stores }: Pick<ProductionServices, 'stores'>,
  context: RequestContext,
  orderId: string,
): Promise<Reply> {
  const record = found(await context.reads.get(orders, orderId));
  const body = withExpiryDays(record.body, await timeZoneOf(stores, context.storeId));
  return { body: visible(context, body), etag: revisionOf(record) };
}

export const forgivenOf = (inputs: readonly Pick<Comeback, 'forgiven'>[]) =>
  inputs.flatMap(({ forgiven }) =>
    forgiven.map(({ variantId, quantity }) => ({ variantId, quantity: quantity.toNumber() })),
  );

/** What would come back and what would leave besides the product. */
const foreseenParts = ({ byproducts, reversal }: Omit<ReversalPreview, 'orderId' | 'outputLotCode'>) => ({
  inputs: (reversal?.inputs ?? []).flatMap(({ entries }) => entries.map(lotPartOf)),
  forgiven: forgivenOf(reversal?.inputs ?? []),
  byproducts: byproducts.map((entry, index) => {
    const takes = (reversal?.byproducts[index]?.issues ?? []).flatMap((issue) => issue.takes);
    const quantity = Decimal.sum(takes.map((taken) => taken.quantity));
    const value = Decimal.sum(takes.map((taken) => taken.value));
    return { ...lotPartOf({ ...entry, quantity, value }), obtainedQty: entry.quantity.toNumber() };
  }),
});

export function previewReply(context: RequestContext, { orderId, outputLotCode, ...preview }: ReversalPreview): Reply {
  const { extent, costReversal, reversal } = preview;
  const { obtained, remaining, available, reversed } = extent;
  const body = {
    orderId,
    outputLotCode,
    obtainedQty: obtained.toNumber(),
    remainingQty: remaining.toNumber(),
    availableQty: available.toNumber(),
    soldOrConsumedQty: obtained.minus(reversed).minus(remaining).toNumber(),
    reversibleFraction: fractionOf(extent).toNumber(),
    full: isFull(extent),
    ...foreseenParts(preview),
    costReversal: redoneCost(costReversal),
    coproductCostReversals: (reversal?.byproducts ?? []).map((unmade) => redoneCost(unmade.costReversal)),
  };
  return { body: visible(context, JSON.stringify(body)) };
}
