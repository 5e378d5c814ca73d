import { Decimal } from '../../../kernel/values/decimal.js';
import type { Issue, Taken } from '../events.js';
import { applyIssue } from './moves.js';
import type { Holding, Lot } from './lots.js';
import { Lots } from './lots.js';
import type { Inventory } from './state.js';
import { balanceAt, holdingAt, isUsable, stockOf } from './state.js';

/** What somebody wants to take of a variant at a location. */
export interface Wanted {
  readonly variantId: string;
  readonly locationId: string;
  readonly quantity: Decimal;
  /** The code of the lots that may be taken, or the number of the entry of the only one; any lot where neither is said. */
  readonly lotCode?: string | undefined;
  readonly entered?: number | undefined;
  /** Whether lots that are blocked or have expired may be taken as well. */
  readonly alsoUnusable?: boolean;
  /** The lot that expires first leaves first, not the one that entered first. */
  readonly expiryFirst?: boolean;
  /** Names the debt when what is missing may be owed, and the taker's line. */
  readonly debt?: { readonly debtId: string; readonly line: number } | undefined;
}

export interface Shortage {
  readonly variantId: string;
  readonly required: Decimal;
  readonly available: Decimal;
}

/** The part of a value that goes with a part of a quantity; the last part takes all that is left. */
export const valueShare = (value: Decimal, quantity: Decimal, part: Decimal): Decimal =>
  part.equals(quantity) ? value : value.timesRatio(part, quantity);

/** The lots that may be taken, in the order in which they leave. */
function lotsFor(lots: Lots, { lotCode, entered, expiryFirst, alsoUnusable }: Wanted, at: string): Iterable<Lot> {
  if (entered !== undefined) return [lots.get(entered)].filter((lot) => lot !== undefined);
  const named = lotCode === undefined ? lots : Lots.of(lots.withCode(lotCode));
  return expiryFirst === true ? named.byExpiry(alsoUnusable === true ? '' : at) : named;
}

/** Takes by the order of entry, or of expiry where that is wanted; what is not there is owed. Undefined where it is missing and may not be owed. */
export function take(state: Inventory, wanted: Wanted, at: string): Issue | undefined {
  const { variantId, locationId, quantity } = wanted;
  const stock = stockOf(state, variantId);
  const takes: Taken[] = [];
  let missing = quantity;
  for (const lot of lotsFor(stock.lots, wanted, at)) {
    if (!missing.isPositive) break;
    const mayLeave = wanted.alsoUnusable === true || isUsable(lot, at);
    const holding = mayLeave ? holdingAt(lot, locationId) : undefined;
    if (!holding) continue;
    const part = missing.min(holding.quantity);
    takes.push(takenOf(lot, holding, part));
    missing = missing.minus(part);
  }
  const balance = balanceAt(stock, locationId).minus(quantity);
  if (!missing.isPositive) return { variantId, locationId, quantity, takes, debt: null, balance };
  if (!wanted.debt) return undefined;
  const { debtId, line } = wanted.debt;
  const debt = { debtId, line, quantity: missing, value: missing.times(stock.pool.last) };
  return { variantId, locationId, quantity, takes, debt, balance };
}

const takenOf = ({ lotId, lotCode, entered, expiresAt }: Lot, holding: Holding, quantity: Decimal): Taken => ({
  lotId,
  lotCode,
  entered,
  expiresAt,
  quantity,
  value: valueShare(holding.value, holding.quantity, quantity),
});

/** Takes one after the other; gives all shortages of the whole, each variant once with all that it needs. */
export function takeAll(
  state: Inventory,
  wants: readonly Wanted[],
  at: string,
): { readonly issues: Issue[] } | { readonly shortages: readonly Shortage[] } {
  const last = new Map(wants.map(({ variantId }, index) => [variantId, index]));
  const issues: Issue[] = [];
  let current = state;
  for (const [index, wanted] of wants.entries()) {
    const issue = take(current, wanted, at);
    if (!issue) return { shortages: shortagesOf(state, wants, at) };
    issues.push(issue);
    // What is taken here matters to those alone that take of the same.
    if (last.get(wanted.variantId) !== index) current = applyIssue(current, issue);
  }
  return { issues };
}

function shortagesOf(state: Inventory, wants: readonly Wanted[], at: string): Shortage[] {
  const groups = new Map<string, Wanted[]>();
  for (const wanted of wants) {
    const key = `${wanted.variantId} ${wanted.locationId}`;
    groups.set(key, [...(groups.get(key) ?? []), wanted]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const required = Decimal.sum(group.map(({ quantity }) => quantity));
    const { variantId } = first;
    const available = availableFrom(state, group, at);
    return available.lessThan(required) ? [{ variantId, required, available }] : [];
  });
}

/** What the wants could take in their order, of the lots that they name. */
function availableFrom(state: Inventory, wants: readonly Wanted[], at: string): Decimal {
  let sum = Decimal.zero;
  let current = state;
  for (const [index, wanted] of wants.entries()) {
    const issue = take(current, { ...wanted, debt: { debtId: '', line: 0 } }, at);
    if (!issue) continue;
    sum = sum.plus(Decimal.sum(issue.takes.map(({ quantity }) => quantity)));
    // Nobody takes after the last: to take all of thousands of lots is dear.
    if (index < wants.length - 1) current = applyIssue(current, { ...issue, debt: null });
  }
  return sum;
}

/** What goods are worth that left, owed ones at their provisional cost. */
export const valueOf = (issue: Issue): Decimal =>
  Decimal.sum(issue.takes.map(({ value }) => value)).plus(issue.debt?.value ?? Decimal.zero);
