import { NOT_FOUND, Rejection } from '../../../../kernel/events/rejection.js';
import type { InventoryEvent, OrderPlan } from '../../events.js';
import type { Completion } from './completion.js';
import { complete } from './completion.js';
import type { OutputQuantities } from './quantities.js';
import { outputOf } from './quantities.js';
import type { NamedOrder } from './order-guards.js';
import { expectOpen, expectPlanned } from './order-guards.js';
import { reverse } from './reversal.js';
import type { Inventory } from '../../ledger/state.js';
import { expectKept } from '../../stock/domain/stock-decisions.js';
import { STAGES_PENDING } from '../../rejections.js';

/** What somebody wants to make; the rest follows when it is recorded. */
export type NewPlan = Omit<OrderPlan, 'number' | keyof OutputQuantities>;

export type OrderCommand =
  | { readonly type: 'planOrder'; readonly orderId: string; readonly plan: NewPlan }
  | { readonly type: 'registerOrder'; readonly orderId: string; readonly plan: NewPlan; readonly making: Completion }
  | (NamedOrder &
      (
        | { readonly type: 'startOrder' }
        | {
            readonly type: 'markStage';
            readonly stageId: string;
            /** Undefined leaves it as it is. */
            readonly done: boolean | undefined;
            readonly notes: string | null | undefined;
          }
        | {
            readonly type: 'refreshRecipe';
            /** Undefined when it is no longer in force. */
            readonly recipe: OrderPlan['recipe'] | undefined;
            readonly stageIds: readonly string[];
          }
        | { readonly type: 'cancelOrder' }
        | { readonly type: 'completeOrder'; readonly making: Completion }
        | { readonly type: 'reverseOrder'; readonly reason: string; readonly partial: boolean }
      ));

export function decideOrder(state: Inventory, command: OrderCommand, at: string): InventoryEvent[] {
  const { orderId } = command;
  switch (command.type) {
    case 'planOrder':
      return [{ type: 'OrderPlanned', data: { ...numbered(state, command.plan), orderId } }];
    case 'registerOrder': {
      const plan = numbered(state, command.plan);
      return [complete(state, { orderId, plan, isNew: true, making: command.making }, at)];
    }
    case 'startOrder':
      expectPlanned(state, command);
      return [{ type: 'OrderStarted', data: { orderId } }];
    case 'markStage':
      return markStage(state, command);
    case 'refreshRecipe':
      return [refreshed(state, command)];
    case 'cancelOrder':
      expectOpen(state, command);
      return [{ type: 'OrderCancelled', data: { orderId } }];
    case 'completeOrder': {
      const { plan } = expectReady(state, command);
      return [complete(state, { orderId, plan, isNew: false, making: command.making }, at)];
    }
    case 'reverseOrder':
      return [reverse(state, command, at)];
  }
}

function numbered(state: Inventory, plan: NewPlan): OrderPlan {
  expectLivingRecipe(state, plan.recipe);
  const { nominalQty, expectedQty } = outputOf(plan.recipe, plan.batches);
  return {
    number: state.lastOrder + 1,
    recipe: plan.recipe,
    batches: plan.batches,
    locationId: plan.locationId,
    outputLocationId: plan.outputLocationId,
    notes: plan.notes,
    stageIds: plan.stageIds,
    expectedAt: plan.expectedAt,
    nominalQty,
    expectedQty,
  };
}

function refreshed(
  state: Inventory,
  command: Extract<OrderCommand, { readonly type: 'refreshRecipe' }>,
): InventoryEvent {
  const { orderId, recipe, stageIds } = command;
  const { batches } = expectPlanned(state, command).plan;
  if (!recipe) throw new Rejection(NOT_FOUND, 'The recipe is gone or not active');
  expectLivingRecipe(state, recipe);
  return {
    type: 'OrderRecipeRefreshed',
    data: { orderId, recipe, stageIds: [...stageIds], ...outputOf(recipe, batches) },
  };
}

/** A recipe of which something was deleted, or became a kit or a service, makes nothing. */
function expectLivingRecipe(state: Inventory, { finishedVariantId, items, byproducts }: OrderPlan['recipe']): void {
  const named = [
    finishedVariantId,
    ...items.map(({ componentVariantId }) => componentVariantId),
    ...byproducts.map(({ variantId }) => variantId),
  ];
  if (named.some((variantId) => state.retired.has(variantId))) {
    const errors = [{ path: 'recipeId', message: 'names a recipe with a product that was deleted' }];
    throw new Rejection(NOT_FOUND, undefined, { errors });
  }
  expectKept(state, named, () => 'recipeId');
}

function markStage(state: Inventory, command: Extract<OrderCommand, { readonly type: 'markStage' }>): InventoryEvent[] {
  const { orderId, stageId } = command;
  const { plan, stages } = expectOpen(state, command);
  if (!plan.stageIds.includes(stageId)) throw new Rejection(NOT_FOUND);
  const before = stages.get(stageId) ?? { done: false, notes: null };
  const done = command.done ?? before.done;
  const notes = command.notes === undefined ? before.notes : command.notes;
  if (done === before.done && notes === before.notes) return [];
  return [{ type: 'OrderStageMarked', data: { orderId, stageId, done, notes } }];
}

/** The open order with every required stage done. */
function expectReady(state: Inventory, named: NamedOrder) {
  const order = expectOpen(state, named);
  const { recipe, stageIds } = order.plan;
  const pending = recipe.stages.flatMap(({ name, required }, index) => {
    const stageId = stageIds[index] ?? '';
    return required && order.stages.get(stageId)?.done !== true ? [{ stageId, name }] : [];
  });
  if (pending.length > 0) throw new Rejection(STAGES_PENDING, undefined, { stages: pending });
  return order;
}
