import { expect, test } from '@jest/globals';
import { inventory } from '../../../src/features/inventory/decider.js';
import type { InventoryCommand } from '../../../src/features/inventory/decider.js';
import { stockOf } from '../../../src/features/inventory/domain/state.js';
import { Decimal } from '../../../src/kernel/decimal.js';
import { NOON } from '../../support/given.js';

const d = (value: number | string): Decimal => Decimal.from(value);

/** A stock that commands have made. */
function stockAfter(...commands: readonly InventoryCommand[]) {
  let state = inventory.decider.initial;
  let revision = 0;
  for (const command of commands) {
    for (const event of inventory.decider.decide(state, command, NOON)) {
      state = inventory.decider.evolve(state, event, { revision: revision++, at: NOON });
    }
  }
  return state;
}

const receive = (quantity: number, unitCost: number, lotId: string): InventoryCommand => ({
  type: 'receive',
  receiptId: `receipt of ${lotId}`,
  locationId: 'shop',
  supplier: null,
  document: null,
  items: [{ lotId, variantId: 'flour', quantity: d(quantity), unitCost: d(unitCost), lotCode: null, expiresAt: null }],
});

const sell = (quantity: number, saleId: string, allowNegativeStock = false): InventoryCommand => ({
  type: 'completeSale',
  saleId,
  customerId: null,
  locationId: 'shop',
  occurredAt: NOON,
  occurredOn: '2026-11-21',
  lines: [
    {
      variantId: 'flour',
      productId: 'flour',
      description: 'Farinha',
      unit: 'KG',
      quantity: d(quantity),
      unitPrice: d(5),
      discount: d(0),
      total: d(quantity * 5),
      lotCode: null,
      goods: [{ variantId: 'flour', quantity: d(quantity) }],
    },
  ],
  payments: [],
  total: d(quantity * 5),
  allowNegativeStock,
  knownCodes: undefined,
});

test('a receipt onto negative stock of no cost gives the average its own cost', () => {
  const { pool, debts, lots } = stockOf(stockAfter(sell(2, 'first', true), receive(20, 3.3, 'new')), 'flour');
  expect(pool.last.toString()).toBe('3.3');
  expect(pool.quantity.toString()).toBe('18');
  expect(pool.value.toString()).toBe('59.4');
  expect(debts).toEqual([]);
  expect(lots[0]?.holdings[0]?.quantity.toString()).toBe('18');
});

test('the lot that entered first leaves first, and the last of it takes all the value that is left', () => {
  const state = stockAfter(receive(3, 3.3333333333, 'old'), receive(10, 25, 'new'), sell(1, 'a'), sell(1, 'b'));
  expect(stockOf(state, 'flour').lots[0]?.holdings[0]?.value.toString()).toBe('3.3333333333');
  const [event] = inventory.decider.decide(state, sell(2, 'c'), NOON);
  expect(event?.type === 'SaleCompleted' && event.data.lines[0]?.issues[0]?.takes).toMatchObject([
    { lotId: 'old', quantity: d(1), value: d('3.3333333333') },
    { lotId: 'new', quantity: d(1), value: d(25) },
  ]);
});
