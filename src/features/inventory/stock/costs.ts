import { lots } from '../../../../projections/inventory/lots.js';
import type { StockDocument } from '../../../../projections/inventory/stock.js';
import { stock } from '../../../../projections/inventory/stock.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';

/** Costs that come from production are shown with production.costs alone; what goods were bought for, to everybody who sees the stock. */

interface Item {
  readonly variantId: string;
  readonly lotId: string;
}

const PRODUCTION_COSTS = 'production.costs';

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

/** Records of the stock as the asker may see them: without unit cost and value of what was produced, and the averages that it enters. */
export async function withoutHiddenCosts(
  context: RequestContext,
  records: readonly object[],
): Promise<readonly object[]> {
  if (context.may(PRODUCTION_COSTS)) return records;
  const itemsOf = (record: object) => ('items' in record ? (record.items as readonly Item[]) : []);
  const items = records.flatMap(itemsOf);
  const lotIds = [...new Set(items.map(({ lotId }) => lotId))];
  const [origins, produced] = await Promise.all([
    context.reads.getColumns(lots, lotIds, ['origin']),
    producedVariants(
      context,
      items.map(({ variantId }) => variantId),
    ),
  ]);
  const made = new Set(lotIds.filter((_, index) => origins[index]?.origin === 'PRODUCTION'));
  const visible = (item: Item): object =>
    Object.fromEntries(
      Object.entries(item).filter(
        ([member]) =>
          !(made.has(item.lotId) && (member === 'unitCost' || member === 'value')) &&
          !(produced.has(item.variantId) && member === 'averageCost'),
      ),
    );
  return records.map((record) => ({ ...record, items: itemsOf(record).map(visible) }));
}
