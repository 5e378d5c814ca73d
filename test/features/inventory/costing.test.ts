import { beforeEach, expect, test } from '@jest/globals';
import { InventoryHistory, adjust, d, receive, sell, transfer } from '../../support/inventory-history.js';

/**
 * Costs of goods, with the numbers of mistakes that well-known systems made. Where the others are:
 *
 *  - loss raises the unit cost; by-product shares; several input lots: order-costs.test.ts
 *  - the component comes back to the lot at 25; the average unwound or left alone; what was recorded, not what the recipe says now:
 *    order-reversal.test.ts
 *  - graphs with loops: the tests of traceability
 */

let history: InventoryHistory;
beforeEach(() => {
  history = new InventoryHistory();
});

const sold = (quantity: number, saleId: string, mayOwe = false) =>
  sell(saleId, [{ variantId: 'flour', quantity }], mayOwe);
const average = () => history.stock('flour').pool.last.toString();

test('a receipt onto negative stock of no cost gives the average its own cost, and books the difference apart', () => {
  history.run(sold(2, 'first', true));
  const [event] = history.run(receive('flour', 'new', 20, 3.3));
  expect(event?.type === 'StockReceived' && event.data.entries[0]?.settlements).toMatchObject([
    { originKind: 'SALE', originId: 'first', line: 0, quantity: d(2), value: d('6.6'), provisional: d(0) },
  ]);
  const { pool, debts } = history.stock('flour');
  expect([pool.last, pool.quantity, pool.value].map(String)).toEqual(['3.3', '18', '59.4']);
  expect(debts).toEqual([]);
  expect(history.lots('flour')).toEqual({ new: ['18', '59.4'] });
});

test('a receipt that does not make up for negative stock gives the average its own cost too', () => {
  history.run(receive('flour', 'old', 1, 9));
  history.run(sold(6, 'first', true));
  history.run(receive('flour', 'new', 2, 4));
  expect([average(), history.stock('flour').pool.quantity.toString()]).toEqual(['4', '-3']);
  history.run(sold(1, 'second', true));
  expect(history.stock('flour').debts.map(({ quantity, value }) => [quantity.toString(), value.toString()])).toEqual([
    ['3', '27'],
    ['1', '4'],
  ]);
});

test('the lot that entered first leaves first, and the last of it takes all the value that is left', () => {
  history.run(receive('flour', 'old', 3, '3.3333333333'));
  history.run(receive('flour', 'new', 10, 25));
  history.run(sold(1, 'a'));
  history.run(sold(1, 'b'));
  expect(history.lots('flour')).toMatchObject({ old: ['1', '3.3333333333'] });
  const [event] = history.run(sold(2, 'c'));
  expect(event?.type === 'SaleCompleted' && event.data.lines[0]?.issues[0]?.takes).toMatchObject([
    { lotId: 'old', quantity: d(1), value: d('3.3333333333') },
    { lotId: 'new', quantity: d(1), value: d(25) },
  ]);
});

test('a third of ten leaves the lot to the last decimal', () => {
  history.run(receive('flour', 'only', 3, '3.3333333333'));
  history.run(
    adjust('flour', 1, {
      unitCost: d('0.0000000001'),
      lot: { lotId: 'only', lotCode: null, entered: 1, expiresAt: null },
    }),
  );
  expect(history.lots('flour')).toEqual({ only: ['4', '10'] });
  for (const saleId of ['a', 'b', 'c']) history.run(sold(1, saleId));
  expect(history.lots('flour')).toEqual({ only: ['1', '2.5'] });
});

test('the average moves with entries alone: not with issues, and not with transfers', () => {
  history.run(receive('flour', 'old', 10, 2));
  history.run(receive('flour', 'new', 5, 5));
  expect(average()).toBe('3');
  history.run(sold(4, 'a'));
  history.run(adjust('flour', -3));
  history.run(transfer('flour', 2));
  expect(average()).toBe('3');
  history.run(adjust('flour', 8, { unitCost: d(4) }));
  expect(average()).toBe('3.5');
});

test('what nobody named a cost for enters at the average so far', () => {
  history.run(receive('flour', 'old', 10, 2));
  history.run(sold(10, 'all'));
  history.run(receive('flour', 'new', 4, null));
  expect([average(), history.lots('flour')]).toEqual(['2', { new: ['4', '8'] }]);
});
