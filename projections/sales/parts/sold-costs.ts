import type { Issue, ReturnedLine, SaleLine, Settlement } from '../../../src/features/inventory/events.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

/** What the goods of each line of a sale cost, less what came back: exact decimals in the order of the lines. */
export type LineCosts = readonly string[];

const worth = ({ takes, debt }: Issue): Decimal =>
  Decimal.sum(takes.map(({ value }) => value)).plus(debt?.value ?? Decimal.zero);

export const costsWhenSold = (lines: readonly SaleLine[]): LineCosts =>
  lines.map(({ issues }) => Decimal.sum(issues.map(worth)).toString());

const changed = (costs: LineCosts, line: number, by: Decimal): LineCosts =>
  costs.map((cost, index) => (index === line ? Decimal.from(cost).plus(by).toString() : cost));

/** Goods that come back take along the value with which they left. */
export const costsAfterReturn = (costs: LineCosts, lines: readonly ReturnedLine[]): LineCosts =>
  lines.reduce((current, { line, entries, forgiven }) => {
    const back = Decimal.sum([...entries, ...forgiven].map(({ value }) => value));
    return changed(current, line, back.negated());
  }, costs);

/** What was owed turns out to cost what came in for it. */
export const costsAfterSettling = (costs: LineCosts, { line, value, provisional }: Settlement): LineCosts =>
  changed(costs, line, value.minus(provisional));
