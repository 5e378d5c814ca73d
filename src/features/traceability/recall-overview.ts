import type { StockDocument } from '../../../projections/inventory/stock.js';
import { stock } from '../../../projections/inventory/stock.js';
import { boundedCache } from '../../kernel/values/bounded-cache.js';
import { Decimal } from '../../kernel/values/decimal.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import { grouped } from '../../kernel/values/grouped.js';
import { balanceOf, shownBalances } from './recall-balances.js';
import { shown, SHOWN } from './recall-parts.js';
import type { Found } from './found-lots.js';
import type { RecallServices, Scope } from './recall-scope.js';
import type { RecallSums } from './recall-sums.js';
import { summed } from './summed-lots.js';

/** What is said of a recall beside the page of its sales. */

const QUANTITY = 6;

const unitOf = ({ facts }: Pick<Scope, 'facts'>, variantId: string): string => facts.get(variantId)?.saleUnit ?? '';

/** By unit: quantities are never added across units. */
function soldByUnit({ facts }: Scope, sums: RecallSums) {
  const byUnit = grouped(sums.sold, ({ variantId }) => facts.get(variantId)?.saleUnit ?? '');
  const all = [...byUnit].map(([unit, some]) => {
    const sold = Decimal.sum(some.map((one) => one.sold)).round(QUANTITY);
    const returned = Decimal.sum(some.map((one) => one.returned)).round(QUANTITY);
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

const MOST_KNOWN = 10_000;
/** By store and variant: the first lot with a code comes but once. */
const controlledSince = boundedCache<string>(MOST_KNOWN);

/** Since when the lots' products have controlled lots: the earliest of them. */
async function lotControlSince(context: RequestContext, { matched }: Found): Promise<string | null> {
  const ids = [...new Set(matched.map(({ variantId }) => variantId))];
  const keyOf = (variantId: string) => `${context.storeId} ${variantId}`;
  const unknown = ids.filter((id) => !controlledSince.has(keyOf(id)));
  const records = unknown.length === 0 ? [] : await context.reads.getMany(stock, unknown);
  for (const { id, body } of records) {
    const since = (JSON.parse(body) as Pick<StockDocument, 'lotControlSince'>).lotControlSince;
    if (since !== null) controlledSince.set(keyOf(id), since);
  }
  const times = ids.flatMap((id) => controlledSince.get(keyOf(id)) ?? []);
  return times.sort()[0] ?? null;
}

const NOTE =
  'Sales that were completed and not cancelled, of the lots with this code and of every lot that was made with them. ' +
  'Quantities are in each variant’s sale unit. A sale without customer is shown by its own data alone.';
const DIFFERENCE = ' The mass balance does not add up: the difference is shown by accountedPercent.';

/** What a store calls its places, and its time zone. */
export interface Surroundings {
  readonly locationNames: ReadonlyMap<string, string>;
  readonly timeZone: string;
}

export const surroundingsOf = async (
  context: RequestContext,
  { locations, stores }: Pick<RecallServices, 'locations' | 'stores'>,
): Promise<Surroundings> => {
  const [locationNames, timeZone] = await Promise.all([locations.names(context), timeZoneOf(stores, context.storeId)]);
  return { locationNames, timeZone };
};

export type SummedUp = Awaited<ReturnType<typeof summedUp>>;

/** The members of the answer but for its page. */
export async function summedUp(context: RequestContext, scope: Scope, { locationNames, timeZone }: Surroundings) {
  const { lotCode, matched, walked, lots: known, suppliers } = scope;
  const firstLots = walked.lotsFrom(0, matched.length + SHOWN);
  const [sums, since, invoices] = await Promise.all([
    scope.sums(context),
    lotControlSince(context, scope),
    scope.standing(context),
  ]);
  const { sales, remaining } = sums;
  const first = { lots: firstLots, remaining: remaining.slice(0, SHOWN), locationNames, timeZone };
  const { lots, remaining: remainingStock } = await shown(context, scope, first);
  const { firstSaleAt, lastSaleAt, ...counted } = sales;
  const balances = shownBalances(sums.balances, scope);
  const units = new Set(matched.map(({ variantId }) => unitOf(scope, variantId)));
  const adds = balances.every(({ kind, accountedPercent }) => kind === 'REACHED' || accountedPercent === 100);
  return {
    lotCode,
    lots,
    lotCount: walked.lots.length,
    suppliers,
    summary: { ...counted, invoices, ...soldByUnit(scope, sums), firstSaleAt, lastSaleAt },
    remainingStock,
    remainingCount: remaining.length,
    massBalance: units.size === 1 ? balanceOf(summed(known.slice(0, matched.length))) : null,
    massBalances: balances,
    lotControlSince: since,
    note: adds ? NOTE : NOTE + DIFFERENCE,
  };
}
