import { Decimal } from '../../../kernel/values/decimal.js';
import type { Batch, Comeback, Entry, Issue, Taken } from '../events.js';
import { enterer, forgive } from './entering.js';
import { applyEntry, applyForgiven } from './moves.js';
import type { Inventory } from './state.js';
import { valueShare } from './taking.js';

/** Goods that a sale or an order took on their way back: to the lots that they came from, with the value that left with them. */

interface Owed {
  readonly debtId: string;
  readonly quantity: Decimal;
  readonly value: Decimal;
}

/** What its origin still has of one issue: parts of lots, the last taken at the end, and what it owes. */
export interface Outstanding {
  readonly variantId: string;
  readonly locationId: string;
  readonly takes: readonly Taken[];
  readonly debt: Owed | undefined;
}

export const outstandingOf = ({ variantId, locationId, takes, debt }: Issue): Outstanding => ({
  variantId,
  locationId,
  takes,
  debt: debt ?? undefined,
});

export const quantityOf = ({ takes, debt }: Outstanding): Decimal =>
  Decimal.sum(takes.map(({ quantity }) => quantity)).plus(debt?.quantity ?? Decimal.zero);

/** What is outstanding after an entry made good what was owed, or part of it: the settling lot is taken last. */
export function afterSettling(outstanding: Outstanding, entry: Entry): Outstanding {
  let { takes, debt } = outstanding;
  for (const { debtId, quantity, value, provisional } of entry.settlements) {
    if (debt?.debtId !== debtId) continue;
    takes = [...takes, { ...batchOf(entry), quantity, value }];
    debt = lessOwed(debt, quantity, provisional);
  }
  return takes === outstanding.takes ? outstanding : { ...outstanding, takes, debt };
}

const batchOf = ({ lotId, lotCode, entered, expiresAt }: Batch): Batch => ({ lotId, lotCode, entered, expiresAt });

function lessOwed(debt: Owed, quantity: Decimal, value: Decimal): Owed | undefined {
  const left = debt.quantity.minus(quantity);
  return left.isPositive ? { ...debt, quantity: left, value: debt.value.minus(value) } : undefined;
}

/** What is outstanding after something of it has come back. */
export function afterComeback(outstanding: Outstanding, { entries, forgiven }: Comeback): Outstanding {
  let { takes, debt } = outstanding;
  for (const { debtId, quantity, value } of forgiven) {
    if (debt?.debtId === debtId) debt = lessOwed(debt, quantity, value);
  }
  for (const entry of entries) takes = withoutEntry(takes, entry);
  return { ...outstanding, takes, debt };
}

function withoutEntry(takes: readonly Taken[], { lotId, quantity, value }: Entry): readonly Taken[] {
  const index = takes.findLastIndex((taken) => taken.lotId === lotId);
  const taken = takes[index];
  if (!taken) return takes;
  const left = taken.quantity.minus(quantity);
  if (!left.isPositive) return takes.toSpliced(index, 1);
  return takes.with(index, { ...taken, quantity: left, value: taken.value.minus(value) });
}

/** What is to come back of one issue: what is no longer owed, and the parts of lots in the order of their return. */
export interface Returning {
  readonly variantId: string;
  readonly locationId: string;
  readonly forgiven: Owed | undefined;
  readonly takes: readonly Taken[];
}

/** The last of a quantity: what is still owed first, then the lots, the last taken first. */
export function lastOf({ variantId, locationId, takes, debt }: Outstanding, quantity: Decimal): Returning {
  const spared = debt ? debt.quantity.min(quantity) : Decimal.zero;
  let missing = quantity.minus(spared);
  const parts: Taken[] = [];
  for (const taken of takes.toReversed()) {
    if (!missing.isPositive) break;
    const part = taken.quantity.min(missing);
    parts.push({ ...taken, quantity: part, value: valueShare(taken.value, taken.quantity, part) });
    missing = missing.minus(part);
  }
  const forgiven =
    debt && spared.isPositive
      ? { ...debt, quantity: spared, value: valueShare(debt.value, debt.quantity, spared) }
      : undefined;
  return { variantId, locationId, forgiven, takes: parts };
}

/**
 * Brings goods back: one comeback for each group of what returns, in their order. All debts shrink before anything enters a lot, so that
 * nothing settles a debt that is given up in the same breath.
 */
export function bringBack(
  state: Inventory,
  groups: readonly (readonly Returning[])[],
  at: string,
): { readonly state: Inventory; readonly comebacks: readonly Comeback[] } {
  const comebacks = groups.map((): Comeback => ({ entries: [], forgiven: [] }));
  let current = state;
  for (const [index, group] of groups.entries()) {
    for (const { variantId, locationId, forgiven: owed } of group) {
      if (!owed) continue;
      const { debtId, quantity, value } = owed;
      const forgiven = forgive(current, { debtId, variantId, locationId, quantity, value });
      comebacks[index]?.forgiven.push(forgiven);
      current = applyForgiven(current, forgiven);
    }
  }
  const coming = groups
    .flat()
    .flatMap(({ variantId, locationId, takes }) => takes.map(({ quantity }) => ({ variantId, locationId, quantity })));
  const enter = enterer(current, coming, at);
  for (const [index, group] of groups.entries()) {
    for (const { variantId, locationId, takes } of group) {
      for (const taken of takes) {
        const entry = enter(current, { ...taken, variantId, locationId });
        comebacks[index]?.entries.push(entry);
        current = applyEntry(current, entry);
      }
    }
  }
  return { state: current, comebacks };
}
