import { beforeEach, describe, expect, test } from '@jest/globals';
import { MOST_LOTS_TAKEN } from '../../../src/features/inventory/production/domain/completion.js';
import { foreseeReversal } from '../../../src/features/inventory/production/domain/reversal.js';
import { ALREADY_REVERSED, REVERSAL_BLOCKED } from '../../../src/features/inventory/rejections.js';
import { COMMAND_TOO_LARGE, Rejection } from '../../../src/kernel/events/rejection.js';
import { NOON } from '../../support/given.js';
import { d, receive, sell } from '../../support/inventory-history.js';
import { ProductionHistory, register } from '../../support/production-history.js';

let store: ProductionHistory;
beforeEach(() => {
  store = new ProductionHistory();
});

const soldBread = (saleId: string, quantity: number) => sell(saleId, [{ variantId: 'bread', quantity }]);
const breadBack = (saleId: string, quantity: number) =>
  ({
    type: 'returnSale',
    saleId,
    returnId: `return of ${saleId}`,
    reason: null,
    items: [{ variantId: 'bread', quantity: d(quantity) }],
    past: store.pastOf(saleId),
  }) as const;

const foresee = (orderId: string) => foreseeReversal(store.state, store.named(orderId), NOON);

function refusedWith(orderId: string, partial = false) {
  try {
    store.reverse(orderId, partial);
  } catch (error) {
    if (error instanceof Rejection) return { kind: error.kind, ...error.extra };
    throw error;
  }
  throw new Error('it was reversed');
}

describe('a reversal of everything', () => {
  test('brings each component back to the lot that it came from, at the cost it left with', () => {
    store.run(receive('flour', 'at 10', 1, 10));
    store.run(receive('flour', 'at 25', 1, 25));
    store.run(register('first', { needs: { flour: 1 } }));
    store.run(register('second', { needs: { flour: 1 } }));
    const { output } = store.reverse('second');
    expect(output.issues[0]?.takes[0]).toMatchObject({ lotId: 'second output', value: d(25) });
    expect(store.lots('flour')).toEqual({ 'at 25': ['1', '25'] });
    expect(store.lots('bread')).toEqual({ 'first output': ['1', '10'], 'second output': ['0', '0'] });
    expect(store.average('bread')).toBe('10');
    expect(store.average('flour')).toBe('25');
  });

  test('blocks the lot of the output, so that what comes back to it stays there', () => {
    store.run(receive('flour', 'lot', 10, 1));
    store.run(register('order', { needs: { flour: 1 }, gives: 4 }));
    store.run(soldBread('sale', 1));
    store.reverse('order', true);
    store.run(breadBack('sale', 1));
    expect(() => store.run(soldBread('again', 1))).toThrow();
    expect(store.lots('bread')).toEqual({ 'order output': ['1', '0.25'] });
  });

  test('takes by-products out of their lots as far as they last, and redoes their averages or says why not', () => {
    store.run(receive('flour', 'lot', 10, 8));
    store.run(receive('crumbs', 'older', 4, 1));
    const byproducts = [
      { variantId: 'crumbs', quantity: 2, share: 25 },
      { variantId: 'dust', quantity: 2, share: 0 },
    ];
    store.run(register('order', { needs: { flour: 1 }, byproducts }));
    store.run(sell('sale', [{ variantId: 'crumbs', quantity: 5 }]));
    const { byproducts: unmade } = store.reverse('order');
    expect(unmade).toMatchObject([
      { issues: [{ quantity: d(1) }], costReversal: { variantId: 'crumbs', status: 'SKIPPED' } },
      { issues: [{ quantity: d(2) }], costReversal: { variantId: 'dust', status: 'SKIPPED' } },
    ]);
    expect(unmade[0]?.costReversal.reason).toBe('Nothing would be left in stock');
    expect(store.lots('crumbs')).toEqual({});
  });

  test('unwinds the average: (Q·A − q·c) ÷ (Q − q)', () => {
    store.run(receive('bread', 'bought', 10, 2));
    store.run(receive('flour', 'lot', 10, 5));
    store.run(register('order', { needs: { flour: 4 }, gives: 5 }));
    const { costReversal } = store.reverse('order').output;
    expect(costReversal).toMatchObject({ status: 'REDONE', after: d(2) });
    expect(costReversal.before.toString()).toBe('2.6666666667');
    expect(store.average('bread')).toBe('2');
  });

  test('leaves the average as it is where nothing would be left', () => {
    store.run(receive('flour', 'lot', 10, 5));
    store.run(register('order', { needs: { flour: 1 } }));
    expect(store.reverse('order').output.costReversal).toMatchObject({ status: 'SKIPPED', before: d(5), after: d(5) });
  });

  test('redoes an average of which nothing is left, and leaves it where less than nothing would be', () => {
    store.run(receive('flour', 'lot', 10, 5));
    store.run(receive('bread', 'free', 5, 0));
    store.run(register('order', { needs: { flour: 4 }, gives: 5 }));
    expect(foresee('order').costReversal).toMatchObject({ status: 'REDONE', before: d(2), after: d(0) });
    store.run(soldBread('sale', 5));
    store.run(receive('bread', 'cheap', 5, 1));
    expect(store.reverse('order').output.costReversal).toMatchObject({
      status: 'SKIPPED',
      reason: 'The value left in stock would be negative',
      before: d('1.5'),
      after: d('1.5'),
    });
    expect(store.average('bread')).toBe('1.5');
  });

  test('takes an output that has expired, or was blocked', () => {
    store.run(receive('flour', 'lot', 10, 5));
    const { output } = store.fact(
      'OrderCompleted',
      register('expired', { needs: { flour: 1 } }, { outputExpiresAt: NOON }),
    );
    expect(foresee('expired').extent).toMatchObject({ remaining: d(1), available: d(0) });
    expect(store.reverse('expired').output.issues).toMatchObject([
      { quantity: d(1), takes: [output && { lotId: output.lotId }] },
    ]);
    const blocked = store.fact('OrderCompleted', register('blocked', { needs: { flour: 1 } })).output;
    if (!blocked) throw new Error('nothing was made');
    store.run({ type: 'block', lot: blocked, reason: 'test' });
    expect(store.reverse('blocked').output.issues).toMatchObject([{ quantity: d(1) }]);
    expect(store.lots('flour')).toEqual({ lot: ['10', '50'] });
  });

  test('finds the output wherever it lies', () => {
    store.run(receive('flour', 'lot', 10, 5));
    store.run(register('order', { needs: { flour: 1 }, gives: 3 }));
    store.run({
      type: 'transfer',
      transferId: 'transfer',
      fromLocationId: 'shop',
      toLocationId: 'cellar',
      items: [{ variantId: 'bread', quantity: d(1), lotCode: null }],
      knownCodes: undefined,
    });
    const { output, whole } = store.reverse('order');
    expect(output.issues.map(({ locationId, quantity }) => [locationId, quantity.toString()])).toEqual([
      ['shop', '2'],
      ['cellar', '1'],
    ]);
    expect(whole).toBe(true);
  });

  test('is possible once', () => {
    store.run(receive('flour', 'lot', 10, 5));
    store.run(register('order', { needs: { flour: 1 } }));
    store.reverse('order');
    expect(refusedWith('order')).toEqual({ kind: ALREADY_REVERSED });
    expect(refusedWith('order', true)).toEqual({ kind: ALREADY_REVERSED });
  });

  test('speaks of what was recorded, not of goods that were added to the lot', () => {
    store.run(receive('flour', 'lot', 10, 5));
    const { output } = store.fact('OrderCompleted', register('order', { needs: { flour: 1 }, gives: 2 }));
    const item = { variantId: 'bread', quantity: d(3), unitCost: d(1), lot: output, newLotId: 'new' };
    store.run({ type: 'adjust', adjustmentId: 'a', reason: 'count', locationId: 'shop', items: [item] });
    expect(foresee('order').extent).toMatchObject({ obtained: d(2), remaining: d(2), whole: true });
    store.reverse('order');
    expect(store.lots('bread')['order output']?.[0]).toBe('3');
  });
});

