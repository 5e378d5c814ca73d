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
]);

export const bearsCosts = (type: string): boolean => BEARERS.has(type);

/** The same without what it cost, at any depth. */
export function withoutCosts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCosts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !COST_MEMBERS.has(name))
      .map(([name, member]) => [name, withoutCosts(member)]),
  );
}
