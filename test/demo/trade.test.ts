import { describe, expect, test } from '@jest/globals';
import type { Trader } from '../../src/demo/trade.js';
import { DAYS, trade } from '../../src/demo/trade.js';
import { toIso } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { InventoryHistory } from '../support/inventory-history.js';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const STORE = newId(NOW);
const trader = (until = NOW): Trader => ({
  storeId: STORE,
  locationId: 'shop',
  customerIds: ['a', 'b'],
  timeZone: 'America/Sao_Paulo',
  until,
  variantIdOf: (sku) => sku,
  productIdOf: (sku) => sku,
});

/** What the stock records when all of it happens. */
function recorded(): InventoryHistory {
  const history = new InventoryHistory();
  for (const happening of trade(trader())) {
    const at = toIso(happening.at);
    if ('command' in happening) history.run(happening.command, at);
    else if ('cancels' in happening) {
      const saleId = happening.cancels;
      history.run({ type: 'cancelSale', saleId, reason: 'engano', past: history.pastOf(saleId) }, at);
    } else {
      const { returns: saleId, returnId, variantId, quantity } = happening;
      const past = history.pastOf(saleId);
      history.run({ type: 'returnSale', saleId, returnId, reason: null, items: [{ variantId, quantity }], past }, at);
    }
  }
  return history;
}

describe('the days of the demonstration', () => {
  test('can all happen, one fact each, with nothing sold that is not there', () => {
    const { events, state } = recorded();
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(events).toHaveLength([...trade(trader())].length);
    expect(count('StockReceived')).toBeGreaterThanOrEqual(DAYS);
    expect(count('SaleCompleted')).toBeGreaterThan(DAYS * 20);
    expect(Math.min(count('SaleReturned'), count('SaleCancelled'))).toBeGreaterThan(5);
    expect([...state.variants.values()].flatMap(({ debts }) => debts)).toEqual([]);
  });

  test('are the same for the same store, in the order of time, none later than its making', () => {
    const times = [...trade(trader())].map(({ at }) => at);
    expect(times.every((at, index) => at >= (times[index - 1] ?? 0))).toBe(true);
    expect(times.at(-1)).toBeLessThanOrEqual(NOW);
    expect(times[0]).toBeLessThan(NOW - (DAYS - 1) * 86_400_000);
    expect(JSON.stringify([...trade(trader())])).toBe(JSON.stringify([...trade(trader())]));
  });

  test('pay their sales in many ways, customers and kits among them', () => {
    const sales = [...trade(trader())].flatMap((one) =>
      'command' in one && one.command.type === 'completeSale' ? [one.command] : [],
    );
    const methods = new Set(sales.flatMap(({ payments }) => payments.map(({ method }) => method)));
    expect([...methods].sort()).toEqual(['CASH', 'CREDIT', 'DEBIT', 'PIX']);
    for (const { payments, total } of sales) {
      expect(payments.reduce((sum, { amount }) => sum.plus(amount), total.minus(total))).toEqual(total);
    }
    expect(sales.some(({ customerId }) => customerId === 'a')).toBe(true);
    expect(sales.some(({ lines }) => lines.some(({ goods }) => goods.length > 1))).toBe(true);
  });
});