describe('when part of the output is gone', () => {
  const sketch = {
    needs: { flour: 3, salt: 1 },
    gives: 10,
    byproducts: [{ variantId: 'crumbs', quantity: 4, share: 10 }],
  };
  beforeEach(() => {
    store.run(receive('flour', 'lot', 10, '3.3333333333'));
    store.run(receive('salt', 'salt', 10, '0.7'));
    store.run(register('order', sketch));
    store.run(soldBread('sale', 4));
  });

  test('everything can no longer be reversed, but part of it', () => {
    expect(refusedWith('order')).toEqual({ kind: REVERSAL_BLOCKED, partialPossible: true });
    expect(foresee('order').extent).toEqual({
      obtained: d(10),
      remaining: d(6),
      available: d(6),
      reversed: d(0),
      whole: false,
    });
  });

  test('a partial reversal brings back that fraction of everything', () => {
    const { fraction, whole, inputs } = store.reverse('order', true);
    expect([fraction.toString(), whole]).toEqual(['0.6', false]);
    expect(inputs.map(({ entries }) => entries[0]?.quantity.toString())).toEqual(['1.8', '0.6']);
    expect(store.lots('crumbs')['order first by-product']?.[0]).toBe('1.6');
    expect(store.lots('bread')['order output']?.[0]).toBe('0');
  });

  test('what comes back later can be reversed later; the last reversal leaves no dust', () => {
    store.reverse('order', true);
    expect(refusedWith('order', true)).toEqual({ kind: REVERSAL_BLOCKED, partialPossible: false });
    store.run(breadBack('sale', 1));
    expect(foresee('order').extent).toMatchObject({ remaining: d(1), available: d(0), reversed: d(6), whole: false });
    expect(refusedWith('order')).toEqual({ kind: REVERSAL_BLOCKED, partialPossible: true });
    store.reverse('order', true);
    store.run(breadBack('sale', 3));
    expect(store.reverse('order', true).whole).toBe(true);
    expect(store.lots('flour')).toEqual({ lot: ['10', '33.333333333'] });
    expect(store.lots('salt')).toEqual({ salt: ['10', '7'] });
    expect(store.lots('crumbs')).toEqual({});
    expect(refusedWith('order', true)).toEqual({ kind: ALREADY_REVERSED });
  });

  test('every lot gets back what was taken of it, in whatever parts it comes', () => {
    store.run(receive('flour', 'newer', 10, 5));
    store.run(register('larger', { needs: { flour: 12 }, gives: 12 }));
    store.run(soldBread('more', 9)); // six of them of the larger order
    expect(store.reverse('larger', true).inputs[0]?.entries).toMatchObject([{ lotId: 'lot' }, { lotId: 'newer' }]);
    store.run(breadBack('more', 9));
    store.reverse('larger', true);
    expect(store.lots('flour')).toEqual({ lot: ['7', '23.3333333331'], newer: ['10', '50'] });
  });

  test('nothing can be reversed when all of it is', () => {
    store.run(soldBread('rest', 6));
    expect(refusedWith('order')).toEqual({ kind: REVERSAL_BLOCKED, partialPossible: false });
    const reason = 'Nothing of it is left in its lot';
    expect(foresee('order')).toMatchObject({ reversal: undefined, costReversal: { status: 'SKIPPED', reason } });
  });
});

