import { setImmediate as breathe } from 'node:timers/promises';
import { holdings } from '../../../projections/inventory/holdings.js';
import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../projections/inventory/lots.js';
import { quantitiesByCause } from '../../../projections/inventory/lots.js';
import { soldLots } from '../../../projections/traceability/sold-lots.js';
import { stock } from '../../../projections/inventory/stock.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/route.js';
import { massBalance } from './domain/mass-balance.js';
import { lotsById } from './lots.js';
import type { Found, Scope } from './recall-scope.js';
import type { CountedLot } from './sold-rows.js';

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
    invoices: 0,
    firstSaleAt: textOf(least['soldAt']),
    lastSaleAt: textOf(greatest['soldAt']),
  };
}

/** The quantities that are kept for each lot. */
function soldOf({ counts }: Scope) {
  const sold = sumOf(counts, ({ quantity }) => quantity);
  const returned = sumOf(counts, ({ returned }) => returned);
  return {
    soldQuantity: sold.toNumber(),
    returnedQuantity: returned.toNumber(),
    netQuantity: sold.minus(returned).toNumber(),
  };
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

const HOLDINGS_PAGE = 1_000;

/** What still lies somewhere of the lots. */
async function remainingStock(
  context: RequestContext,
  { walked: { lots } }: Found,
): Promise<readonly HoldingDocument[]> {
  const remaining: HoldingDocument[] = [];
  const pages = pagesOf((at) =>
    context.reads.find(holdings, {
      oneOf: { column: 'lotId', values: [...lots.keys()] },
      equal: { left: 1 },
      sort: { column: 'lotId', direction: 'asc' },
      limit: lots.size > 10 ? HOLDINGS_PAGE : 200,
      ...at,
    }),
  );
  for await (const page of pages) for (const { body } of page) remaining.push(JSON.parse(body) as HoldingDocument);
  return remaining;
}

async function leftOf(context: RequestContext, found: Found) {
  const remaining = await remainingStock(context, found);
  const remainingLots = await lotsById(context, [...new Set(remaining.map(({ lotId }) => lotId))]);
  return { remaining, remainingLots };
}

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

const LOTS_AT_ONCE = 2_000;

/** The lots as members of a JSON list; a long one is written piece by piece, so that others are heard in between. */
async function lotsJson({ walked, lots, facts }: Scope): Promise<string> {
  const pieces: string[] = [];
  const all = [...walked.lots.values()];
  for (let first = 0; first < all.length; first += LOTS_AT_ONCE) {
    if (first > 0) await breathe();
    const shown = all.slice(first, first + LOTS_AT_ONCE).map(({ lotId, depth, viaOrderIds }) => {
      const lot = lots.get(lotId);
      return {
        lotId,
        lotCode: lot?.lotCode ?? null,
        variantId: lot?.variantId ?? null,
        description: facts.get(lot?.variantId ?? '')?.description ?? null,
        kind: depth === 0 ? 'MATCHED' : 'REACHED',
        viaOrderIds: [...viaOrderIds],
      };
    });
    pieces.push(JSON.stringify(shown).slice(1, -1));
  }
  return pieces.join(',');
}

/** Everything but the page: the members of the answer, as JSON that is still open. All that can be asked at once is. */
export async function overviewOf(
  context: RequestContext,
  found: Found,
  scopeMade: () => Promise<Scope>,
): Promise<string> {
  // What takes longest comes first.
  const [{ firstSaleAt, lastSaleAt, ...sales }, { scope, lotsText }, { remaining, remainingLots }, since] =
    await Promise.all([
      salesOf(context, found),
      scopeMade().then(async (scope) => ({ scope, lotsText: await lotsJson(scope) })),
      leftOf(context, found),
      lotControlSince(context, found),
    ]);
  const { lotCode, matched } = scope;
  const balance = massBalance(matched.map(quantitiesByCause), inStockOf(remaining, matched));
  const rest = {
    summary: { ...sales, ...soldOf(scope), firstSaleAt, lastSaleAt },
    remainingStock: remaining.map(({ lotId, locationId, quantity }) => {
      const lot = remainingLots.get(lotId);
      return { lotId, lotCode: lot?.lotCode ?? null, locationId, quantity, status: lot?.status ?? null };
    }),
    massBalance: balance,
    lotControlSince: since,
    note: balance.accountedPercent === 100 ? NOTE : NOTE + DIFFERENCE,
  };
  return `{"lotCode":${JSON.stringify(lotCode)},"lots":[${lotsText}],${JSON.stringify(rest).slice(1, -1)}`;
}
