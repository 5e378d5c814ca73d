import { expect, test } from '@jest/globals';
import type { OrderDocument } from '../../projections/production/orders.js';
import { orderAfter, ordersProjector } from '../../projections/production/orders.js';
import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { givenProjection, recorded } from '../support/given-projection.js';
import { receive } from '../support/inventory-history.js';
import { ProductionHistory, makingOf, planOf, register } from '../support/production-history.js';

const oven = {
  name: 'Forno',
  required: false,
  workCenter: null,
  standardMinutes: null,
  laborRatePerHour: null,
};

const order = (events: readonly InventoryEvent[]): OrderDocument | undefined =>
  events.map((event, revision) => recorded(event, revision)).reduce<OrderDocument | undefined>(orderAfter, undefined);

test('what an order owed gets the lots that made it good, and its cost stays', () => {
  const store = new ProductionHistory();
  store.run(receive('flour', 'first', 1, 10));
  store.run(register('order', { needs: { flour: 4 } }, { batches: 2, allowNegativeStock: true }));
  store.run(receive('flour', 'second', 2, 50));
  store.run(receive('flour', 'third', 9, 50));
  const made = order(store.events.slice(1));
  const part = (lotId: string, quantity: number, cost: number, settledLater: boolean) => ({
    componentVariantId: 'flour',
    lotId,
    lotCode: null,
    plannedQty: 8,
    quantity,
    perBatch: quantity / 2,
    unitCost: 10,
    cost,
    settledLater,
  });
  expect(made?.consumptions).toEqual([
    part('first', 1, 10, false),
    part('second', 2, 20, true),
    part('third', 5, 50, true),
  ]);
  expect(made?.inputs).toEqual([{ componentVariantId: 'flour', plannedQty: 8, quantity: 8 }]);
  expect([made?.materialCost, made?.revisions, made?.revision]).toEqual([80, [0, 1, 2], 0]);
});

test('of what came in for several orders each gets its own', () => {
  const store = new ProductionHistory();
  store.run(receive('flour', 'first', 1, 10));
  store.run(register('order', { needs: { flour: 3 } }, { allowNegativeStock: true }));
  store.run(register('other', { needs: { flour: 4 } }, { allowNegativeStock: true }));
  store.run(receive('flour', 'second', 9, 10));
  const tookOf = (events: readonly InventoryEvent[]) =>
    order(events)?.consumptions.map(({ lotId, quantity }) => [lotId, quantity]);
  const [, one, other, receipt] = store.events as [InventoryEvent, InventoryEvent, InventoryEvent, InventoryEvent];
  expect(tookOf([one, receipt])).toEqual([
    ['first', 1],
    ['second', 2],
  ]);
  expect(tookOf([other, receipt])).toEqual([['second', 4]]);
});

test('a stage keeps who did it first, until it is undone', () => {
  const store = new ProductionHistory();
  store.run({ type: 'planOrder', orderId: 'order', plan: planOf({ needs: { flour: 1 }, stages: [oven] }) });
  const mark = (done: boolean, notes: string) =>
    store.run({ type: 'markStage', ...store.named('order'), stageId: 'stage 1', done, notes });
  mark(true, 'quente');
  mark(true, 'muito quente');
  const first = order(store.events)?.stages[0];
  expect(first).toMatchObject({ done: true, doneAt: '2026-01-01T00:00:01.000Z', notes: 'muito quente' });
  mark(false, 'apagado');
  expect(order(store.events)?.stages[0]).toMatchObject({ done: false, doneAt: null, doneBy: null, notes: 'apagado' });
});

test('planned and started orders count as planned of their product; others do not', () => {
  const store = new ProductionHistory();
  store.run(receive('flour', 'lot', 10, 1));
  const sketch = { needs: { flour: 1 }, gives: 4, lossPercent: 25 };
  for (const orderId of ['planned', 'started', 'cancelled', 'completed']) {
    store.run({ type: 'planOrder', orderId, plan: planOf(sketch, 2) });
  }
  store.run({ type: 'startOrder', ...store.named('started') });
  store.run({ type: 'cancelOrder', ...store.named('cancelled') });
  store.run({ type: 'completeOrder', ...store.named('completed'), making: makingOf('completed') });
  givenProjection(ordersProjector)
    .when(store.events)
    .thenTotals({ bread: { plannedQty: 12 } });
});

test('a reversal says what went back, and repeating it changes nothing', () => {
  const store = new ProductionHistory();
  store.run(receive('flour', 'lot', 10, 2));
  store.run(register('order', { needs: { flour: 3 } }));
  store.reverse('order');
  const facts = store.events.slice(1);
  const reversed = order(facts);
  expect(reversed).toMatchObject({
    status: 'REVERSED',
    reversals: [{ quantity: 1, fraction: 1, reason: 'engano', inputs: [{ lotId: 'lot', quantity: 3, cost: 6 }] }],
  });
  expect(orderAfter(reversed, recorded(facts[1] as InventoryEvent, 1))).toBe(reversed);
});
