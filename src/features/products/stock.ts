import type { StockDocument } from '../../../projections/inventory/stock.js';
import { stock as stockCollection } from '../../../projections/inventory/stock.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { readTogether } from '../../kernel/values/json-texts.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Part } from './kit-parts.js';

/** What is there of a variant, beside its product. */
export interface VariantStock extends Pick<StockDocument, 'quantity' | 'lotControlSince'> {
  /** Null until something has entered; undefined where it is a cost of production that the asker may not see. */
  readonly averageCost: number | null | undefined;
}

/** The average cost of what was ever produced is a cost of production. */
export const seesProductionCosts = (context: RequestContext): boolean => context.may('production.costs');

export type Stock = ReadonlyMap<string, VariantStock>;

const NOTHING: VariantStock = { quantity: 0, averageCost: null, lotControlSince: null };

export const stockOf = (stock: Stock, variantId: string): VariantStock => stock.get(variantId) ?? NOTHING;

/** One read for a whole page. */
export async function readStock(context: RequestContext, variantIds: readonly string[]): Promise<Stock> {
  const bodies = await context.reads.getBodies(stockCollection, variantIds);
  const found = readTogether(bodies.filter((body) => body !== undefined)) as readonly StockDocument[];
  const seesCosts = seesProductionCosts(context);
  const shown = (document: StockDocument): VariantStock =>
    document.produced && !seesCosts ? { ...document, averageCost: undefined } : document;
  return new Map(found.map((document) => [document.variantId, shown(document)]));
}

/** The stock of several variants together; its cost by what is there of each, and hidden where one of theirs is. */
export function stockTogether(all: readonly VariantStock[]): Omit<VariantStock, 'lotControlSince'> {
  const [only] = all;
  if (only && all.length === 1) return only;
  const quantity = Decimal.sum(all.map((one) => Decimal.from(one.quantity)));
  if (all.some(({ averageCost }) => averageCost === undefined)) {
    return { quantity: quantity.toNumber(), averageCost: undefined };
  }
  const costed = all.filter((one) => one.averageCost !== null && one.quantity > 0);
  const pieces = Decimal.sum(costed.map((one) => Decimal.from(one.quantity)));
  if (pieces.isZero) return { quantity: quantity.toNumber(), averageCost: null };
  const value = costed.map((one) => Decimal.from(one.averageCost ?? 0).times(Decimal.from(one.quantity)));
  return { quantity: quantity.toNumber(), averageCost: Decimal.sum(value).dividedBy(pieces).toNumber() };
}

/** How many whole kits the stock of the parts allows, and what one of them costs. */
export function stockOfKit(parts: readonly Part[], stock: Stock): VariantStock {
  if (parts.length === 0) return NOTHING;
  const kits = parts.map((part) => wholeParts(stockOf(stock, part.componentVariantId).quantity, part.quantity));
  return {
    quantity: Math.max(0, Math.min(...kits)),
    averageCost: costOfKit(parts, stock),
    lotControlSince: null,
  };
}

function wholeParts(available: number, each: Decimal): number {
  const there = Decimal.from(available);
  const whole = there.dividedBy(each).floor();
  // The quotient is rounded: it may lie just above what there is.
  return (whole.times(each).greaterThan(there) ? whole.minus(Decimal.one) : whole).toNumber();
}

function costOfKit(parts: readonly Part[], stock: Stock): number | null | undefined {
  const costs = parts.map(({ componentVariantId }) => stockOf(stock, componentVariantId).averageCost);
  if (costs.includes(undefined)) return undefined;
  let cost = Decimal.zero;
  for (const { componentVariantId, quantity } of parts) {
    const { averageCost } = stockOf(stock, componentVariantId);
    if (averageCost === null || averageCost === undefined) return null;
    cost = cost.plus(Decimal.from(averageCost).times(quantity));
  }
  return cost.toNumber();
}
