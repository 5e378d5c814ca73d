import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Balance } from './recall-balances.js';
import { balancesOf, reachedLives } from './recall-balances.js';
import { remainingStock } from './recall-parts.js';
import type { Found, KnownLots } from './found-lots.js';
import type { CountedLot } from './sold-rows.js';

/** What all lots of a recall add up to: what takes long to work out, and rests on nothing but them. */

/** Of all lots of a product. */
interface SoldOfProduct {
  readonly variantId: string;
  readonly sold: Decimal;
  readonly returned: Decimal;
}

export interface RecallSums {
  readonly sales: Awaited<ReturnType<typeof salesOf>>;
  readonly sold: readonly SoldOfProduct[];
  readonly remaining: readonly HoldingDocument[];
  readonly balances: readonly Balance[];
}

/** What takes longest is asked first. */
export async function sumsOf(
  context: RequestContext,
  found: Found,
  knowing: () => Promise<KnownLots>,
): Promise<RecallSums> {
  const [sales, reached, [known, remaining]] = await Promise.all([
    salesOf(context, found),
    reachedLives(context, found),
    knowing().then(async (known) => [known, await remainingStock(context, known)] as const),
  ]);
  return { sales, sold: soldOf(known), remaining, balances: balancesOf(found, known, reached, remaining) };
}

/** Sales and customers over all lots, each once. */
async function salesOf(context: RequestContext, { walked }: Found) {
  const { count, countWhere, countDistinct, least, greatest } = await context.reads.summarise(
    soldLots,
    { oneOf: { column: 'lotId', values: [...walked.lots.keys()] } },
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

function soldOf({ lots, counts }: KnownLots): readonly SoldOfProduct[] {
  const sum = (some: readonly CountedLot[], of: (lot: CountedLot) => number) =>
    Decimal.sum(some.map((lot) => Decimal.from(of(lot))));
  return [...grouped(counts, ({ lotId }) => lots.get(lotId)?.variantId ?? '')].map(([variantId, some]) => ({
    variantId,
    sold: sum(some, ({ quantity }) => quantity),
    returned: sum(some, ({ returned }) => returned),
  }));
}
