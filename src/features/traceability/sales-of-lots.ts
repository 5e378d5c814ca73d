import { soldLots } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';

/** Sales and customers over many lots, each once. */
export interface SalesOfLots {
  readonly sales: number;
  readonly customers: number;
  readonly salesWithoutCustomer: number;
  readonly firstSaleAt: string | null;
  readonly lastSaleAt: string | null;
}

const NO_SALES: SalesOfLots = {
  sales: 0,
  customers: 0,
  salesWithoutCustomer: 0,
  firstSaleAt: null,
  lastSaleAt: null,
};

export async function salesOf(context: RequestContext, lotIds: readonly string[]): Promise<SalesOfLots> {
  if (lotIds.length === 0) return NO_SALES;
  const { count, countWhere, countDistinct, least, greatest } = await context.reads.summarise(
    soldLots,
    { oneOf: { column: 'lotId', values: lotIds } },
    {
      countWhere: { customerId: null },
      countDistinct: ['customerId'],
      least: ['soldAt'],
      greatest: ['soldAt'],
    },
  );
  return {
    sales: count,
    customers: countDistinct['customerId'] ?? 0,
    salesWithoutCustomer: countWhere,
    firstSaleAt: textOf(least['soldAt']),
    lastSaleAt: textOf(greatest['soldAt']),
  };
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
