import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { inventory } from '../../src/features/inventory/decider.js';
import { saleKey, touchesOf } from '../../src/features/inventory/ledger/touched-revisions.js';
import type { KnownHistory } from '../../src/features/inventory/ledger/known-history.js';
import type { Inventory, VariantStock } from '../../src/features/inventory/ledger/state.js';
import { stockOf } from '../../src/features/inventory/ledger/state.js';
import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { RejectionKind } from '../../src/kernel/events/rejection.js';
import { Rejection } from '../../src/kernel/events/rejection.js';
import { NOBODY, NOON } from './given.js';

export const d = (value: number | string): Decimal => Decimal.from(value);

/** The stock of a store as commands make it, one after the other. */
export class InventoryHistory {
  readonly events: InventoryEvent[] = [];
  state: Inventory = inventory.decider.initial;

  /** Gives the facts that followed. */
  run(command: InventoryCommand, at = NOON): readonly InventoryEvent[] {
    const events = inventory.decider.decide(this.state, command, at);
    for (const event of events) {
      this.state = inventory.decider.evolve(this.state, event, { revision: this.events.length, at, actor: NOBODY });
      this.events.push(event);
    }
    return events;
  }

  refusalOf(command: InventoryCommand, at = NOON): RejectionKind {
    try {
      inventory.decider.decide(this.state, command, at);
    } catch (error) {
      if (error instanceof Rejection) return error.kind;
      throw error;
    }
    throw new Error('the command was accepted');
  }

  /** Everything that the stream holds of a sale, or of what the key names. */
  pastOf(saleId: string, key = saleKey(saleId)): KnownHistory<InventoryEvent> {
    const touched = touchesOf(this.state.history, key);
    const events = touched.flatMap((revision) => {
      const event = this.events[revision];
      return event ? [{ revision, event }] : [];
    });
    return { asOf: this.events.length - 1, events };
  }

  stock(variantId: string): VariantStock {
    return stockOf(this.state, variantId);
  }

  /** What lies in each lot of a variant, all locations together: quantity and value. */
  lots(variantId: string): Record<string, readonly [quantity: string, value: string]> {
    return Object.fromEntries(
      [...this.stock(variantId).lots].map(({ lotId, holdings }) => [
        lotId,
        [
          Decimal.sum(holdings.map(({ quantity }) => quantity)).toString(),
          Decimal.sum(holdings.map(({ value }) => value)).toString(),
        ],
      ]),
    );
  }
}

interface Receipt {
  readonly lotCode?: string;
  readonly expiresAt?: string;
  readonly locationId?: string;
}

export const receive = (
  variantId: string,
  lotId: string,
  quantity: number | string,
  unitCost: number | string | null,
  { lotCode, expiresAt, locationId = 'shop' }: Receipt = {},
): InventoryCommand => ({
  type: 'receive',
  receiptId: `receipt of ${lotId}`,
  locationId,
  supplier: null,
  document: null,
  items: [
    {
      lotId,
      variantId,
      quantity: d(quantity),
      unitCost: unitCost === null ? null : d(unitCost),
      lotCode: lotCode ?? null,
      expiresAt: expiresAt ?? null,
    },
  ],
});

export interface Line {
  readonly variantId: string;
  readonly quantity: number | string;
  /** One each by itself. */
  readonly total?: number | string;
  readonly lotCode?: string;
  /** What one of it takes; itself unless it says otherwise. */
  readonly parts?: Readonly<Record<string, number | string>>;
}

export const sell = (saleId: string, lines: readonly Line[], allowNegativeStock = false): InventoryCommand => {
  const sold = lines.map(({ variantId, quantity, total = quantity, lotCode, parts }) => ({
    variantId,
    productId: `product of ${variantId}`,
    description: variantId,
    unit: 'UN',
    quantity: d(quantity),
    unitPrice: d(1),
    discount: d(0),
    total: d(total),
    lotCode: lotCode ?? null,
    goods: Object.entries(parts ?? { [variantId]: 1 }).map(([part, each]) => ({
      variantId: part,
      quantity: d(quantity).times(d(each)),
    })),
  }));
  return {
    type: 'completeSale',
    saleId,
    customerId: null,
    locationId: 'shop',
    occurredAt: NOON,
    occurredOn: NOON.slice(0, 10),
    lines: sold,
    payments: [],
    total: Decimal.sum(sold.map(({ total }) => total)),
    allowNegativeStock,
    knownCodes: undefined,
  };
};

type CommandOf<T extends InventoryCommand['type']> = Extract<InventoryCommand, { readonly type: T }>;

export const adjust = (
  variantId: string,
  quantity: number | string,
  item: Partial<CommandOf<'adjust'>['items'][number]> = {},
): InventoryCommand => ({
  type: 'adjust',
  adjustmentId: `adjustment of ${variantId} by ${String(quantity)}`,
  reason: 'count',
  locationId: 'shop',
  items: [{ variantId, quantity: d(quantity), unitCost: null, lot: null, newLotId: `found ${variantId}`, ...item }],
});

/** From the shop to its cellar, unless it says otherwise. */
export const transfer = (
  variantId: string,
  quantity: number | string,
  {
    lotCode,
    from = 'shop',
    to = 'cellar',
  }: { readonly lotCode?: string; readonly from?: string; readonly to?: string } = {},
): InventoryCommand => ({
  type: 'transfer',
  transferId: `transfer of ${variantId}`,
  fromLocationId: from,
  toLocationId: to,
  items: [{ variantId, quantity: d(quantity), lotCode: lotCode ?? null }],
  knownCodes: undefined,
});
