import type { StockDocument } from '../../../projections/inventory/stock.js';
import { stock as stockRecords } from '../../../projections/inventory/stock.js';
import type { UsageDocument } from '../../../projections/planning/usage.js';
import { usage, usageId } from '../../../projections/planning/usage.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { dayOf, daysLater } from '../../kernel/values/days.js';
import { Decimal } from '../../kernel/values/decimal.js';
import type { FeatureServices } from '../contracts/feature.js';
import type { RecipeCopy } from '../contracts/recipe-book.js';
import type { Outlook as StockOutlook } from '../contracts/stock-keeper.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import type { Outlook } from './domain/suggestion.js';
import type { PastUse } from './domain/use.js';
import { usedSince } from './domain/use.js';

export type PlanningServices = Pick<FeatureServices, 'recipes' | 'stock' | 'stores'>;

const NOTHING: StockOutlook = { free: Decimal.zero, planned: Decimal.zero, orders: [] };

/** What is known of some recipes' products and inputs at the moment of the request. */
export async function outlooks(
  { stock, stores }: Pick<PlanningServices, 'stock' | 'stores'>,
  context: RequestContext,
  active: readonly RecipeCopy[],
  lookbackDays: number,
): Promise<(recipe: RecipeCopy) => Outlook & Pick<StockOutlook, 'orders'>> {
  const timeZone = await timeZoneOf(stores, context.storeId);
  const today = dayOf(Date.parse(context.at), timeZone);
  const firstDay = daysLater(today, 1 - lookbackDays);
  const finished = new Set(active.map(({ finishedVariantId }) => finishedVariantId));
  const [outlook, uses] = await Promise.all([
    stock.outlook(context, variantsOf(active)),
    usesOf(context, [...finished], monthsOf(firstDay, today)),
  ]);
  const available = new Map([...outlook].map(([variantId, { free }]) => [variantId, free]));
  return ({ finishedVariantId }) => {
    const use = usedSince(uses(finishedVariantId), { firstDay, lookback: lookbackDays, at: context.at });
    return { ...(outlook.get(finishedVariantId) ?? NOTHING), available, ...use };
  };
}

const variantsOf = (active: readonly RecipeCopy[]): readonly string[] => [
  ...new Set(
    active.flatMap(({ finishedVariantId, items }) => [
      finishedVariantId,
      ...items.map(({ componentVariantId }) => componentVariantId),
    ]),
  ),
];

/** A day of each month from one day to another. */
function monthsOf(first: string, last: string): readonly string[] {
  const months: string[] = [];
  for (let month = first.slice(0, 7); month <= last.slice(0, 7); month = nextMonth(month)) months.push(`${month}-01`);
  return months;
}

function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/** Two reads, however many variants and months. */
async function usesOf(
  context: RequestContext,
  variantIds: readonly string[],
  months: readonly string[],
): Promise<(variantId: string) => PastUse> {
  const ids = variantIds.flatMap((variantId) => months.map((day) => usageId(variantId, day)));
  const [used, moved] = await Promise.all([
    context.reads.getMany(usage, ids),
    context.reads.getMany(stockRecords, variantIds),
  ]);
  const daysById = new Map(used.map(({ id, body }) => [id, (JSON.parse(body) as UsageDocument).days]));
  const firstById = new Map(
    moved.map(({ id, hidden }) => [id, (JSON.parse(hidden) as Pick<StockDocument, 'firstMovedAt'>).firstMovedAt]),
  );
  return (variantId) => ({
    firstMovedAt: firstById.get(variantId) ?? null,
    days: Object.assign({}, ...months.map((day) => daysById.get(usageId(variantId, day)) ?? {})) as PastUse['days'],
  });
}
