import { createHash } from 'node:crypto';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { Found } from './found-lots.js';
import type { Held, KnownLot } from './found-lots.js';
import type { Balance } from './recall-balances.js';
import { balancesOf } from './recall-balances.js';

/** What all lots of a recall add up to: what takes long to work out, and rests on nothing but them. */

/** Of all lots of a product with the code, or of all that were made with them. */
interface SoldOfProduct {
  readonly variantId: string;
  readonly sold: Decimal;
  readonly returned: Decimal;
}

export interface RecallSums {
  readonly sales: SalesOfLots;
  readonly sold: readonly SoldOfProduct[];
  readonly remaining: readonly Held[];
  readonly balances: readonly Balance[];
}

/** What takes longest is asked first. */
export async function sumsOf(
  context: RequestContext,
  found: Found,
  knowing: () => Promise<readonly KnownLot[]>,
): Promise<RecallSums> {
  const [sales, lots] = await Promise.all([salesOf(context, found), knowing()]);
  const byProduct = (some: readonly KnownLot[]) => grouped(some, ({ variantId }) => variantId);
  const matched = byProduct(lots.slice(0, found.matched.length));
  const reached = byProduct(lots.slice(found.matched.length));
  return {
    sales,
    sold: [...soldOf(matched), ...soldOf(reached)],
    remaining: remainingOf(lots),
    balances: [...balancesOf('MATCHED', matched), ...balancesOf('REACHED', reached)],
  };
}

interface SalesOfLots {
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

/**
 * Sales and customers over all lots, each once. What many inputs became is often the same, so this is kept by the lots that were sold: those with
 * the code mostly were not.
 */
async function salesOf(context: RequestContext, { matched, walked }: Found): Promise<SalesOfLots> {
  const withCode = matched.filter(({ totalsByCause }) => totalsByCause.sold !== undefined).map(({ lotId }) => lotId);
  const sold = [...withCode, ...walked.lots.slice(matched.length).map(({ subject }) => subject)];
  if (sold.length === 0) return NO_SALES;
  const key = `sales of ${createHash('sha256').update(sold.join()).digest('base64')}`;
  return context.reads.kept({ about: [soldLots] }, key, async ({ about }) => {
    about(sold);
    const { count, countWhere, countDistinct, least, greatest } = await context.reads.summarise(
      soldLots,
      { oneOf: { column: 'lotId', values: sold } },
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
  });
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

/** What still lies somewhere, in the order of the lots' ids. */
const remainingOf = (lots: readonly KnownLot[]): readonly Held[] =>
  lots
    .filter(({ held }) => held.length > 0)
    .sort((a, b) => (a.lotId < b.lotId ? -1 : 1))
    .flatMap(({ held }) => held);
