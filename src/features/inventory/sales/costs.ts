import type { SaleDocument } from '../../../../projections/sales/sales.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';

/** What a sale cost and what it left, by line and in all, for those who may see costs. */

const CENTS = 2;

interface ShownCost {
  readonly cost: number;
  readonly margin: number;
}

/** What a line, or all of them, brought and cost: the margin is what is left. */
export interface SaleFigures {
  readonly revenue: Decimal;
  readonly cost: Decimal;
  /** The fee of each payment, in their order. */
  readonly fees: readonly Decimal[];
  readonly margin: Decimal;
}

type Priced = Pick<SaleDocument, 'items' | 'returns' | 'status' | 'payments'>;

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

/** Each line's part of each payment's fee, by what was sold; a cancelled sale bears none. */
function feeShares({ items, payments, status }: Priced): readonly (readonly Decimal[])[] {
  const totals = items.map(({ total }) => Decimal.from(total));
  const isFree = status === 'CANCELLED' || !Decimal.sum(totals).isPositive;
  const none = totals.map(() => Decimal.zero);
  const shares = payments.map(({ fee }) => {
    if (isFree || fee === null || fee === 0) return none;
    return Decimal.allocate(Decimal.from(fee), totals, CENTS);
  });
  return items.map((_, index) => shares.map((ofPayment) => ofPayment[index] ?? Decimal.zero));
}

/** The figures of each line. `costs` has each line's cost, exact; the sale has the fees in force. */
export function figuresOf(sale: Priced, costs: readonly string[]): readonly SaleFigures[] {
  const revenue = revenues(sale);
  const fees = feeShares(sale);
  return inCents(costs.map((cost) => Decimal.from(cost).max(Decimal.zero))).map((cost, index) => {
    const [brought, paid] = [revenue[index] ?? Decimal.zero, fees[index] ?? []];
    return { revenue: brought, cost, fees: paid, margin: brought.minus(cost).minus(Decimal.sum(paid)) };
  });
}

const shown = (figures: readonly SaleFigures[]): ShownCost => ({
  cost: Decimal.sum(figures.map(({ cost }) => cost)).toNumber(),
  margin: Decimal.sum(figures.map(({ margin }) => margin)).toNumber(),
});

const itemWithCosts = (item: Priced['items'][number], { cost, margin }: ShownCost) => ({
  variantId: item.variantId,
  productId: item.productId,
  description: item.description,
  unit: item.unit,
  quantity: item.quantity,
  unitPrice: item.unitPrice,
  discount: item.discount,
  total: item.total,
  returnedQuantity: item.returnedQuantity,
  lots: item.lots,
  owed: item.owed,
  cost,
  margin,
});

/** Without the permission the sale stays as it is. */
export const withCosts = <S extends Priced>(context: RequestContext, sale: S, costs: readonly string[]): S =>
  context.may('production.costs') ? withFigures(sale, costs) : sale;

/** The same for whoever may see costs. */
export function withFigures<S extends Priced>(sale: S, costs: readonly string[]): S {
  const figures = figuresOf(sale, costs);
  const items = sale.items.map((item, index) => itemWithCosts(item, shown(figures.slice(index, index + 1))));
  const { cost, margin } = shown(figures);
  return { ...sale, items, cost, margin };
}
