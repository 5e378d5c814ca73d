import type { InventoryEvent, OrderPlan } from '../../src/features/inventory/events.js';
import { inventoryEvents, settlementsOf } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Actor, Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import type { Fact, LotPart, OrderConsumption, OrderInput, OrderReversal, OrderStage } from './parts/order-parts.js';
import {
  afterMark,
  consumptionRows,
  inputRows,
  lotPart,
  reversalOf,
  settledRows,
  stagesOf,
} from './parts/order-parts.js';
import { TYPICAL_ORDER } from './parts/typical-order.js';

/** A production order with everything that happened to it; its inputs stand inside it. */

export const ORDER_STATUSES = [
  'PLANNED',
  'IN_PROGRESS',
  'COMPLETED',
  'PARTIALLY_REVERSED',
  'REVERSED',
  'CANCELLED',
] as const;

export interface OrderDocument {
  readonly id: string;
  readonly number: number;
  readonly status: (typeof ORDER_STATUSES)[number];
  readonly recipeId: string;
  readonly recipeVersion: number;
  readonly recipeName: string;
  readonly finishedVariantId: string;
  readonly batches: number;
  readonly locationId: string;
  readonly outputLocationId: string;
  readonly nominalQty: number;
  readonly expectedQty: number;
  readonly actualOutputQty: number | null;
  readonly lossQty: number | null;
  readonly lossPercent: number | null;
  readonly materialCost: number | null;
  readonly laborCost: number | null;
  readonly totalCost: number | null;
  readonly unitCost: number | null;
  readonly outputLotId: string | null;
  readonly outputLotCode: string | null;
  readonly outputExpiresAt: string | null;
  readonly expectedAt: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly cancelledAt: string | null;
  readonly stages: readonly OrderStage[];
  /** What a completed order was to take of each input, and what it took. */
  readonly inputs: readonly OrderInput[];
  readonly consumptions: readonly OrderConsumption[];
  readonly byproducts: readonly LotPart[];
  readonly reversals: readonly OrderReversal[];
  readonly notes: string | null;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Becomes the entity tag. */
  readonly revision: number;
  /** The revisions of every event that touched it, settlements of what it owed included. */
  readonly revisions: readonly number[];
}

/** Members that only production.costs may see, wherever they stand in an order. */
export const ORDER_COSTS: ReadonlySet<string> = new Set([
  'materialCost',
  'laborCost',
  'totalCost',
  'unitCost',
  'cost',
  'before',
  'after',
]);

const isOpen = ({ status }: OrderDocument): boolean => status === 'PLANNED' || status === 'IN_PROGRESS';

const NUMBER_DIGITS = 12;
/** Orders in the order in which they were made; those of a period lie side by side. */
const madeColumn = ({ createdAt, number }: Pick<OrderDocument, 'createdAt' | 'number'>): string =>
  `${createdAt} ${String(number).padStart(NUMBER_DIGITS, '0')}`;

/** When an order is wanted while it is open, and when it ended after that. */
const dueOrEnded = (order: OrderDocument): string => {
  const at = isOpen(order) ? order.expectedAt : (order.completedAt ?? order.cancelledAt);
  return at ?? order.createdAt;
};

export const orders = recordCollection<OrderDocument>({
  name: 'orders',
  version: 4,
  hidden: ['revision', 'revisions'],
  subjectsOf: (id) => [id],
  columns: {
    made: { type: 'text', of: madeColumn },
    status: { type: 'text', of: ({ status }) => status },
    recipeId: { type: 'id', of: ({ recipeId }) => recipeId },
    dueOrEnded: { type: 'text', of: dueOrEnded },
  },
  indexes: [
    ['made'],
    ['status', 'made'],
    ['status', 'dueOrEnded'],
    ['recipeId', 'made'],
    ['recipeId', 'status', 'made'],
  ],
  typicalBody: TYPICAL_ORDER,
  /** What planned and started orders are expected to give of each finished variant. */
  totals: (order) => (isOpen(order) ? [[order.finishedVariantId, { plannedQty: order.expectedQty }]] : []),
});

const PERCENT_DECIMALS = 4;

const planned = (orderId: string, plan: OrderPlan, { meta, revision }: Recorded<InventoryEvent>): OrderDocument => ({
  id: orderId,
  number: plan.number,
  status: 'PLANNED',
  recipeId: plan.recipe.recipeId,
  recipeVersion: plan.recipe.version,
  recipeName: plan.recipe.name,
  finishedVariantId: plan.recipe.finishedVariantId,
  nominalQty: plan.nominalQty.toNumber(),
  expectedQty: plan.expectedQty.toNumber(),
  stages: stagesOf(plan.recipe, plan.stageIds),
  batches: plan.batches.toNumber(),
  locationId: plan.locationId,
  outputLocationId: plan.outputLocationId,
  actualOutputQty: null,
  lossQty: null,
  lossPercent: null,
  materialCost: null,
  laborCost: null,
  totalCost: null,
  unitCost: null,
  outputLotId: null,
  outputLotCode: null,
  outputExpiresAt: null,
  expectedAt: plan.expectedAt,
  startedAt: null,
  completedAt: null,
  cancelledAt: null,
  inputs: [],
  consumptions: [],
  byproducts: [],
  reversals: [],
  notes: plan.notes,
  createdBy: meta.actor,
  createdAt: meta.at,
  updatedAt: meta.at,
  revision,
  revisions: [],
});