test('an order that takes from more lots than its reversal could bring back at once is refused', () => {
  for (let number = 0; number <= MOST_LOTS_TAKEN; number++) store.run(receive('flour', `lot ${String(number)}`, 1, 10));
  expect(store.refusalOf(register('larger', { needs: { flour: MOST_LOTS_TAKEN + 1 } }))).toBe(COMMAND_TOO_LARGE);
  store.run(register('large', { needs: { flour: MOST_LOTS_TAKEN } }));
  expect(store.reverse('large').inputs[0]?.entries).toHaveLength(MOST_LOTS_TAKEN);
});

test('a total loss cannot be reversed', () => {
  store.run(receive('flour', 'lot', 10, 5));
  store.run(register('order', { needs: { flour: 1 } }, { actualOutputQty: d(0) }));
  expect(refusedWith('order')).toEqual({ kind: REVERSAL_BLOCKED, partialPossible: false });
  expect(refusedWith('order', true)).toEqual({ kind: REVERSAL_BLOCKED, partialPossible: false });
});

describe('what an order owed', () => {
  beforeEach(() => {
    store.run(receive('flour', 'first', 4, 10));
    store.run(register('order', { needs: { flour: 10 }, gives: 10 }, { allowNegativeStock: true }));
  });

  test('is no longer owed once the order is reversed', () => {
    const { inputs } = store.reverse('order');
    expect(inputs[0]?.forgiven).toMatchObject([{ quantity: d(6), value: d(60), balance: d(0) }]);
    expect(inputs[0]?.entries).toMatchObject([{ lotId: 'first', quantity: d(4), value: d(40) }]);
    expect(store.stock('flour').debts).toEqual([]);
    expect(store.lots('flour')).toEqual({ first: ['4', '40'] });
  });

  test('goes back to the lot that made it good, at the cost of that lot', () => {
    store.run(receive('flour', 'second', 8, 12));
    store.reverse('order');
    expect(store.lots('flour')).toEqual({ first: ['4', '40'], second: ['8', '96'] });
  });

  test('shrinks first when part of the order is reversed', () => {
    store.run(soldBread('sale', 5));
    const { inputs } = store.reverse('order', true);
    expect(inputs[0]?.forgiven).toMatchObject([{ quantity: d(5) }]);
    expect(inputs[0]?.entries).toEqual([]);
    expect(store.stock('flour').debts).toMatchObject([{ quantity: d(1) }]);
    store.run(receive('flour', 'second', 3, 12));
    store.run(breadBack('sale', 5));
    expect(store.reverse('order', true).inputs[0]?.forgiven).toEqual([]);
    expect(store.lots('flour')).toEqual({ first: ['4', '40'], second: ['3', '36'] });
  });

  test('may be made good by the reversal of another order, which is none of its own', () => {
    store = new ProductionHistory();
    store.run(receive('flour', 'first', 10, 10));
    store.run(register('earlier', { needs: { flour: 4 } }));
    store.run(register('order', { needs: { flour: 10 } }, { allowNegativeStock: true }));
    store.reverse('earlier');
    expect([store.stock('flour').debts, store.lots('flour')]).toEqual([[], {}]);
    // Twice from the same lot, to which it goes back at once.
    expect(store.reverse('order').inputs[0]?.entries).toMatchObject([{ lotId: 'first', quantity: d(10) }]);
    expect(store.lots('flour')).toEqual({ first: ['10', '100'] });
  });

  test('may have been made good in two parts', () => {
    store.run(receive('flour', 'second', 2, 12));
    store.run(receive('flour', 'third', 9, '11.1111111111'));
    store.reverse('order');
    expect(store.lots('flour')).toEqual({ first: ['4', '40'], second: ['2', '24'], third: ['9', '99.9999999999'] });
  });
});
