import type {
  Consumption,
  CostReversal,
  Entry,
  InventoryEvent,
  OrderPlan,
  Settlement,
} from '../src/features/inventory/events.js';
import { entriesOf, inventoryEvents } from '../src/features/inventory/events.js';
import { Decimal } from '../src/kernel/decimal.js';
import type { Actor, Recorded } from '../src/kernel/event.js';
import type { RecordHandler } from '../src/kernel/projector.js';
import { recordCollection, recordProjector } from '../src/kernel/projector.js';

/** A production order with everything that happened to it; its inputs stand inside it. */

export const ORDER_STATUSES = [
  'PLANNED',
  'IN_PROGRESS',
  'COMPLETED',
  'PARTIALLY_REVERSED',
  'REVERSED',
  'CANCELLED',
] as const;

export interface OrderStage {
  readonly stageId: string;
  readonly name: string;
  readonly required: boolean;
  readonly workCenter: string | null;
  readonly standardMinutes: number | null;
  readonly done: boolean;
  readonly doneAt: string | null;
  readonly doneBy: Actor | null;
  readonly notes: string | null;
}

/** Part of an input: from one lot, or still owed where there is none. */
export interface OrderConsumption {
  readonly componentVariantId: string;
  readonly lotId: string | null;
  readonly lotCode: string | null;
  readonly quantity: number;
  readonly perBatch: number;
  readonly unitCost: number;
  readonly cost: number;
  /** The lot entered after the order was completed, and made good what was owed. */
  readonly settledLater: boolean;
}

interface LotPart {
  readonly variantId: string;
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly quantity: number;
  readonly cost: number;
}

interface RedoneCost {
  readonly variantId: string;
  readonly status: CostReversal['status'];
  readonly reason?: string;
  readonly before: number;
  readonly after: number;
}

export interface OrderReversal {
  readonly at: string;
  readonly by: Actor;
  readonly reason: string;
  readonly quantity: number;
  readonly fraction: number;
  /** What went back to its lot. */
  readonly inputs: readonly LotPart[];
  readonly costReversal: RedoneCost;
  readonly coproductCostReversals: readonly RedoneCost[];
}

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
  readonly consumptions: readonly OrderConsumption[];
  readonly byproducts: readonly LotPart[];
  readonly reversals: readonly OrderReversal[];
  readonly notes: string | null;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Becomes the entity tag. */
  readonly revision: number;
  /** Of every event that touched it, settlements of what it owed included. */
  readonly revisions: readonly number[];
}

/** Members that only production.costs may see, wherever they stand in an order. */
export const ORDER_COSTS: ReadonlySet<string> = new Set([
  ...['materialCost', 'laborCost', 'totalCost', 'unitCost', 'cost', 'before', 'after'],
]);

const isOpen = ({ status }: OrderDocument): boolean => status === 'PLANNED' || status === 'IN_PROGRESS';

const NUMBER_DIGITS = 12;
/** Orders in the order in which they were made; those of a period lie side by side. */
const madeColumn = ({ createdAt, number }: Pick<OrderDocument, 'createdAt' | 'number'>): string =>
  `${createdAt} ${String(number).padStart(NUMBER_DIGITS, '0')}`;

export const orders = recordCollection<OrderDocument>({
  name: 'orders',
  version: 1,
  hidden: ['revision', 'revisions'],
  columns: {
    made: { type: 'text', of: madeColumn },
    status: { type: 'text', of: ({ status }) => status },
    recipeId: { type: 'text', of: ({ recipeId }) => recipeId },
  },
  indexes: [['made'], ['status', 'made'], ['recipeId', 'made'], ['recipeId', 'status', 'made']],
  /** Of each finished variant: what planned and started orders are expected to give. */
  totals: (order) => (isOpen(order) ? { [order.finishedVariantId]: { plannedQty: order.expectedQty } } : {}),
});

type Fact<T extends InventoryEvent['type']> = Recorded<Extract<InventoryEvent, { readonly type: T }>>;

const CENTS = 2;
const QUANTITY_DECIMALS = 6;
const PERCENT_DECIMALS = 4;

const planned = (orderId: string, plan: OrderPlan, { meta, revision }: Recorded<InventoryEvent>): OrderDocument => ({
  id: orderId,
  number: plan.number,
  status: 'PLANNED',
  ...recipeMembers(plan),
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
  stages: stageIds.flatMap((stageId, index): OrderStage[] => {
    const stage = recipe.stages[index];
    if (!stage) return [];
    const { name, required, workCenter } = stage;
    const standardMinutes = stage.standardMinutes?.toNumber() ?? null;
    return [
      { stageId, name, required, workCenter, standardMinutes, done: false, doneAt: null, doneBy: null, notes: null },
    ];
  }),
});