/** What follows from the copy of the recipe. */
const recipeMembers = ({
  recipe,
  stageIds,
  nominalQty,
  expectedQty,
}: Pick<OrderPlan, 'recipe' | 'stageIds' | 'nominalQty' | 'expectedQty'>) => ({
  recipeId: recipe.recipeId,
  recipeVersion: recipe.version,
  recipeName: recipe.name,
  finishedVariantId: recipe.finishedVariantId,
  nominalQty: nominalQty.toNumber(),
  expectedQty: expectedQty.toNumber(),
  stages: stagesOf(recipe, stageIds),
});

function completed(order: OrderDocument, { data, meta }: Fact<'OrderCompleted'>): OrderDocument {
  const { nominalQty, actualOutputQty, output } = data;
  const batches = Decimal.from(order.batches);
  const lossQty = nominalQty.minus(actualOutputQty);
  const inputs = inputRows(data.consumptions);
  const needs = new Map(inputs.map(({ componentVariantId, plannedQty }) => [componentVariantId, plannedQty]));
  const lossPercent = nominalQty.isZero ? null : lossQty.timesRatio(Decimal.hundred, nominalQty, PERCENT_DECIMALS);
  return {
    ...order,
    status: 'COMPLETED',
    actualOutputQty: actualOutputQty.toNumber(),
    lossQty: lossQty.toNumber(),
    lossPercent: lossPercent?.toNumber() ?? null,
    materialCost: data.materialCost.toNumber(),
    laborCost: data.laborCost.toNumber(),
    totalCost: data.totalCost.toNumber(),
    unitCost: data.unitCost?.toNumber() ?? null,
    outputLotId: output?.lotId ?? null,
    outputLotCode: output?.lotCode ?? null,
    outputExpiresAt: output?.expiresAt ?? null,
    completedAt: meta.at,
    inputs,
    consumptions: data.consumptions.flatMap((consumption) =>
      consumptionRows(consumption, batches, needs.get(consumption.variantId) ?? 0),
    ),
    byproducts: data.byproducts.map(lotPart),
  };
}

function afterEntries(order: OrderDocument, event: InventoryEvent): OrderDocument {
  const settlements = settlementsOf(event, 'ORDER');
  if (settlements.length === 0) return order;
  let { consumptions } = order;
  for (const { entry, settled } of settlements) {
    if (settled.originId !== order.id) continue;
    consumptions = settledRows(consumptions, Decimal.from(order.batches), entry, settled.quantity);
  }
  return { ...order, consumptions };
}

/** The order's own facts. */
function afterOwnFact(order: OrderDocument, event: Recorded<InventoryEvent>): OrderDocument {
  if (!('orderId' in event.data) || event.data.orderId !== order.id) return order;
  const after = changedBy(order, event);
  return { ...after, updatedAt: event.meta.at, revision: event.revision };
}

function changedBy(order: OrderDocument, event: Recorded<InventoryEvent>): OrderDocument {
  switch (event.type) {
    case 'OrderStarted':
      return { ...order, status: 'IN_PROGRESS', startedAt: event.meta.at };
    case 'OrderStageMarked':
      return { ...order, stages: order.stages.map((stage) => afterMark(stage, event)) };
    case 'OrderRecipeRefreshed':
      return { ...order, ...recipeMembers(event.data) };
    case 'OrderCancelled':
      return { ...order, status: 'CANCELLED', cancelledAt: event.meta.at };
    case 'OrderCompleted':
      return completed(order, event);
    case 'OrderReversed': {
      const status = event.data.whole ? 'REVERSED' : 'PARTIALLY_REVERSED';
      return { ...order, status, reversals: [...order.reversals, reversalOf(event)] };
    }
    default:
      return order;
  }
}

/** The order with which the event begins, if it is the first of one. */
export function begunBy(event: InventoryEvent): string | undefined {
  if (event.type === 'OrderPlanned') return event.data.orderId;
  return event.type === 'OrderCompleted' && event.data.plan ? event.data.orderId : undefined;
}

function begun(event: Recorded<InventoryEvent>): OrderDocument | undefined {
  if (event.type === 'OrderPlanned') return planned(event.data.orderId, event.data, event);
  if (event.type !== 'OrderCompleted' || !event.data.plan) return undefined;
  return planned(event.data.orderId, event.data.plan, event);
}

/** An order after a fact that touched it; the same fact again changes nothing. */
export function orderAfter(
  order: OrderDocument | undefined,
  event: Recorded<InventoryEvent>,
): OrderDocument | undefined {
  const before = order ?? begun(event);
  if (!before || before.revisions.includes(event.revision)) return before;
  const after = afterEntries(afterOwnFact(before, event), event);
  return { ...after, revisions: [...before.revisions, event.revision] };
}

function touched(event: InventoryEvent): readonly string[] {
  const ids = new Set<string>();
  if ('orderId' in event.data) ids.add(event.data.orderId);
  for (const { settled } of settlementsOf(event, 'ORDER')) ids.add(settled.originId);
  return [...ids];
}

const touching: RecordHandler<OrderDocument, Recorded<InventoryEvent>> = { ids: touched, evolve: orderAfter };

export const ordersProjector = recordProjector(orders, [inventoryEvents], {
  OrderPlanned: touching,
  OrderStarted: touching,
  OrderStageMarked: touching,
  OrderRecipeRefreshed: touching,
  OrderCancelled: touching,
  OrderCompleted: touching,
  OrderReversed: touching,
  StockOpened: touching,
  StockReceived: touching,
  StockAdjusted: touching,
  StockTransferred: touching,
  SaleReturned: touching,
  SaleCancelled: touching,
});
