import { describe, test } from '@jest/globals';
import { stockProjector } from '../../projections/inventory/stock.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { NOON } from '../support/given.js';
import { givenProjection } from '../support/given-projection.js';
import { productChanged, productCreated, productDeleted, variantOf } from '../support/product-events.js';
import { InventoryHistory, d, receive, sell, transfer } from '../support/inventory-history.js';
import { register } from '../support/production-history.js';

const given = givenProjection(stockProjector);

function moving(...commands: readonly InventoryCommand[]) {
  const history = new InventoryHistory();
  for (const command of commands) history.run(command);
  return history.events;
}

const shelf = { active: true, productType: 'MERCHANDISE' as const, isComposite: false };
const fresh = {
  variantId: 'p-v',
  productId: 'p',
  quantity: 0,
  averageCost: null,
  lotControlSince: null,
  produced: false,
  balances: {},
  firstMovedAt: null,
  shelf,
};

describe('the stock of a variant', () => {
  test('is nothing before it moves', () => {
    given.when([productCreated('p')]).then({ 'p-v': fresh });
  });

  test('is what its locations hold, at the average cost of its entries', () => {
    given
      .when([
        productCreated('p'),
        ...moving(
          receive('p-v', 'old', 10, 2),
          receive('p-v', 'new', 10, 4, { lotCode: 'L-1' }),
          transfer('p-v', 4),
          sell('s', [{ variantId: 'p-v', quantity: '2.5' }]),
        ),
      ])
      .then({
        'p-v': {
          ...fresh,
          quantity: 17.5,
          averageCost: 3,
          lotControlSince: '2026-01-01T00:00:02.000Z',
          balances: { shop: '13.5', cellar: '4' },
          firstMovedAt: '2026-01-01T00:00:01.000Z',
        },
      });
  });

  test('is negative while it is owed', () => {
    given.when([productCreated('p'), ...moving(sell('s', [{ variantId: 'p-v', quantity: 2 }], true))]).then({
      'p-v': { ...fresh, quantity: -2, balances: { shop: '-2' }, firstMovedAt: NOON },
    });
  });

  test('begins with what happened first, whenever that was told', () => {
    const told = moving(sell('s', [{ variantId: 'p-v', quantity: 2 }], true), receive('p-v', 'lot', 2, 1));
    given.when([productCreated('p'), ...told]).then({
      'p-v': {
        ...fresh,
        averageCost: 1,
        balances: { shop: '0' },
        firstMovedAt: '2026-01-01T00:00:02.000Z',
      },
    });
  });

  test('does not begin with an order that it was left out of', () => {
    const actualInputs = [{ componentVariantId: 'p-v', quantity: d(0), lotCode: null }];
    const at = '2026-01-01T00:00:01.000Z';
    const bread = { quantity: 1, averageCost: 0, lotControlSince: at, produced: true, balances: { shop: '1' } };
    given.when([productCreated('p'), ...moving(register('o', { needs: { 'p-v': 1 } }, { actualInputs }))]).then({
      'p-v': fresh,
      bread: { ...fresh, ...bread, variantId: 'bread', productId: null, firstMovedAt: at, shelf: null },
    });
  });

  test('goes with its variant and its product', () => {
    given
      .when([
        productCreated('p'),
        productCreated('q'),
        { type: 'VariantAdded', data: { productId: 'p', shelf, variant: variantOf('v2') } },
        { type: 'VariantRemoved', data: { productId: 'p', variantId: 'p-v' } },
        productDeleted('q'),
      ])
      .then({ v2: { ...fresh, variantId: 'v2' } });
  });
});

describe('the totals of the stock', () => {
  const stocked = (fields = {}) => [productCreated('p', fields), ...moving(receive('p-v', 'old', 10, 2))];

  test('count merchandise by where its product stands', () => {
    given.when(stocked()).thenTotals({ 'active MERCHANDISE': { stockQty: 10 } });
    given.when(stocked({ active: false })).thenTotals({ 'inactive MERCHANDISE': { stockQty: 10 } });
  });

  test('follow the product', () => {
    given
      .when([...stocked(), productChanged('p', { active: false })])
      .thenTotals({ 'inactive MERCHANDISE': { stockQty: 10 } });
  });

  test('leave kits and services out', () => {
    given.when(stocked({ isComposite: true })).thenTotals({});
    given.when(stocked({ productType: 'SERVICE' })).thenTotals({});
  });
});
