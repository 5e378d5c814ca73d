import { Decimal, QUANTITY_DECIMALS } from '../../../../kernel/values/decimal.js';
import { Rejection } from '../../../../kernel/events/rejection.js';
import type { CostReversal, Entry, InventoryEvent, InventoryFact, Issue, Unmade } from '../../events.js';
import { REVERSAL_BLOCKED } from '../../rejections.js';
import type { CompletedOrder, NamedOrder } from './order-guards.js';
import { expectCompleted } from './order-guards.js';
import { inputsOf } from './reversal-inputs.js';
import type { Lot } from '../../ledger/lots.js';
import type { Inventory } from '../../ledger/state.js';
import { isUsable } from '../../ledger/state.js';
import { lotIn } from '../../stock/domain/stock-decisions.js';
import { take } from '../../ledger/taking.js';
import { costReversalOf, unmake } from '../../ledger/unwinding.js';

/** Unmaking what an order made, from what was recorded of it alone. */

/** How much of an order can be reversed now. */
interface Extent {
  readonly obtained: Decimal;
  /** Still in the output's lot, wherever it lies. */
  readonly remaining: Decimal;
  /** How much of that may be sold or used. */
  readonly available: Decimal;
  /** By earlier reversals. */
  readonly reversed: Decimal;
  /** Whether it leaves nothing of the order that is not reversed. */
  readonly whole: boolean;
}

/** remaining ÷ obtained; nothing of nothing. */
export const fractionOf = ({ obtained, remaining }: Extent): Decimal =>
  obtained.isPositive ? remaining.dividedBy(obtained) : Decimal.zero;

/** Everything that was obtained is there. */
export const isFull = ({ obtained, remaining }: Extent): boolean => obtained.isPositive && remaining.equals(obtained);

const held = (lot: Lot | undefined): Decimal => Decimal.sum((lot?.holdings ?? []).map(({ quantity }) => quantity));

function extentOf(state: Inventory, { completed, reversals }: CompletedOrder, at: string): Extent {
  const { output } = completed;
  const obtained = output?.quantity ?? Decimal.zero;
  const lot = output ? lotIn(state, output) : undefined;
  const reversed = Decimal.sum(reversals.map(({ reversedQty }) => reversedQty));
  const remaining = held(lot).min(obtained.minus(reversed));
  const available = lot && isUsable(lot, at) ? remaining : Decimal.zero;
  return { obtained, remaining, available, reversed, whole: reversed.plus(remaining).equals(obtained) };
}

export interface ReversalPreview {
  readonly extent: Extent;
  readonly orderId: string;
  readonly outputLotCode: string | null;
  readonly costReversal: CostReversal;
  /** As they entered at the completion. */
  readonly byproducts: readonly Entry[];
  /** Undefined when nothing is left to reverse. */
  readonly reversal: Omit<InventoryFact<'OrderReversed'>, 'reason'> | undefined;
}

/** What a reversal would come to now. */
export function foreseeReversal(state: Inventory, named: NamedOrder, at: string): ReversalPreview {
  const order = expectCompleted(state, named);
  const extent = extentOf(state, order, at);
  const { orderId, output, byproducts, finishedVariantId } = order.completed;
  const reversal = output && extent.remaining.isPositive ? reversalOf(state, order, output, extent, at) : undefined;
  const costReversal = reversal?.output.costReversal ?? costReversalOf(state, finishedVariantId, []);
  return { orderId, extent, outputLotCode: output?.lotCode ?? null, costReversal, byproducts, reversal };
}

type ReverseOrder = NamedOrder & { readonly reason: string; readonly partial: boolean };

export function reverse(state: Inventory, command: ReverseOrder, at: string): InventoryEvent {
  const { extent, reversal } = foreseeReversal(state, command, at);
  if (!reversal || (!isFull(extent) && !command.partial)) {
    throw new Rejection(REVERSAL_BLOCKED, undefined, { partialPossible: reversal !== undefined });
  }
  return { type: 'OrderReversed', data: { ...reversal, reason: command.reason } };
}

function reversalOf(state: Inventory, order: CompletedOrder, output: Entry, extent: Extent, at: string) {
  const unmadeOutput = unmadeOf(state, output, extent.remaining, at);
  let current = unmake(state, unmadeOutput);
  const byproducts = order.completed.byproducts.map((entry, index) => {
    const unmade = unmadeOf(current, entry, byproductShare(current, order, entry, index, extent), at);
    current = unmake(current, unmade);
    return unmade;
  });
  return {
    orderId: order.completed.orderId,
    completedOn: order.completed.completedOn,
    whole: extent.whole,
    obtainedQty: extent.obtained,
    reversedQty: extent.remaining,
    fraction: fractionOf(extent),
    output: unmadeOutput,
    byproducts,
    inputs: inputsOf(current, order, extent, at),
  };
}

/** The same fraction of a by-product, as far as its lot lasts; the last reversal takes what the others left. */
function byproductShare(
  state: Inventory,
  { reversals }: CompletedOrder,
  entry: Entry,
  index: number,
  { whole, remaining, obtained }: Extent,
): Decimal {
  const before = reversals.flatMap(({ byproducts }) => byproducts[index]?.issues ?? []);
  const { quantity } = entry;
  const rest = quantity.minus(Decimal.sum(before.map((issue) => issue.quantity)));
  const share = whole ? rest : quantity.timesRatio(remaining, obtained, QUANTITY_DECIMALS).min(rest);
  return share.min(held(lotIn(state, entry)));
}

/** Takes a quantity out of a lot, one location after the other. */
function unmadeOf(state: Inventory, entry: Entry, quantity: Decimal, at: string): Unmade {
  const { variantId, entered } = entry;
  const issues: Issue[] = [];
  let missing = quantity;
  for (const holding of lotIn(state, entry)?.holdings ?? []) {
    if (!missing.isPositive) break;
    const part = missing.min(holding.quantity);
    const wanted = { variantId, locationId: holding.locationId, quantity: part };
    const issue = take(state, { ...wanted, entered, alsoUnusable: true }, at);
    if (issue) issues.push(issue);
    missing = missing.minus(part);
  }
  return { issues, costReversal: costReversalOf(state, variantId, issues) };
}
