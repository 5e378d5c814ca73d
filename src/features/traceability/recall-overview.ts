import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../projections/inventory/lots.js';
import { quantitiesByCause } from '../../../projections/inventory/lots.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { stock } from '../../../projections/inventory/stock.js';
import { Decimal } from '../../kernel/values/decimal.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { massBalance } from './domain/mass-balance.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { grouped } from '../../kernel/values/grouped.js';
import { massBalances } from './recall-balances.js';
import { SHOWN, remainingStock, shownLots, shownRemaining } from './recall-parts.js';
import type { Found, RecallServices, Scope } from './recall-scope.js';
import { documentsOf, hasDocuments, isStanding } from './sale-documents.js';
import type { CountedLot } from './sold-rows.js';
import { allSold } from './sold-rows.js';
import { suppliersOf } from './suppliers.js';

/** What is said of a recall beside the page of its sales. */

const QUANTITY = 6;

const sumOf = (counts: readonly CountedLot[], of: (lot: CountedLot) => number): Decimal =>
  Decimal.sum(counts.map((lot) => Decimal.from(of(lot)))).round(QUANTITY);

/** Distinct sales and customers over all lots. */
async function salesOf(context: RequestContext, { walked }: Found) {
  const { countDistinct, countDistinctWhere, least, greatest } = await context.reads.summarise(
    soldLots,
    { oneOf: { column: 'lotId', values: [...walked.lots.keys()] } },
    {
      countDistinct: ['saleId', 'customerId'],
      countDistinctWhere: { equal: { customerId: null }, columns: ['saleId'] },
      least: ['soldAt'],
      greatest: ['soldAt'],
    },
  );
  return {
    sales: countDistinct['saleId'] ?? 0,
    customers: countDistinct['customerId'] ?? 0,
    salesWithoutCustomer: countDistinctWhere['saleId'] ?? 0,
    firstSaleAt: textOf(least['soldAt']),
    lastSaleAt: textOf(greatest['soldAt']),
  };
}

/** Counts the documents of all sales, however many: each that stands once. */
async function invoicesOf(context: RequestContext, { counts }: Scope): Promise<number> {
  const saleIds = new Set<string>();
  for await (const rows of allSold(context.reads, counts)) for (const { saleId } of rows) saleIds.add(saleId);
  const documents = await documentsOf(context, [...saleIds]);
  return [...documents.values()].flat().filter(isStanding).length;
}

const unitOf = ({ lots, facts }: Scope, lotId: string): string =>
  facts.get(lots.get(lotId)?.variantId ?? '')?.saleUnit ?? '';

/** The quantities that are kept for each lot, by unit: they are never added across units. */
function soldOf(scope: Scope) {
  const byUnit = grouped(scope.counts, ({ lotId }) => unitOf(scope, lotId));
  const all = [...byUnit].map(([unit, counts]) => {
    const sold = sumOf(counts, ({ quantity }) => quantity);
    const returned = sumOf(counts, ({ returned: back }) => back);
    return { unit, sold: sold.toNumber(), returned: returned.toNumber(), net: sold.minus(returned).toNumber() };
  });
  const [only] = all;
  const isOne = all.length === 1 && only !== undefined;
  return {
    soldQuantity: isOne ? only.sold : null,
    returnedQuantity: isOne ? only.returned : null,
    netQuantity: isOne ? only.net : null,
    quantities: all,
  };
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

function inStockOf(remaining: readonly HoldingDocument[], matched: readonly LotDocument[]): Decimal {
  const ids = new Set(matched.map(({ lotId }) => lotId));
  return Decimal.sum(remaining.filter(({ lotId }) => ids.has(lotId)).map(({ quantity }) => Decimal.from(quantity)));
}

/** Since when the lots' products have controlled lots: the earliest of them. */
async function lotControlSince(context: RequestContext, { matched }: Found): Promise<string | null> {
  const records = await context.reads.getMany(stock, [...new Set(matched.map(({ variantId }) => variantId))]);
  const times = records.map(({ body }) => (JSON.parse(body) as { lotControlSince: string | null }).lotControlSince);
  return times.filter((time) => time !== null).sort()[0] ?? null;
}

const NOTE =
  'Sales that were completed and not cancelled, of the lots with this code and of every lot that was made with them. ' +
  'Quantities are in each variant’s sale unit. A sale without customer is shown by its own data alone.';
const DIFFERENCE = ' The mass balance does not add up: the difference is shown by accountedPercent.';

/** Everything but the page, as JSON that is still open. */
export const overviewOf = async (...asked: Parameters<typeof summedUp>): Promise<string> =>
  JSON.stringify(await summedUp(...asked)).slice(0, -1);

export type SummedUp = Awaited<ReturnType<typeof summedUp>>;

/** The members of the answer but for its page. All that can be asked at once is. */
export async function summedUp(
  context: RequestContext,
  { locations, stores }: Pick<RecallServices, 'locations' | 'stores'>,
  found: Found,
  scopeMade: () => Promise<Scope>,
) {
  const [{ firstSaleAt, lastSaleAt, ...sales }, scope, remaining, since, suppliers, names, timeZone, documented] =
    await Promise.all([
      // What takes longest comes first.
      salesOf(context, found),
      scopeMade(),
      remainingStock(context, found),
      lotControlSince(context, found),
      suppliersOf(context, found),
      locations.names(context),
      timeZoneOf(stores, context.storeId),
      hasDocuments(context),
    ]);
  const { lotCode, matched, walked } = scope;
  const invoices = documented ? await invoicesOf(context, scope) : 0;
  const [lots, remainingRows, balances] = await Promise.all([
    shownLots(context, scope, [...walked.lots.values()].slice(0, matched.length + SHOWN), timeZone),
    shownRemaining(context, scope, remaining.slice(0, SHOWN), timeZone, names),
    massBalances(context, scope, remaining),
  ]);
  const units = new Set(matched.map(({ lotId }) => unitOf(scope, lotId)));
  const balance = massBalance(matched.map(quantitiesByCause), inStockOf(remaining, matched));
  const adds = balances.every(({ kind, accountedPercent }) => kind === 'REACHED' || accountedPercent === 100);
  const rest = {
    lotCode,
    lots,
    lotCount: walked.lots.size,
    suppliers,
    summary: { ...sales, invoices, ...soldOf(scope), firstSaleAt, lastSaleAt },
    remainingStock: remainingRows,
    remainingCount: remaining.length,
    massBalance: units.size === 1 ? balance : null,
    massBalances: balances,
    lotControlSince: since,
    note: adds ? NOTE : NOTE + DIFFERENCE,
  };
  return rest;
}
