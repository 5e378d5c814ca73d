import { lots } from '../../../../projections/inventory/lots.js';
import type { StockDocument } from '../../../../projections/inventory/stock.js';
import { stock } from '../../../../projections/inventory/stock.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { inBatches } from '../../../kernel/values/batches.js';

/** Costs that come from production are shown with production.costs alone; what goods were bought for, to everybody who sees the stock. */

interface Item {
  readonly variantId: string;
  readonly lotId: string;
  readonly quantity: number;
}

export const PRODUCTION_COSTS = 'production.costs';

/** The variants that were ever produced, among these; none for who sees all costs. */
export async function producedVariants(
  context: RequestContext,
  variantIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (context.may(PRODUCTION_COSTS) || variantIds.length === 0) return new Set();
  const records = await context.reads.getMany(stock, [...new Set(variantIds)]);
  return new Set(
    records.flatMap(({ id, body }) => ((JSON.parse(body) as Pick<StockDocument, 'produced'>).produced ? [id] : [])),
  );
}

const LOTS_AT_ONCE = 5_000;

/**
 * The lots, among these, of which the cost comes from production; none for who sees all costs. What was found of a variant that was ever
 * produced came in at its average, unless somebody said otherwise.
 */
export async function hiddenLots(context: RequestContext, lotIds: readonly string[]): Promise<ReadonlySet<string>> {
  const made = new Set<string>();
  if (context.may(PRODUCTION_COSTS)) return made;
  const found: Omit<Item, 'quantity'>[] = [];
  const rows = await inBatches(lotIds, LOTS_AT_ONCE, (some) =>
    context.reads.getColumns(lots, some, ['origin', 'variantId']),
  );
  for (const [index, lotId] of lotIds.entries()) {
    const { origin, variantId } = rows[index] ?? {};
    if (origin === 'PRODUCTION') made.add(lotId);
    else if (origin === 'ADJUSTMENT') found.push({ lotId, variantId: String(variantId) });
  }
  const produced = await producedVariants(
    context,
    found.map(({ variantId }) => variantId),
  );
  for (const { lotId, variantId } of found) if (produced.has(variantId)) made.add(lotId);
  return made;
}

/** Records of the stock as the asker may see them: without unit cost and value of what was produced, and the averages that it enters. */
export async function withoutHiddenCosts(
  context: RequestContext,
  records: readonly object[],
): Promise<readonly object[]> {
  if (context.may(PRODUCTION_COSTS)) return records;
  const itemsOf = (record: object) => ('items' in record ? (record.items as readonly Item[]) : []);
  const items = records.flatMap(itemsOf);
  const [hidden, produced] = await Promise.all([
    hiddenLots(context, [...new Set(items.map(({ lotId }) => lotId))]),
    producedVariants(
      context,
      items.map(({ variantId }) => variantId),
    ),
  ]);
  const isHidden = (record: object, { variantId, lotId, quantity }: Item, member: string): boolean => {
    if (member === 'averageCost') return produced.has(variantId);
    // The lot of what was found just now may not be read yet.
    const isFound = 'reason' in record && quantity > 0 && produced.has(variantId);
    return (member === 'unitCost' || member === 'value') && (isFound || hidden.has(lotId));
  };
  return records.map((record) => ({
    ...record,
    items: itemsOf(record).map((item): object =>
      Object.fromEntries(Object.entries(item).filter(([member]) => !isHidden(record, item, member))),
    ),
  }));
}
