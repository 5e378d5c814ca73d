import type { Decimal } from '../../../../kernel/values/decimal.js';
import { COMMAND_TOO_LARGE, Rejection } from '../../../../kernel/events/rejection.js';
import { byproductQty } from '../../../contracts/batches.js';
import type { Entry, InventoryEvent, OrderPlan } from '../../events.js';
import { LOT_CODE_TAKEN } from '../../rejections.js';
import { comingTo, enterer } from '../../ledger/entering.js';
import { applyEntry, applyIssues, orderTaker } from '../../ledger/moves.js';
import { consumptionsOf, costsOf } from './costs.js';
import type { ActualInput, Input } from './inputs.js';
import { expectInputCodes, inputsOf } from './inputs.js';
import { laborCostOf } from './quantities.js';
import type { KnownCodes } from '../../ledger/known-history.js';
import { HistoryOutdated, isKnownCode } from '../../ledger/known-history.js';
import type { Inventory } from '../../ledger/state.js';
import { refuseShortages } from '../../stock/domain/stock-decisions.js';
import type { Wanted } from '../../ledger/taking.js';
import { takeAll } from '../../ledger/taking.js';

/** How an order is completed. */
export interface Completion {
  /** Null when it is what was expected. */
  readonly actualOutputQty: Decimal | null;
  /** Null when one is to be made up. */
  readonly outputLotCode: string | null;
  readonly outputExpiresAt: string | null;
  readonly allowNegativeStock: boolean;
  /** The ids of the output's lot, then of each by-product's. */
  readonly lotIds: readonly string[];
  /** The day in the store's time zone. */
  readonly completedOn: string;
  readonly knownCodes: KnownCodes | undefined;
  /** What was really used, where it differs from what the recipe needs. */
  readonly actualInputs?: readonly ActualInput[];
  readonly inputCodes?: KnownCodes | undefined;
  /** Inputs of which the lot that expires first leaves first. */
  readonly expiryFirst?: ReadonlySet<string>;
}

/** From how many lots an order takes at most, so that its reversal, which writes more of each, fits into one event too. */
export const MOST_LOTS_TAKEN = 1_000;

interface Order {
  readonly orderId: string;
  readonly plan: OrderPlan;
  /** It was not planned: the fact records what it is as well. */
  readonly isNew: boolean;
  readonly making: Completion;
}

type OrderCompleted = Extract<InventoryEvent, { readonly type: 'OrderCompleted' }>;

export function complete(state: Inventory, order: Order, at: string): OrderCompleted {
  const { orderId, plan, isNew, making } = order;
  const { recipe, batches, number, nominalQty, expectedQty } = plan;
  const actualOutputQty = making.actualOutputQty ?? expectedQty;
  const lotCode = outputCode(state, order);
  expectInputCodes(state, making.actualInputs ?? [], making.inputCodes);
  const inputs = inputsOf(plan, making.actualInputs ?? []);
  const taken = takeAll(state, wantsOf(order, inputs), at);
  if ('shortages' in taken) throw refuseShortages(taken.shortages);
  const lotsTaken = taken.issues.reduce((sum, { takes }) => sum + takes.length, 0);
  if (lotsTaken > MOST_LOTS_TAKEN) throw new Rejection(COMMAND_TOO_LARGE);
  const yielding = recipe.byproducts.filter((byproduct) => byproductQty(byproduct, batches).isPositive);
  const costs = costsOf(taken.issues, laborCostOf(recipe, batches), yielding);
  const made = [
    { variantId: recipe.finishedVariantId, quantity: actualOutputQty, value: costs.productCost },
    ...yielding.map((byproduct, index) => ({
      variantId: byproduct.variantId,
      quantity: byproductQty(byproduct, batches),
      value: costs.byproductCosts[index] ?? costs.productCost,
    })),
  ];
  // What enters depends on what left of the same variants alone.
  const leaving = taken.issues.filter((issue) => made.some(({ variantId }) => variantId === issue.variantId));
  const left = applyIssues(state, leaving, orderTaker(orderId, at));
  const [output, ...byproducts] = enterMade(left, order, made, lotCode, at);
  return {
    type: 'OrderCompleted',
    data: {
      orderId,
      plan: isNew ? plan : null,
      number,
      recipeId: recipe.recipeId,
      finishedVariantId: recipe.finishedVariantId,
      nominalQty,
      expectedQty,
      actualOutputQty,
      consumptions: consumptionsOf(taken.issues, inputs, costs.materialCost),
      output: output ?? null,
      completedOn: making.completedOn,
      byproducts: byproducts.filter((entry) => entry !== undefined),
      materialCost: costs.materialCost,
      laborCost: costs.laborCost,
      totalCost: costs.totalCost,
      productCost: costs.productCost,
      roundingDifference: costs.roundingDifference,
      unitCost: actualOutputQty.isPositive ? costs.productCost.dividedBy(actualOutputQty) : null,
    },
  };
}

const wantsOf = ({ orderId, plan: { locationId }, making }: Order, inputs: readonly Input[]): Wanted[] =>
  inputs.map(({ variantId, quantity, lotCode }, line) => ({
    variantId,
    locationId,
    quantity,
    lotCode: lotCode ?? undefined,
    expiryFirst: making.expiryFirst?.has(variantId) === true,
    debt: making.allowNegativeStock ? { debtId: `${orderId}/${String(line)}`, line } : undefined,
  }));

interface Made {
  readonly variantId: string;
  readonly quantity: Decimal;
  readonly value: Decimal;
}

/** The entry of each; none of what there is nothing of. */
function enterMade(
  state: Inventory,
  { plan, making }: Order,
  made: readonly Made[],
  lotCode: string,
  at: string,
): (Entry | undefined)[] {
  const locationId = plan.outputLocationId;
  const enter = enterer(state, comingTo(locationId, made), at);
  let current = state;
  return made.map(({ variantId, quantity, value }, index) => {
    if (!quantity.isPositive) return undefined;
    const lotId = making.lotIds[index];
    if (lotId === undefined) throw new HistoryOutdated(); // the recipe has got another by-product meanwhile
    const entered = current.lastEntered + 1;
    const expiresAt = index === 0 ? making.outputExpiresAt : null;
    const arriving = { lotId, lotCode, entered, expiresAt, locationId, variantId, quantity, value };
    const entry = enter(current, arriving);
    current = applyEntry(current, entry);
    return entry;
  });
}

/** As it was given, or made up of day and number; new for the variant. */
function outputCode(state: Inventory, { plan, making }: Order): string {
  const { completedOn, outputLotCode, knownCodes } = making;
  const codes = outputLotCode === null ? generatedCodes(completedOn, plan.number) : [outputLotCode];
  const code = codes.find((one) => !isKnownCode(state, plan.recipe.finishedVariantId, one, knownCodes));
  if (code === undefined) throw new Rejection(LOT_CODE_TAKEN);
  return code;
}

/** `yymmdd-number`, and what serves where somebody has used that by hand. */
export function generatedCodes(day: string, number: number): readonly string[] {
  const code = `${day.slice(2).replaceAll('-', '')}-${String(number)}`;
  return [code, `${code}-2`];
}
