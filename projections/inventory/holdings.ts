import { comparableCode, inventoryEvents } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { adding } from '../../src/kernel/projections/adding.js';
import type { Movement } from './parts/stock-facts.js';
import { movementsOf, onMovements } from './parts/stock-facts.js';

/** What a location holds of a lot, or once held. */
export interface HoldingDocument {
  readonly lotId: string;
  readonly locationId: string;
  readonly lotCode: string | null;
  readonly variantId: string;
  readonly quantity: number;
  /** Orders the batches of a variant. */
  readonly entered: number;
  readonly exact: { readonly quantity: string; readonly value: string };
  /** The position of the event that it last saw. */
  readonly seen: string;
}

export const holdings = recordCollection<HoldingDocument>({
  name: 'holdings',
  version: 2,
  hidden: ['entered', 'exact', 'seen'],
  columns: {
    lotId: { type: 'id', of: ({ lotId }) => lotId },
    code: { type: 'text', of: ({ lotCode }) => (lotCode === null ? null : comparableCode(lotCode)) },
    variantId: { type: 'id', of: ({ variantId }) => variantId },
    locationId: { type: 'id', of: ({ locationId }) => locationId },
    left: { type: 'integer', of: ({ quantity }) => (quantity > 0 ? 1 : 0) },
    entered: { type: 'integer', of: ({ entered }) => entered },
  },
  subjectsOf: (id) => [id.slice(0, id.indexOf('/'))],
  indexes: [
    ['lotId'],
    ['entered'],
    ['left', 'entered'],
    ['variantId', 'left', 'entered'],
    ['locationId', 'left', 'entered'],
    ['code', 'entered'],
  ],
});

/** What a fact moves of a lot at a location; signed. */
interface Change {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly locationId: string;
  readonly variantId: string;
  readonly entered: number;
  readonly quantity: Decimal;
  readonly value: Decimal;
}

function changesOf({ issue, entry }: Movement): Change[] {
  if (issue) {
    const { locationId, variantId } = issue;
    return issue.takes.map(({ lotId, lotCode, entered, quantity, value }) => ({
      lotId,
      lotCode,
      locationId,
      variantId,
      entered,
      quantity: quantity.negated(),
      value: value.negated(),
    }));
  }
  if (!entry) return [];
  const { lotId, lotCode, locationId, variantId, entered, settlements } = entry;
  const settled = (of: 'quantity' | 'value') => Decimal.sum(settlements.map((one) => one[of]));
  const quantity = entry.quantity.minus(settled('quantity'));
  const value = entry.value.minus(settled('value'));
  return [{ lotId, lotCode, locationId, variantId, entered, quantity, value }];
}

const idOf = ({ lotId, locationId }: Pick<Change, 'lotId' | 'locationId'>): string => `${lotId}/${locationId}`;

function changed(document: HoldingDocument | undefined, change: Change, seen: string): HoldingDocument {
  const { lotId, lotCode, locationId, variantId, entered } = change;
  const before = document?.exact ?? { quantity: '0', value: '0' };
  const quantity = Decimal.from(before.quantity).plus(change.quantity);
  const value = Decimal.from(before.value).plus(change.value);
  const exact = { quantity: quantity.toString(), value: value.toString() };
  return { lotId, lotCode, locationId, variantId, quantity: quantity.toNumber(), entered, exact, seen };
}

export const holdingsProjector = recordProjector(
  holdings,
  [inventoryEvents],
  onMovements(
    adding(
      (event) => movementsOf(event).flatMap(changesOf),
      idOf,
      (document: HoldingDocument | undefined, changes, { position }) =>
        changes.reduce<HoldingDocument | undefined>((current, change) => changed(current, change, position), document),
    ),
  ),
);
