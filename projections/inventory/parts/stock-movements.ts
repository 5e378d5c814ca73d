import type { Settlement } from '../../../src/features/inventory/events.js';
import type { Decimal } from '../../../src/kernel/values/decimal.js';
import type { Actor, Recorded } from '../../../src/kernel/events/event.js';
import type { Movement, MovementKind, StockFact } from './stock-facts.js';
import { moved, movementsOf } from './stock-facts.js';

/**
 * The ledger: what entered and left each lot and location, and what the location held of the variant afterwards. It is told by the facts themselves,
 * which the audit's index finds by what they move. Goods that are owed have no lot; when an entry makes them good, one movement takes them out of its
 * lot and another one off what is owed.
 */

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

/** One movement of the ledger. */
export interface StockMovement {
  readonly id: string;
  /** Which one it is of those of its event. */
  readonly place: number;
  readonly variantId: string;
  readonly lotId: string | null;
  readonly locationId: string;
  readonly quantity: Decimal;
  /** Signed as the quantity. */
  readonly value: Decimal;
  readonly balance: Decimal;
  readonly at: string;
  readonly kind: MovementKind;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
  readonly reason: string | null;
  readonly by: Actor;
  readonly revision: number;
  readonly position: string;
}

interface Source {
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
}

interface Step extends Source {
  readonly lotId: string | null;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly kind: MovementKind;
}

type Amounts = Pick<Step, 'quantity' | 'value'>;

/** The steps of one movement of a fact, of which the last leaves its balance. What is owed is worth what it is owed at. */
function stepsOf({ kind, sourceId, issue, entry, forgiven }: Movement, sourceKind: SourceKind): readonly Step[] {
  const step = (lotId: string | null, quantity: Decimal, value: Decimal): Step => ({
    lotId,
    quantity,
    value,
    kind,
    sourceKind,
    sourceId,
  });
  if (issue) {
    const left = (lotId: string | null, { quantity, value }: Amounts) =>
      step(lotId, quantity.negated(), value.negated());
    const taken = issue.takes.map((one) => left(one.lotId, one));
    return issue.debt ? [...taken, left(null, issue.debt)] : taken;
  }
  if (forgiven) return [step(null, forgiven.quantity, forgiven.value)];
  const { lotId, quantity, value, settlements } = entry;
  return [step(lotId, quantity, value), ...settlements.flatMap((settled) => settledSteps(lotId, settled))];
}

/** Out of the lot at its cost, and off the debt at what that was owed at. */
function settledSteps(lotId: string, { quantity, value, provisional, originKind, originId }: Settlement): Step[] {
  const source = { kind: 'SETTLEMENT', sourceKind: originKind, sourceId: originId } as const;
  return [
    { lotId, quantity: quantity.negated(), value: value.negated(), ...source },
    { lotId: null, quantity, value: provisional, ...source },
  ];
}

const reasonOf = ({ data }: StockFact): string | null => ('reason' in data ? data.reason : null);

/** What an event moved, in its order. */
export function stockMovementsOf(event: Recorded<StockFact>): readonly StockMovement[] {
  const { meta, position, revision } = event;
  const reason = reasonOf(event);
  const found: StockMovement[] = [];
  for (const movement of movementsOf(event)) {
    const { variantId, locationId, balance } = moved(movement);
    const steps = stepsOf(movement, SOURCES[event.type]);
    let held = steps.reduce((sum, { quantity }) => sum.minus(quantity), balance);
    for (const step of steps) {
      held = held.plus(step.quantity);
      found.push({
        id: `${String(revision)}-${String(found.length)}`,
        place: found.length,
        variantId,
        locationId,
        balance: held,
        at: meta.at,
        reason,
        by: meta.actor,
        revision,
        position,
        ...step,
      });
    }
  }
  return found;
}