function consumptionRows({ variantId, takes, debt }: Consumption, batches: Decimal): OrderConsumption[] {
  const row = (
    lot: Pick<OrderConsumption, 'lotId' | 'lotCode'>,
    { quantity, value, cost }: { readonly quantity: Decimal; readonly value: Decimal; readonly cost: Decimal },
  ): OrderConsumption => ({
    componentVariantId: variantId,
    lotId: lot.lotId,
    lotCode: lot.lotCode,
    quantity: quantity.toNumber(),
    perBatch: quantity.timesRatio(Decimal.one, batches, QUANTITY_DECIMALS).toNumber(),
    unitCost: value.dividedBy(quantity).toNumber(),
    cost: cost.toNumber(),
    settledLater: false,
  });
  const rows = takes.map((taken) => row(taken, taken));
  return debt ? [...rows, row({ lotId: null, lotCode: null }, debt)] : rows;
}

const lotPart = ({ variantId, lotId, lotCode, quantity, value }: Entry): LotPart => ({
  variantId,
  lotId,
  lotCode,
  quantity: quantity.toNumber(),
  cost: value.round(CENTS).toNumber(),
});

function completed(order: OrderDocument, { data, meta }: Fact<'OrderCompleted'>): OrderDocument {
  const { nominalQty, actualOutputQty, output } = data;
  const batches = Decimal.from(order.batches);
  const lossQty = nominalQty.minus(actualOutputQty);
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
    consumptions: data.consumptions.flatMap((consumption) => consumptionRows(consumption, batches)),
    byproducts: data.byproducts.map(lotPart),
  };
}

/** As answers give it. */
export const redoneCost = ({ variantId, status, reason, before, after }: CostReversal): RedoneCost => ({
  variantId,
  status,
  ...(reason === null ? {} : { reason }),
  before: before.toNumber(),
  after: after.toNumber(),
});

const reversalOf = ({ data, meta }: Fact<'OrderReversed'>): OrderReversal => ({
  at: meta.at,
  by: meta.actor,
  reason: data.reason,
  quantity: data.reversedQty.toNumber(),
  fraction: data.fraction.toNumber(),
  inputs: data.inputs.flatMap(({ entries }) => entries.map(lotPart)),
  costReversal: redoneCost(data.output.costReversal),
  coproductCostReversals: data.byproducts.map(({ costReversal }) => redoneCost(costReversal)),
});

function marked(order: OrderDocument, { data, meta }: Fact<'OrderStageMarked'>): OrderDocument {
  const stages = order.stages.map((stage) => {
    if (stage.stageId !== data.stageId) return stage;
    const { done, notes } = data;
    if (done === stage.done) return { ...stage, notes };
    return { ...stage, done, notes, doneAt: done ? meta.at : null, doneBy: done ? meta.actor : null };
  });
  return { ...order, stages };
}

/** Part of what an order owed came in: it has a lot now. Its cost stays what it was. */
function settled(order: OrderDocument, entry: Entry, { quantity }: Settlement): OrderDocument {
  const { variantId, lotId, lotCode } = entry;
  const index = order.consumptions.findIndex((row) => row.lotId === null && row.componentVariantId === variantId);
  const owed = order.consumptions[index];
  if (!owed) return order;
  const [whole, cost] = [Decimal.from(owed.quantity), Decimal.from(owed.cost)];
  const part = (of: Decimal): OrderConsumption => ({
    ...owed,
    quantity: of.toNumber(),
    perBatch: of.timesRatio(Decimal.one, Decimal.from(order.batches), QUANTITY_DECIMALS).toNumber(),
    cost: cost.timesRatio(of, whole, CENTS).toNumber(),
  });
  const known = { ...part(quantity), lotId, lotCode, settledLater: true };
  const left = whole.minus(quantity);
  const rest = left.isPositive ? [{ ...part(left), cost: cost.minus(Decimal.from(known.cost)).toNumber() }] : [];
  return { ...order, consumptions: order.consumptions.toSpliced(index, 1, known, ...rest) };
}

function afterEntries(order: OrderDocument, event: InventoryEvent): OrderDocument {
  let current = order;
  for (const entry of entriesOf(event)) {
    for (const settlement of entry.settlements) {
      const { originKind, originId } = settlement;
      if (originKind === 'ORDER' && originId === order.id) current = settled(current, entry, settlement);
    }
  }
  return current;
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
      return marked(order, event);
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
  for (const { settlements } of entriesOf(event)) {
    for (const { originKind, originId } of settlements) if (originKind === 'ORDER') ids.add(originId);
  }
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
