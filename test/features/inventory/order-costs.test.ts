import { describe, expect, test } from '@jest/globals';
import type { InventoryFact } from '../../../src/features/inventory/events.js';
import { valueOf } from '../../../src/features/inventory/ledger/taking.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { d, receive } from '../../support/inventory-history.js';
import type { RecipeSketch } from '../../support/production-history.js';
import { ProductionHistory, register } from '../../support/production-history.js';

type Completed = InventoryFact<'OrderCompleted'>;

/** A store that has received enough of each input at its unit cost. */
function stocked(costs: Readonly<Record<string, number | string>>): ProductionHistory {
  const store = new ProductionHistory();
  for (const [variantId, unitCost] of Object.entries(costs))
    store.run(receive(variantId, `lot of ${variantId}`, 1_000, unitCost));
  return store;
}

const made = (
  store: ProductionHistory,
  sketch: RecipeSketch,
  options: Parameters<typeof register>[2] = {},
  orderId = 'order',
): Completed => store.fact('OrderCompleted', register(orderId, sketch, options));

function expectBalanced({ consumptions, laborCost, productCost, byproducts, roundingDifference }: Completed): void {
  const left = Decimal.sum(consumptions.map(valueOf)).plus(laborCost);
  const right = Decimal.sum([productCost, ...byproducts.map(({ value }) => value), roundingDifference]);
  expect(left.toString()).toBe(right.toString());
}

const stage = (standardMinutes: number, laborRatePerHour: number) => ({
  name: 'Forno',
  required: false,
  workCenter: null,
  standardMinutes: d(standardMinutes),
  laborRatePerHour: d(laborRatePerHour),
});

describe('the costs of an order', () => {
  test('13,521.26 for 97 planned and 96 obtained is 140.8464583333 each', () => {
    const order = made(stocked({ flour: '13521.26' }), { needs: { flour: 1 }, gives: 97 }, { actualOutputQty: d(96) });
    expect(order.nominalQty.toString()).toBe('97');
    expect(order.materialCost.toString()).toBe('13521.26');
    expect(order.unitCost?.toString()).toBe('140.8464583333');
    expect(order.output?.value.toString()).toBe('13521.26');
  });

  test('are rounded once, and the parts of the material cost add up', () => {
    const third = '0.3333333333';
    const order = made(stocked({ a: third, b: third, c: third }), { needs: { a: 1, b: 1, c: 1 } });
    expect(order.materialCost.toString()).toBe('1');
    expect(order.consumptions.map(({ takes }) => takes[0]?.cost.toString())).toEqual(['0.34', '0.33', '0.33']);
    expect(order.roundingDifference.toString()).toBe('-0.0000000001');
    expectBalanced(order);
  });

  test('hold the labour of the stages for all batches', () => {
    const stages = [stage(20, 30), stage(1, 0.5), { ...stage(1, 1), laborRatePerHour: null }];
    const order = made(stocked({ flour: 2 }), { needs: { flour: 1 }, stages }, { batches: '1.5' });
    expect(order.laborCost.toString()).toBe('15.01');
    expect(order.totalCost.toString()).toBe('18.01');
    expectBalanced(order);
  });

  test('are shared with by-products in cents; the product takes the remainder, and 0 % is a share', () => {
    const byproducts = [
      { variantId: 'crumbs', quantity: 1, share: 33.3333 },
      { variantId: 'dust', quantity: 1, share: 0 },
    ];
    const order = made(stocked({ flour: 10 }), { needs: { flour: 1 }, byproducts });
    expect(order.byproducts.map(({ value }) => value.toString())).toEqual(['3.33', '0']);
    expect(order.productCost.toString()).toBe('6.67');
    expectBalanced(order);
  });

  test('of a cent leave nothing negative', () => {
    const byproducts = [
      { variantId: 'crumbs', quantity: 1, share: 50 },
      { variantId: 'dust', quantity: 1, share: 49.99 },
    ];
    const order = made(stocked({ flour: 0.01 }), { needs: { flour: 1 }, byproducts });
    expect([...order.byproducts.map(({ value }) => value), order.productCost].map(String)).toEqual(['0.01', '0', '0']);
  });

  test('of which a by-product too small to enter takes none', () => {
    const byproducts = [{ variantId: 'crumbs', quantity: 0.000001, share: 50 }];
    const order = made(stocked({ flour: 10 }), { needs: { flour: 1 }, byproducts }, { batches: '0.1' });
    expect(order.byproducts).toEqual([]);
    expect(order.productCost.toString()).toBe('1');
  });

  test('of a total loss have no unit cost and no lot', () => {
    const store = stocked({ flour: 10 });
    const order = made(store, { needs: { flour: 1 } }, { actualOutputQty: d(0) });
    expect([order.unitCost, order.output]).toEqual([null, null]);
    expect(order.productCost.toString()).toBe('10');
    expectBalanced(order);
    expect(store.lots('bread')).toEqual({});
  });

  test('of a by-product that was an input as well enter onto what the order left of it', () => {
    const byproducts = [{ variantId: 'dough', quantity: 1, share: 50 }];
    const order = made(stocked({ dough: 2 }), { needs: { dough: 997 }, byproducts });
    expect(order.consumptions[0]?.balance.toString()).toBe('3');
    // 3 at 2, and 1 at 997.
    expect(order.byproducts).toMatchObject([{ balance: d(4), value: d(997), averageCost: d('250.75') }]);
  });

  test('of free inputs are nothing', () => {
    const order = made(stocked({ water: 0 }), { needs: { water: 3 } });
    expect(order.consumptions[0]?.takes[0]?.cost.toString()).toBe('0');
    expect(order.unitCost?.toString()).toBe('0');
  });

  test('name every lot that was used, each at its own cost', () => {
    const store = new ProductionHistory();
    store.run(receive('flour', 'old', 3, 10));
    store.run(receive('flour', 'new', 5, 25));
    const order = made(store, { needs: { flour: 4 } });
    expect(order.consumptions[0]?.takes).toMatchObject([
      { lotId: 'old', quantity: d(3), value: d(30), cost: d(30) },
      { lotId: 'new', quantity: d(1), value: d(25), cost: d(25) },
    ]);
    expect(order.materialCost.toString()).toBe('55');
  });

  test('are those of the lots that expire first, where a product is issued by expiry', () => {
    const store = new ProductionHistory();
    store.run(receive('flour', 'late', 1, 10, { expiresAt: '2026-12-20T03:00:00.000Z' }));
    store.run(receive('flour', 'soon', 1, 25, { expiresAt: '2026-12-10T03:00:00.000Z' }));
    const takes = (expiryFirst: ReadonlySet<string>, orderId: string) =>
      made(store, { needs: { flour: '0.5' } }, { expiryFirst }, orderId).consumptions[0]?.takes;
    expect(takes(new Set(['flour']), 'by expiry')).toMatchObject([{ lotId: 'soon' }]);
    expect(takes(new Set(['salt']), 'by entry')).toMatchObject([{ lotId: 'late' }]);
  });

  test('count what was owed at the last known cost', () => {
    const store = new ProductionHistory();
    store.run(receive('flour', 'lot', 1, 4));
    const order = made(store, { needs: { flour: 3 } }, { allowNegativeStock: true });
    expect(order.consumptions[0]?.debt).toMatchObject({ quantity: d(2), value: d(8), cost: d(8) });
    expect(order.materialCost.toString()).toBe('12');
    expectBalanced(order);
  });
});

