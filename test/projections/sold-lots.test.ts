import { expect, test } from '@jest/globals';
import { lotCodesProjector } from '../../projections/inventory/lot-codes.js';
import { soldLotsProjector } from '../../projections/traceability/sold-lots.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { NOON } from '../support/given.js';
import { givenProjection, recorded } from '../support/given-projection.js';
import { documentsOf, sumsOf } from '../support/projected.js';
import type { Line } from '../support/inventory-history.js';
import { InventoryHistory, d, receive, sell } from '../support/inventory-history.js';

/** What sales took of lots, which a recall looks for, and the codes that lots ever had. */

const bread = (quantity: number): Line => ({ variantId: 'bread', quantity });
const sellTo = (customerId: string, saleId: string, ...lines: readonly Line[]): InventoryCommand =>
  ({ ...sell(saleId, lines, true), customerId }) as InventoryCommand;

const soldAfter = ({ events }: InventoryHistory) =>
  documentsOf(
    soldLotsProjector,
    events.map((event, revision) => recorded(event, revision)),
  );

const returned = (history: InventoryHistory, saleId: string, quantity: number) =>
  history.run({
    type: 'returnSale',
    saleId,
    returnId: `${String(quantity)} of ${saleId}`,
    reason: 'velho',
    past: history.pastOf(saleId),
    items: [{ variantId: 'bread', quantity: d(quantity) }],
  });

test('a lot is found in the sales that it made good later, and in what came back only as much as did', () => {
  const history = new InventoryHistory();
  const sold = (saleId: string, customerId: string, lines: readonly (readonly unknown[])[]) => ({
    [saleId]: { saleId, customerId, soldAt: NOON, lines },
  });
  history.run(receive('bread', 'first', 3, 5));
  history.run(sellTo('Ana', 's', bread(2), bread(3)));
  history.run(sellTo('Bia', 't', bread(1)));
  history.run(sellTo('Caio', 'u', bread(1)));
  history.run(receive('bread', 'second', 3, 7));
  const t = sold('t', 'Bia', [[0, 'second', 'bread', 'shop', '1', '0']]);
  const taken = (first: string, second: string) =>
    sold('s', 'Ana', [
      [0, 'first', 'bread', 'shop', '2', '0'],
      [1, 'first', 'bread', 'shop', '1', first],
      [1, 'second', 'bread', 'shop', '2', second],
    ]);
  expect(soldAfter(history)).toEqual({ ...taken('0', '0'), ...t });

  for (const quantity of [2, 1]) returned(history, 's', quantity);
  // What came back first makes the last debt good.
  const u = sold('u', 'Caio', [[0, 'second', 'bread', 'shop', '1', '0']]);
  expect(soldAfter(history)).toEqual({ ...taken('1', '2'), ...t, ...u });

  history.run({ type: 'cancelSale', saleId: 't', reason: 'engano', past: history.pastOf('t') });
  const left = soldAfter(history);
  expect(left).toEqual({ ...taken('1', '2'), ...u });
  expect(sumsOf(soldLotsProjector, Object.values(left))).toEqual({
    first: { sales: 1, lines: 2, quantity: 3, returned: 1 },
    second: { sales: 2, lines: 2, quantity: 3, returned: 2 },
  });
});

test('a line takes of a lot once, however often something of it came back for that', () => {
  const history = new InventoryHistory();
  history.run(receive('bread', 'lot', 3, 5));
  for (const saleId of ['t', 'u']) history.run(sellTo('Bia', saleId, bread(1)));
  history.run(sellTo('Ana', 's', bread(3)));
  for (const saleId of ['t', 'u']) returned(history, saleId, 1);
  expect(soldAfter(history)).toMatchObject({
    s: { lines: [[0, 'lot', 'bread', 'shop', '3', '0']] },
    u: { lines: [[0, 'lot', 'bread', 'shop', '1', '1']] },
  });
});

test('what a cancelled sale gives back is found in the sale that it makes good', () => {
  const history = new InventoryHistory();
  history.run(receive('bread', 'lot', 1, 5));
  history.run(sellTo('Ana', 's', bread(2)));
  history.run(sellTo('Bia', 't', bread(1)));
  history.run({ type: 'cancelSale', saleId: 's', reason: 'engano', past: history.pastOf('s') });
  const lines = [[0, 'lot', 'bread', 'shop', '1', '0']];
  expect(soldAfter(history)).toEqual({ t: { saleId: 't', customerId: 'Bia', soldAt: NOON, lines } });
});

test('a code is known of its variant since the first lot that had it, however it is written', () => {
  const history = new InventoryHistory();
  history.run(receive('bread', 'one', 1, 5, { lotCode: 'P-1' }));
  history.run(receive('bread', 'again', 1, 5, { lotCode: 'p-1' }));
  history.run(receive('cake', 'other', 1, 5, { lotCode: 'P-1' }));
  history.run(receive('cake', 'bare', 1, 5));
  const [first, , third] = [0, 1, 2].map((second) => ({ since: `2026-01-01T00:00:0${String(second)}.000Z` }));
  givenProjection(lotCodesProjector)
    .when(history.events)
    .then({ 'bread p-1': first ?? {}, 'cake p-1': third ?? {} });
});
