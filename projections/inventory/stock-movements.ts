import { inventoryEvents } from '../../src/features/inventory/events.js';
import type { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RowToAdd } from '../../src/kernel/projections/projector.js';
import { rowCollection, rowProjector } from '../../src/kernel/projections/projector.js';
import type { Movement, MovementKind, StockFact } from './parts/stock-facts.js';
import { movementsOf, rowsOnMovements } from './parts/stock-facts.js';

/**
 * The ledger: what entered and left each lot and location, and what the location held of the variant afterwards. Goods that are owed have
 * no lot; when an entry makes them good, one row takes them out of its lot and another one off what is owed.
 */
export const stockMovements = rowCollection({
  name: 'stock-movements',
  version: 1,
  columns: {
    id: 'text',
    variantId: 'text',
    lotId: 'text',
    locationId: 'text',
    quantity: 'real',
    balance: 'real',
    at: 'text',
    kind: 'text',
    sourceId: 'text',
  },
  indexes: [['at'], ['locationId', 'at'], ['variantId', 'at'], ['variantId', 'locationId', 'at']],
});

interface Step {
  readonly lotId: string | null;
  readonly quantity: Decimal;
  readonly kind: MovementKind;
  readonly sourceId: string;
}

/** The rows of one movement, of which the last leaves its balance. */
function stepsOf({ kind, sourceId, issue, entry, forgiven }: Movement): readonly Step[] {
  if (issue) {
    const taken = issue.takes.map(({ lotId, quantity }) => ({ lotId, quantity: quantity.negated(), kind, sourceId }));
    const { debt } = issue;
    return debt ? [...taken, { lotId: null, quantity: debt.quantity.negated(), kind, sourceId }] : taken;
  }
  if (forgiven) return [{ lotId: null, quantity: forgiven.quantity, kind, sourceId }];
  const { lotId, settlements } = entry;
  const settled = settlements.flatMap(({ quantity, originId }): Step[] => [
    { lotId, quantity: quantity.negated(), kind: 'SETTLEMENT', sourceId: originId },
    { lotId: null, quantity, kind: 'SETTLEMENT', sourceId: originId },
  ]);
  return [{ lotId, quantity: entry.quantity, kind, sourceId }, ...settled];
}

function rowsOf(event: Recorded<StockFact>): readonly RowToAdd[] {
  const rows: RowToAdd[] = [];
  for (const movement of movementsOf(event)) {
    const { variantId, locationId, balance } = movement.issue ?? movement.entry ?? movement.forgiven;
    const steps = stepsOf(movement);
    let held = steps.reduce((sum, { quantity }) => sum.minus(quantity), balance);
    for (const { quantity, ...step } of steps) {
      held = held.plus(quantity);
      const number = String(rows.length).padStart(DIGITS, '0');
      const id = `${String(event.revision)}-${String(rows.length)}`;
      const amounts = { quantity: quantity.toNumber(), balance: held.toNumber() };
      rows.push({ key: number, values: { id, variantId, locationId, at: event.meta.at, ...amounts, ...step } });
    }
  }
  return rows;
}

// Ties of time are broken by key: rows of one event follow each other in their order.
const DIGITS = 6;

export const stockMovementsProjector = rowProjector(stockMovements, [inventoryEvents], rowsOnMovements(rowsOf));
