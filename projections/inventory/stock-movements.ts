import type { Settlement } from '../../src/features/inventory/events.js';
import { inventoryEvents } from '../../src/features/inventory/events.js';
import type { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RowToAdd } from '../../src/kernel/projections/projector.js';
import { rowCollection, rowProjector, rowsInOrder } from '../../src/kernel/projections/projector.js';
import type { Movement, MovementKind, StockFact } from './parts/stock-facts.js';
import { movementsOf, rowsOnMovements } from './parts/stock-facts.js';

/**
 * The ledger: what entered and left each lot and location, and what the location held of the variant afterwards. Goods that are owed have
 * no lot; when an entry makes them good, one row takes them out of its lot and another one off what is owed.
 */
export const stockMovements = rowCollection({
  name: 'stock-movements',
  version: 2,
  columns: {
    id: 'text',
    variantId: 'text',
    lotId: 'text',
    locationId: 'text',
    quantity: 'real',
    /** Signed as the quantity, to the last decimal. */
    value: 'text',
    balance: 'real',
    at: 'text',
    kind: 'text',
    sourceKind: 'text',
    sourceId: 'text',
    reason: 'text',
    /** Who did it, as JSON. */
    by: 'text',
    /** The position of its event. */
    position: 'text',
  },
  indexes: [['at'], ['locationId', 'at'], ['variantId', 'at'], ['variantId', 'locationId', 'at']],
  repeated: ['locationId', 'at', 'kind', 'sourceKind', 'sourceId', 'reason', 'by', 'position'],
});

export const SOURCE_KINDS = ['OPENING', 'RECEIPT', 'ADJUSTMENT', 'TRANSFER', 'SALE', 'ORDER'] as const;
type SourceKind = (typeof SOURCE_KINDS)[number];

const SOURCES: Readonly<Record<StockFact['type'], SourceKind>> = {
  StockOpened: 'OPENING',
  StockReceived: 'RECEIPT',
  StockAdjusted: 'ADJUSTMENT',
  StockTransferred: 'TRANSFER',
  SaleCompleted: 'SALE',
  SaleReturned: 'SALE',
  SaleCancelled: 'SALE',
  OrderCompleted: 'ORDER',
  OrderReversed: 'ORDER',
};

interface Step {
  readonly lotId: string | null;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly kind: MovementKind;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
}

/** The rows of one movement, of which the last leaves its balance. What is owed is worth what it is owed at. */
function stepsOf({ kind, sourceId, issue, entry, forgiven }: Movement, sourceKind: SourceKind): readonly Step[] {
  const source = { kind, sourceKind, sourceId };
  if (issue) {
    const left = (lotId: string | null, { quantity, value }: Amounts): Step => ({
      lotId,
      quantity: quantity.negated(),
      value: value.negated(),
      kind,
      sourceKind,
      sourceId,
    });
    const taken = issue.takes.map((one) => left(one.lotId, one));
    return issue.debt ? [...taken, left(null, issue.debt)] : taken;
  }
  if (forgiven) return [{ lotId: null, quantity: forgiven.quantity, value: forgiven.value, ...source }];
  const { lotId, quantity, value, settlements } = entry;
  return [{ lotId, quantity, value, ...source }, ...settlements.flatMap((settled) => settledSteps(lotId, settled))];
}

type Amounts = Pick<Step, 'quantity' | 'value'>;

/** Out of the lot at its cost, and off the debt at what that was owed at. */
function settledSteps(lotId: string, { quantity, value, provisional, originKind, originId }: Settlement): Step[] {
  const source = { kind: 'SETTLEMENT', sourceKind: originKind, sourceId: originId } as const;
  return [
    { lotId, quantity: quantity.negated(), value: value.negated(), ...source },
    { lotId: null, quantity, value: provisional, ...source },
  ];
}

const reasonOf = ({ data }: StockFact): string | null => ('reason' in data ? data.reason : null);

/** Members are written out one by one: there are several rows for each line of a sale. */
function rowsOf(event: Recorded<StockFact>): readonly RowToAdd[] {
  const { at, actor } = event.meta;
  const { position } = event;
  const [reason, by] = [reasonOf(event), JSON.stringify(actor)];
  const rows: RowToAdd['values'][] = [];
  for (const movement of movementsOf(event)) {
    const { variantId, locationId, balance } = movement.issue ?? movement.entry ?? movement.forgiven;
    const steps = stepsOf(movement, SOURCES[event.type]);
    let held = steps.reduce((sum, { quantity }) => sum.minus(quantity), balance);
    for (const { lotId, quantity, value, kind, sourceKind, sourceId } of steps) {
      held = held.plus(quantity);
      rows.push({
        id: `${String(event.revision)}-${String(rows.length)}`,
        variantId,
        lotId,
        locationId,
        quantity: quantity.toNumber(),
        value: value.toString(),
        balance: held.toNumber(),
        at,
        kind,
        sourceKind,
        sourceId,
        reason,
        by,
        position,
      });
    }
  }
  return rowsInOrder(rows);
}

export const stockMovementsProjector = rowProjector(stockMovements, [inventoryEvents], rowsOnMovements(rowsOf));
