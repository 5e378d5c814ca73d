import type {
  Consumption,
  CostReversal,
  Entry,
  InventoryEvent,
  Issue,
  RecipeInOrder,
} from '../../../src/features/inventory/events.js';
import { Decimal, QUANTITY_DECIMALS } from '../../../src/kernel/values/decimal.js';
import type { Actor, Recorded } from '../../../src/kernel/events/event.js';

/** The parts of a production order's document: stages, inputs, by-products, reversals. */

export type Fact<T extends InventoryEvent['type']> = Recorded<Extract<InventoryEvent, { readonly type: T }>>;

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

/** What an order was to take of an input, and what it took. */
export interface OrderInput {
  readonly componentVariantId: string;
  readonly plannedQty: number;
  readonly quantity: number;
}

/** Each input once, in their order. */
export function inputRows(consumptions: readonly Consumption[]): OrderInput[] {
  const inputs = new Map<string, OrderInput>();
  for (const { variantId: componentVariantId, quantity, plannedQty = quantity } of consumptions) {
    const before = inputs.get(componentVariantId) ?? { plannedQty: 0, quantity: 0 };
    inputs.set(componentVariantId, {
      componentVariantId,
      plannedQty: plannedQty.plus(Decimal.from(before.plannedQty)).toNumber(),
      quantity: quantity.plus(Decimal.from(before.quantity)).toNumber(),
    });
  }
  return [...inputs.values()];
}

/** Part of an input: from one lot, or still owed where there is none. */
export interface OrderConsumption {
  readonly componentVariantId: string;
  readonly lotId: string | null;
  readonly lotCode: string | null;
  /** What the recipe needed of the whole input. */
  readonly plannedQty: number;
  readonly quantity: number;
  readonly perBatch: number;
  readonly unitCost: number;
  readonly cost: number;
  /** The lot entered after the order was completed, and made good what was owed. */
  readonly settledLater: boolean;
}

export interface LotPart {
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
  /** What left its lot besides the product. */
  readonly byproducts: readonly LotPart[];
  readonly costReversal: RedoneCost;
  readonly coproductCostReversals: readonly RedoneCost[];
}

const CENTS = 2;

export const stagesOf = (recipe: RecipeInOrder, stageIds: readonly string[]): OrderStage[] =>
  stageIds.flatMap((stageId, index): OrderStage[] => {
    const stage = recipe.stages[index];
    if (!stage) return [];
    const { name, required, workCenter } = stage;
    const standardMinutes = stage.standardMinutes?.toNumber() ?? null;
    return [
      { stageId, name, required, workCenter, standardMinutes, done: false, doneAt: null, doneBy: null, notes: null },
    ];
  });

export function afterMark(stage: OrderStage, { data, meta }: Fact<'OrderStageMarked'>): OrderStage {
  if (stage.stageId !== data.stageId) return stage;
  const { done, notes } = data;
  if (done === stage.done) return { ...stage, notes };
  return { ...stage, done, notes, doneAt: done ? meta.at : null, doneBy: done ? meta.actor : null };
}

const perBatchOf = (quantity: Decimal, batches: Decimal): number =>
  quantity.timesRatio(Decimal.one, batches, QUANTITY_DECIMALS).toNumber();

export function consumptionRows(
  { variantId, takes, debt }: Consumption,
  batches: Decimal,
  plannedQty: number,
): OrderConsumption[] {
  const row = (
    lot: Pick<OrderConsumption, 'lotId' | 'lotCode'>,
    { quantity, value, cost }: { readonly quantity: Decimal; readonly value: Decimal; readonly cost: Decimal },
  ): OrderConsumption => ({
    componentVariantId: variantId,
    lotId: lot.lotId,
    lotCode: lot.lotCode,
    plannedQty,
    quantity: quantity.toNumber(),
    perBatch: perBatchOf(quantity, batches),
    unitCost: value.dividedBy(quantity).toNumber(),
    cost: cost.toNumber(),
    settledLater: false,
  });
  const rows = takes.map((taken) => row(taken, taken));
  return debt ? [...rows, row({ lotId: null, lotCode: null }, debt)] : rows;
}

export const lotPart = ({ variantId, lotId, lotCode, quantity, value }: Entry): LotPart => ({
  variantId,
  lotId,
  lotCode,
  quantity: quantity.toNumber(),
  cost: value.round(CENTS).toNumber(),
});

/** Part of what an order owed came in: it has a lot now. Its cost stays what it was. */
export function settledRows(
  rows: readonly OrderConsumption[],
  batches: Decimal,
  { variantId, lotId, lotCode }: Entry,
  quantity: Decimal,
): readonly OrderConsumption[] {
  const index = rows.findIndex((row) => row.lotId === null && row.componentVariantId === variantId);
  const owed = rows[index];
  if (!owed) return rows;
  const [whole, cost] = [Decimal.from(owed.quantity), Decimal.from(owed.cost)];
  const part = (of: Decimal): OrderConsumption => ({
    ...owed,
    quantity: of.toNumber(),
    perBatch: perBatchOf(of, batches),
    cost: cost.timesRatio(of, whole, CENTS).toNumber(),
  });
  const known = { ...part(quantity), lotId, lotCode, settledLater: true };
  const left = whole.minus(quantity);
  const rest = left.isPositive ? [{ ...part(left), cost: cost.minus(Decimal.from(known.cost)).toNumber() }] : [];
  return rows.toSpliced(index, 1, known, ...rest);
}

/** As answers give it. */
export const redoneCost = ({ variantId, status, reason, before, after }: CostReversal): RedoneCost => ({
  variantId,
  status,
  ...(reason === null ? {} : { reason }),
  before: before.toNumber(),
  after: after.toNumber(),
});

const unmadeParts = ({ variantId, takes }: Issue): readonly LotPart[] =>
  takes.map(({ lotId, lotCode, quantity, value }) => ({
    variantId,
    lotId,
    lotCode,
    quantity: quantity.toNumber(),
    cost: value.round(CENTS).toNumber(),
  }));

export const reversalOf = ({ data, meta }: Fact<'OrderReversed'>): OrderReversal => ({
  at: meta.at,
  by: meta.actor,
  reason: data.reason,
  quantity: data.reversedQty.toNumber(),
  fraction: data.fraction.toNumber(),
  inputs: data.inputs.flatMap(({ entries }) => entries.map(lotPart)),
  byproducts: data.byproducts.flatMap(({ issues }) => issues.flatMap(unmadeParts)),
  costReversal: redoneCost(data.output.costReversal),
  coproductCostReversals: data.byproducts.map(({ costReversal }) => redoneCost(costReversal)),
});
