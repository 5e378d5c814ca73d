import { describe, expect, test } from '@jest/globals';
import type { SaleDocument } from '../../projections/sales/sales.js';
import { salesProjector } from '../../projections/sales/sales.js';
import { givenProjection } from '../support/given-projection.js';
import { InventoryHistory, d, receive, sell } from '../support/inventory-history.js';

/** The documents of sales as commands make them. */
function lifeOf(history: InventoryHistory, last: Readonly<Record<string, Partial<SaleDocument>>>): void {
  const documents = Object.fromEntries(
    Object.entries(last).map(([id, document]) => [
      id,
      expect.objectContaining({ id, ...document }) as unknown as object,
    ]),
  );
  givenProjection(salesProjector).when(history.events).then(documents);
}

const lot = (variantId: string, lotId: string, quantity: number) => ({ variantId, lotId, lotCode: null, quantity });

describe('a sale', () => {
  test('says what it took of which lot, and every revision that touched it', () => {
    const history = new InventoryHistory();
    history.run(receive('bread', 'first', 2, 5));
    history.run(sell('s', [{ variantId: 'bread', quantity: 5, total: 10 }], true));
    history.run(receive('bread', 'second', 2, 7));
    history.run(receive('cake', 'other', 2, 7));
    history.run({
      type: 'returnSale',
      saleId: 's',
      returnId: 'r',
      reason: 'velho',
      past: history.pastOf('s'),
      items: [{ variantId: 'bread', quantity: d(2) }],
    });
    const lots = [
      { ...lot('bread', 'first', 2), settledLater: false },
      { ...lot('bread', 'second', 2), settledLater: true },
    ];
    const item = { variantId: 'bread', returnedQuantity: 2, lots, owed: [] };
    const back = { line: 0, variantId: 'bread', quantity: 2, total: 4, lots: [lot('bread', 'second', 1)] };
    lifeOf(history, {
      s: {
        status: 'COMPLETED',
        items: [expect.objectContaining(item)] as unknown as SaleDocument['items'],
        returns: [{ id: 'r', at: '2026-01-01T00:00:04.000Z', reason: 'velho', total: 4, items: [back] }],
        returnedTotal: 4,
        updatedAt: '2026-01-01T00:00:04.000Z',
        revision: 4,
        revisions: [1, 2, 4],
        costs: ['17'], // 2 at 5 and 1 at 7: one of 7 came back, and one that was owed at 5
      },
    });
  });

  test('is not changed by what settles its debts, but remembers it', () => {
    const history = new InventoryHistory();
    history.run(sell('s', [{ variantId: 'bread', quantity: 2 }], true));
    history.run(receive('bread', 'lot', 1, 5));
    lifeOf(history, { s: { updatedAt: '2026-01-01T00:00:00.000Z', revision: 0, revisions: [0, 1] } });
  });

  test('has on each line what came in for that, and what of it came back, which makes another line good', () => {
    const history = new InventoryHistory();
    const goods = { bread: 3, cake: 1 };
    history.run(
      sell(
        's',
        [
          { variantId: 'bread', quantity: 2 },
          { variantId: 'kit', quantity: 1, parts: goods },
        ],
        true,
      ),
    );
    history.run(sell('t', [{ variantId: 'bread', quantity: 1 }], true));
    history.run(receive('bread', 'lot', 4, 5));
    history.run({
      type: 'returnSale',
      saleId: 's',
      returnId: 'r',
      reason: null,
      past: history.pastOf('s'),
      items: [{ variantId: 'bread', quantity: d(1) }],
    });
    const settled = (quantity: number) => [{ ...lot('bread', 'lot', quantity), settledLater: true }];
    const items = [
      { returnedQuantity: 1, lots: settled(2), owed: [] },
      { returnedQuantity: 0, lots: settled(3), owed: [{ variantId: 'cake', quantity: 1 }] },
    ].map((item) => expect.objectContaining(item) as unknown as SaleDocument['items'][number]);
    lifeOf(history, { s: { items }, t: {} });
  });

  test('that is cancelled owes nothing, and settles what others owe', () => {
    const history = new InventoryHistory();
    history.run(receive('bread', 'lot', 1, 5));
    history.run(sell('s', [{ variantId: 'bread', quantity: 2 }], true));
    history.run(sell('t', [{ variantId: 'bread', quantity: 1 }], true));
    history.run({ type: 'cancelSale', saleId: 's', reason: 'engano', past: history.pastOf('s') });
    const settled = { owed: [], lots: [{ ...lot('bread', 'lot', 1), settledLater: true }] };
    lifeOf(history, {
      s: {
        status: 'CANCELLED',
        cancelReason: 'engano',
        cancelledAt: '2026-01-01T00:00:03.000Z',
        revisions: [1, 3],
        costs: ['0'],
      },
      t: { items: [expect.objectContaining(settled)] as unknown as SaleDocument['items'], revisions: [2, 3] },
    });
  });
});
