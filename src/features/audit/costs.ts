/** The events in which costs stand that only some may see. */
const BEARERS: ReadonlySet<string> = new Set([
  'StockOpened',
  'StockReceived',
  'StockAdjusted',
  'StockTransferred',
  'SaleCompleted',
  'SaleReturned',
  'SaleCancelled',
  'OrderPlanned',
  'OrderRecipeRefreshed',
  'OrderCompleted',
  'OrderReversed',
  'RecipeCreated',
  'RecipeDetailsChanged',
  'RecipeDraftSaved',
  'RecipeVersionActivated',
]);

const COST_MEMBERS: ReadonlySet<string> = new Set([
  'value',
  'provisional',
  'averageCost',
  'cost',
  'margin',
  'unitCost',
  'materialCost',
  'laborCost',
  'totalCost',
  'productCost',
  'roundingDifference',
  'costReversal',
  'laborRatePerHour',
  'standardUnitCost',
  // Over a formula with its rates, which could be guessed by it.
  'sha256',
]);

export const bearsCosts = (type: string): boolean => BEARERS.has(type);

/** Streams in which those events stand. Each event is chained to all before it in its stream: by the hash of any, costs of another could be guessed. */
const CHAINED = /^(?:inventory|recipes)-/;

export const isChainedToCosts = (stream: string): boolean => CHAINED.test(stream);

/** Whether it says by its path that a cost became another. */
function isChangeOfCost(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string') return false;
  return COST_MEMBERS.has(value.path.slice(value.path.lastIndexOf('.') + 1));
}

/** The same without what it cost, at any depth. */
export function withoutCosts(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isChangeOfCost(one)).map(withoutCosts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !COST_MEMBERS.has(name))
      .map(([name, member]) => [name, withoutCosts(member)]),
  );
}
