import type { SaleDocument } from '../../../../projections/sales/sales.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { RequestContext } from '../../../kernel/routes/route.js';

/** What a sale cost and what it left, by line and in all, for those who may see costs. */

const CENTS = 2;

export interface ShownCost {
  readonly cost: number;
  readonly margin: number;
}

const marginOf = (revenue: Decimal, cost: Decimal): ShownCost => ({
  cost: cost.toNumber(),
  margin: revenue.minus(cost).toNumber(),
});

type Priced = Pick<SaleDocument, 'items' | 'returns' | 'status'>;

/** What was paid for each line, less what was refunded; nothing of a cancelled sale. */
function revenues({ items, returns, status }: Priced): readonly Decimal[] {
  if (status === 'CANCELLED') return items.map(() => Decimal.zero);
  const refunds = returns.flatMap((one) => one.items);
  return items.map(({ total }, index) => {
    const back = refunds.filter(({ line }) => line === index).map((refund) => Decimal.from(refund.total));
    return Decimal.from(total).minus(Decimal.sum(back));
  });
}

/** Cents that add up to what all of it costs. */
function inCents(exact: readonly Decimal[]): readonly Decimal[] {
  const whole = Decimal.sum(exact);
  return whole.isPositive ? Decimal.allocate(whole.round(CENTS), exact, CENTS) : exact.map(() => Decimal.zero);
}

/** `costs`: of each line, exact. Without the permission the sale stays as it is. */
export function withCosts<S extends Priced>(context: RequestContext, sale: S, costs: readonly string[]): S {
  if (!context.may('production.costs')) return sale;
  const revenue = revenues(sale);
  const cents = inCents(costs.map((cost) => Decimal.from(cost)));
  const items = sale.items.map((item, index) => ({
    ...item,
    ...marginOf(revenue[index] ?? Decimal.zero, cents[index] ?? Decimal.zero),
  }));
  return { ...sale, items, ...marginOf(Decimal.sum(revenue), Decimal.sum(cents)) };
}
