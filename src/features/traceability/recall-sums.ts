import { soldLots } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { Held, KnownLot } from './found-lots.js';
import type { Balance } from './recall-balances.js';
import { balancesOf } from './recall-balances.js';

/** What lots of a recall add up to: what takes long to work out, and rests on nothing but them. */

/** Of all lots of a product with the code, or of all that were made with them. */
interface SoldOfProduct {
  readonly variantId: string;
  readonly sold: Decimal;
  readonly returned: Decimal;
}

export interface Totals {
  readonly sold: readonly SoldOfProduct[];
  /** What still lies somewhere, in the order of the lots' ids. */
  readonly remaining: readonly Held[];
  readonly balances: readonly Balance[];
}

export interface RecallSums extends Totals {
  readonly sales: SalesOfLots;
}

export function totalsOf(kind: Balance['kind'], lots: readonly KnownLot[]): Totals {
  const byProduct = grouped(lots, ({ variantId }) => variantId);
  return { sold: soldOf(byProduct), remaining: remainingOf(lots), balances: balancesOf(kind, byProduct) };
}

export const together = (one: Totals, other: Totals): Totals => ({
  sold: [...one.sold, ...other.sold],
  remaining: one.remaining.length === 0 ? other.remaining : [...one.remaining, ...other.remaining].sort(byId),
  balances: [...one.balances, ...other.balances],
});

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

/** Sales and customers over all lots, each once. */
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

/** `lots` by product. */
const soldOf = (lots: ReadonlyMap<string, readonly KnownLot[]>): readonly SoldOfProduct[] =>
  [...lots].map(([variantId, some]) => ({
    variantId,
    sold: Decimal.sumOf(some, ({ sold }) => sold),
    returned: Decimal.sumOf(some, ({ returned }) => returned),
  }));

const byId = (a: { readonly lotId: string }, b: { readonly lotId: string }): number =>
  a.lotId < b.lotId ? -1 : a.lotId > b.lotId ? 1 : 0;

const remainingOf = (lots: readonly KnownLot[]): readonly Held[] =>
  lots
    .filter(({ held }) => held.length > 0)
    .sort(byId)
    .flatMap(({ held }) => held);
