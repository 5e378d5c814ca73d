import type { InventoryEvent, Issue } from '../../../src/features/inventory/events.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

/** What single facts say of goods. */

export class Amount {
  constructor(
    readonly quantity = Decimal.zero,
    readonly value = Decimal.zero,
  ) {}

  plus(quantity: Decimal, value: Decimal): Amount {
    return new Amount(this.quantity.plus(quantity), this.value.plus(value));
  }

  get isNothing(): boolean {
    return this.quantity.isZero && this.value.isZero;
  }
}

export class Sums extends Map<string, Amount> {
  add(key: string, quantity: Decimal, value = Decimal.zero): Amount {
    const sum = (this.get(key) ?? new Amount()).plus(quantity, value);
    this.set(key, sum);
    return sum;
  }
}

export function issuesOf(event: InventoryEvent): readonly Issue[] {
  switch (event.type) {
    case 'StockAdjusted':
    case 'StockTransferred':
      return event.data.issues;
    case 'SaleCompleted':
      return event.data.lines.flatMap(({ issues }) => issues);
    case 'OrderCompleted':
      return event.data.consumptions;
    case 'OrderReversed':
      return [event.data.output, ...event.data.byproducts].flatMap(({ issues }) => issues);
    default:
      return [];
  }
}

export const forgivenOf = (event: InventoryEvent) => {
  if (event.type === 'OrderReversed') return event.data.inputs.flatMap(({ forgiven }) => forgiven);
  if (event.type === 'SaleReturned' || event.type === 'SaleCancelled')
    return event.data.lines.flatMap(({ forgiven }) => forgiven);
  return [];
};

/** Which sale or order it is of. */
export function takerOf(event: InventoryEvent): string | undefined {
  if ('saleId' in event.data) return event.data.saleId;
  return 'orderId' in event.data ? event.data.orderId : undefined;
}
