import type { ShelfTotals } from '../../../projections/products/products.js';
import { products, shelfOf } from '../../../projections/products/products.js';
import type { StockTotals } from '../../../projections/inventory/stock.js';
import { stock } from '../../../projections/inventory/stock.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { totalsOf } from '../../kernel/projections/projector.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { PRODUCT_TYPES } from './events.js';

/** What a summary speaks of: everything that these let through. */
export interface Scope {
  readonly active?: boolean | undefined;
  readonly productType?: (typeof PRODUCT_TYPES)[number] | undefined;
}

const SHELVES = [true, false].flatMap((active) =>
  PRODUCT_TYPES.map((productType) => ({ active, productType, id: shelfOf(active, productType) })),
);

/** The members of a list that speak of the whole catalogue, as JSON without the brace that opens it; the summary is that of the scope. */
export function totalMembers(context: RequestContext, scope: Scope): Promise<Buffer> {
  const make = async () => Buffer.from(JSON.stringify(await catalogueTotals(context, scope)).slice(1));
  return context.reads.kept({ collections: [products, stock] }, JSON.stringify(['totals', scope]), make);
}

/** What the store's products come to, counted while they change: one small read. */
async function catalogueTotals(context: RequestContext, scope: Scope) {
  const ids = SHELVES.map(({ id }) => id);
  const [counted, stocked] = await Promise.all([
    context.reads.getMany(totalsOf(products), ids),
    context.reads.getMany(totalsOf(stock), ids),
  ]);
  const totals = new Map(counted.map(({ id, body }) => [id, JSON.parse(body) as ShelfTotals]));
  const stocks = new Map(stocked.map(({ id, body }) => [id, JSON.parse(body) as StockTotals]));
  const within = ({ active, productType }: Scope) =>
    SHELVES.filter((shelf) => (active ?? shelf.active) === shelf.active).filter(
      (shelf) => (productType ?? shelf.productType) === shelf.productType,
    );
  const sum = (counter: keyof ShelfTotals, of: Scope): number =>
    within(of).reduce((total, { id }) => total + (totals.get(id)?.[counter] ?? 0), 0);
  const stockQty = Decimal.sum(within(scope).map(({ id }) => Decimal.from(stocks.get(id)?.stockQty ?? 0)));
  return {
    inactiveCount: sum('products', { active: false }),
    missingCreditCount: sum('missingCredit', {}),
    summary: {
      productCount: sum('products', scope),
      variantCount: sum('variants', scope),
      stockQty: stockQty.toNumber(),
    },
  };
}
