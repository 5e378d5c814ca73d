import { inventoryEvents } from '../../src/features/inventory/events.js';
import type { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RowToAdd } from '../../src/kernel/projections/projector.js';
import { rowCollection, rowProjector } from '../../src/kernel/projections/projector.js';
import type { StockFact } from './parts/stock-facts.js';
import { movementsOf, rowsOnMovements } from './parts/stock-facts.js';

/** The average costs that a variant has had, each from a moment on. */
export const averageCosts = rowCollection({
  name: 'average-costs',
  version: 2,
  /** The event that led to it, by its revision. */
  columns: { variantId: 'id', at: 'text', averageCost: 'real', revision: 'integer' },
  indexes: [['variantId', 'at']],
});

/** The last of an event counts. */
function rowsOf(event: Recorded<StockFact>): readonly RowToAdd[] {
  const costs = new Map<string, Decimal>();
  if (event.type === 'OrderReversed') {
    const { output, byproducts } = event.data;
    for (const { costReversal } of [output, ...byproducts]) costs.set(costReversal.variantId, costReversal.after);
  }
  for (const { entry, forgiven } of movementsOf(event)) {
    const changed = entry ?? forgiven;
    if (changed) costs.set(changed.variantId, changed.averageCost);
  }
  return [...costs].map(([variantId, cost]) => ({
    key: variantId,
    values: { variantId, at: event.meta.at, averageCost: cost.toNumber(), revision: event.revision },
  }));
}

export const averageCostsProjector = rowProjector(averageCosts, [inventoryEvents], rowsOnMovements(rowsOf));