describe('the quantities of an order', () => {
  test('add the loss of an input to its need, rounded to six decimals', () => {
    const store = stocked({ flour: 1 });
    const sketch = register('order', { needs: { flour: 2 } }, { batches: 5 });
    const items = sketch.plan.recipe.items.map((item) => ({ ...item, lossPercent: d(3) }));
    const plan = { ...sketch.plan, recipe: { ...sketch.plan.recipe, items } };
    const order = store.fact('OrderCompleted', { ...sketch, plan });
    expect(order.consumptions[0]?.quantity.toString()).toBe('10.309278');
  });

  test('expect the nominal output without the loss of the process', () => {
    const order = made(stocked({ flour: 1 }), { needs: { flour: 1 }, gives: 12, lossPercent: 2.5 }, { batches: 3 });
    expect([order.nominalQty, order.expectedQty, order.actualOutputQty].map(String)).toEqual(['36', '35.1', '35.1']);
  });
});

describe('what was really used', () => {
  const inputs = (...given: readonly (readonly [string, number, string?])[]) => ({
    actualInputs: given.map(([componentVariantId, quantity, lotCode = null]) => ({
      componentVariantId,
      quantity: d(quantity),
      lotCode,
    })),
  });
  const usedIn = ({ consumptions }: Completed) =>
    consumptions.map(({ variantId, quantity, plannedQty }) => [variantId, String(quantity), plannedQty?.toString()]);

  test('takes the place of the need; inputs that nobody names keep theirs', () => {
    const needs = { flour: 4, salt: 1, water: 2 };
    const order = made(stocked({ flour: 3, salt: 5, water: 0 }), { needs }, inputs(['flour', 4.5], ['water', 0]));
    expect(usedIn(order)).toEqual([
      ['flour', '4.5', '4'],
      ['salt', '1', undefined],
      ['water', '0', '2'],
    ]);
    expect(order.materialCost.toString()).toBe('18.5');
    expectBalanced(order);
  });

  test('may come from several lots that are named', () => {
    const store = new ProductionHistory();
    store.run(receive('flour', 'first', 5, 1, { lotCode: 'A' }));
    store.run(receive('flour', 'second', 5, 2, { lotCode: 'B' }));
    const order = made(store, { needs: { flour: 3 } }, inputs(['flour', 2, 'b'], ['flour', 1.5, 'A']));
    expect(usedIn(order)).toEqual([
      ['flour', '2', '3'],
      ['flour', '1.5', '0'],
    ]);
    expect(store.lots('flour')).toEqual({ first: ['3.5', '3.5'], second: ['3', '6'] });
    store.reverse('order');
    expect(store.lots('flour')).toEqual({ first: ['5', '5'], second: ['5', '10'] });
  });

  test('is refused of what is no input, or has no such lot', () => {
    const store = stocked({ flour: 1, sugar: 1 });
    const needs = { flour: 1 };
    expect(store.refusalOf(register('order', { needs }, inputs(['sugar', 1]))).code).toBe('NOT_FOUND');
    expect(store.refusalOf(register('order', { needs }, inputs(['flour', 1, 'Z']))).code).toBe('LOT_NOT_FOUND');
    expect(store.refusalOf(register('order', { needs }, inputs(['flour', 1_001]))).code).toBe('INSUFFICIENT_STOCK');
  });
});
