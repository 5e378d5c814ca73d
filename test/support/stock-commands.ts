import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { inventory } from '../../src/features/inventory/decider.js';
import type { Inventory } from '../../src/features/inventory/domain/state.js';
import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/decimal.js';
import { NOON } from './given.js';

/** Commands about the stock of a shop with a cellar; what matters to a test is named, the rest is usual. */

export const d = (value: number | string): Decimal => Decimal.from(value);

type CommandOf<T extends InventoryCommand['type']> = Extract<InventoryCommand, { readonly type: T }>;
type ReceivedItem = CommandOf<'receive'>['items'][number];
type AdjustedItem = CommandOf<'adjust'>['items'][number];

/** A lot named after its number among the receipts of the test, unless it has a name. */
export const receive = (
  variantId: string,
  quantity: number | string,
  unitCost: number | string | null,
  item: Partial<ReceivedItem> = {},
  { locationId = 'shop' } = {},
): CommandOf<'receive'> => {
  const cost = unitCost === null ? null : d(unitCost);
  const lotId = item.lotId ?? `${variantId} ${String(quantity)} at ${String(unitCost)}`;
  const usual = { lotId, variantId, quantity: d(quantity), unitCost: cost, lotCode: null, expiresAt: null };
  return {
    type: 'receive',
    receiptId: `receipt of ${lotId}`,
    locationId,
    supplier: null,
    document: null,
    items: [{ ...usual, ...item }],
  };
};

export const adjust = (
  variantId: string,
  quantity: number | string,
  item: Partial<AdjustedItem> = {},
  { locationId = 'shop' } = {},
): CommandOf<'adjust'> => ({
  type: 'adjust',
  adjustmentId: `adjustment of ${variantId} by ${String(quantity)}`,
  reason: 'count',
  locationId,
  items: [{ variantId, quantity: d(quantity), unitCost: null, lot: null, newLotId: `${variantId} adjusted`, ...item }],
});

export const transfer = (
  variantId: string,
  quantity: number | string,
  { lotCode = null as string | null, fromLocationId = 'shop', toLocationId = 'cellar' } = {},
): CommandOf<'transfer'> => ({
  type: 'transfer',
  transferId: `transfer of ${variantId}`,
  fromLocationId,
  toLocationId,
  items: [{ variantId, quantity: d(quantity), lotCode }],
  knownCodes: undefined,
});

export const sell = (
  variantId: string,
  quantity: number | string,
  sale: Partial<Pick<CommandOf<'completeSale'>, 'saleId' | 'locationId' | 'allowNegativeStock'>> & {
    readonly lotCode?: string;
  } = {},
): CommandOf<'completeSale'> => {
  const { lotCode = null, saleId = 'sale', locationId = 'shop', allowNegativeStock = false } = sale;
  const total = d(quantity).times(d(5)).round(2);
  return {
    type: 'completeSale',
    saleId,
    customerId: null,
    locationId,
    occurredAt: NOON,
    occurredOn: NOON.slice(0, 10),
    lines: [
      {
        variantId,
        productId: `product of ${variantId}`,
        description: variantId,
        unit: 'UN',
        quantity: d(quantity),
        unitPrice: d(5),
        discount: Decimal.zero,
        total,
        lotCode,
        goods: [{ variantId, quantity: d(quantity) }],
      },
    ],
    payments: [],
    total,
    allowNegativeStock,
    knownCodes: undefined,
  };
};

/** Decides commands one after the other, each on what those before it made. */
export function decided(
  commands: readonly InventoryCommand[],
  at = NOON,
): { readonly state: Inventory; readonly facts: readonly InventoryEvent[] } {
  let state = inventory.decider.initial;
  const facts: InventoryEvent[] = [];
  for (const command of commands) {
    for (const fact of inventory.decider.decide(state, command, at)) {
      state = inventory.decider.evolve(state, fact, { revision: facts.length, at });
      facts.push(fact);
    }
  }
  return { state, facts };
}

export const factsOf = (...commands: readonly InventoryCommand[]): readonly InventoryEvent[] => decided(commands).facts;
export const stockAfter = (...commands: readonly InventoryCommand[]): Inventory => decided(commands).state;
