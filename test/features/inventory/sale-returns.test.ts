import { beforeEach, describe, expect, test } from '@jest/globals';
import type { InventoryCommand } from '../../../src/features/inventory/decider.js';
import type { History } from '../../../src/features/inventory/ledger/touched-revisions.js';
import { HistoryOutdated } from '../../../src/features/inventory/ledger/known-history.js';
import type { InventoryEvent, InventoryFact } from '../../../src/features/inventory/events.js';
import { SALE_CANCELLED } from '../../../src/features/contracts/sales-to-tax.js';
import { RETURN_EXCEEDS_SOLD, SALE_FULLY_RETURNED } from '../../../src/features/inventory/rejections.js';
import { Map as ImmutableMap } from 'immutable';
import { NOT_FOUND } from '../../../src/kernel/events/rejection.js';
import { InventoryHistory, d, receive, sell } from '../../support/inventory-history.js';

let history: InventoryHistory;
beforeEach(() => {
  history = new InventoryHistory();
});

const giveBack = (saleId: string, items: Readonly<Record<string, number | string>>): InventoryCommand => ({
  type: 'returnSale',
  saleId,
  returnId: `return of ${saleId}`,
  reason: null,
  items: Object.entries(items).map(([variantId, quantity]) => ({ variantId, quantity: d(quantity) })),
  past: history.pastOf(saleId),
});
const cancel = (saleId: string): InventoryCommand => ({
  type: 'cancelSale',
  saleId,
  reason: 'engano',
  past: history.pastOf(saleId),
});

function fact<T extends InventoryEvent['type']>(type: T, events: readonly InventoryEvent[]): InventoryFact<T> {
  const [event] = events;
  if (event?.type !== type) throw new Error(`recorded ${String(event?.type)}`);
  return event.data as InventoryFact<T>;
}
const returned = (events: readonly InventoryEvent[]) => fact('SaleReturned', events);
const cancelled = (events: readonly InventoryEvent[]) => fact('SaleCancelled', events);

describe('what is returned', () => {
  test('goes back to the lots that it came from, the last taken first, with the value that left', () => {
    history.run(receive('bread', 'old', 3, '3.3333333333'));
    history.run(receive('bread', 'new', 10, 25));
    history.run(sell('s', [{ variantId: 'bread', quantity: 5 }]));
    const { lines } = returned(history.run(giveBack('s', { bread: 3 })));
    expect(lines[0]?.entries).toMatchObject([
      { lotId: 'new', quantity: d(2), value: d(50) },
      { lotId: 'old', quantity: d(1), value: d('3.3333333333') },
    ]);
    expect(history.lots('bread')).toEqual({ old: ['1', '3.3333333333'], new: ['10', '250'] });
    const rest = returned(history.run(giveBack('s', { bread: 2 })));
    expect(rest.lines[0]?.entries).toMatchObject([{ lotId: 'old', quantity: d(2) }]);
    expect(history.lots('bread')).toEqual({ old: ['3', '9.9999999999'], new: ['10', '250'] });
  });

  test('is paid back in shares of the line that add up to it', () => {
    history.run(receive('bread', 'lot', 3, 1));
    history.run(sell('s', [{ variantId: 'bread', quantity: 3, total: 10 }]));
    const totals = [1, 1, 1].map((quantity) =>
      returned(history.run(giveBack('s', { bread: quantity }))).total.toString(),
    );
    expect(totals).toEqual(['3.33', '3.34', '3.33']);
  });

  test('brings the value of a lot back to the last decimal in whatever parts it comes', () => {
    history.run(receive('bread', 'lot', 7, '1.4285714285'));
    history.run(sell('s', [{ variantId: 'bread', quantity: 7 }]));
    for (const quantity of ['0.333333', '2.1', '4.566667']) history.run(giveBack('s', { bread: quantity }));
    expect(history.lots('bread')).toEqual({ lot: ['7', '9.9999999995'] });
    expect(history.refusalOf(giveBack('s', { bread: '0.000001' }))).toBe(RETURN_EXCEEDS_SOLD);
  });

  test('is spread over the lines of its variant, the last line first', () => {
    history.run(receive('bread', 'lot', 10, 1));
    history.run(
      sell('s', [
        { variantId: 'bread', quantity: 2, total: 20 },
        { variantId: 'bread', quantity: 3, total: 15 },
      ]),
    );
    const { lines, total } = returned(history.run(giveBack('s', { bread: 4 })));
    expect(lines).toMatchObject([
      { line: 1, quantity: d(3), total: d(15) },
      { line: 0, quantity: d(1), total: d(10) },
    ]);
    expect(total).toEqual(d(25));
  });

  test('of a kit is its parts in proportion, whatever the rounding', () => {
    history.run(receive('flour', 'f', 10, 2));
    history.run(receive('egg', 'e', 10, 1));
    history.run(sell('s', [{ variantId: 'kit', quantity: 3, parts: { flour: '0.333333', egg: 2 } }]));
    for (const quantity of ['0.7', '0.3', 2]) history.run(giveBack('s', { kit: quantity }));
    expect([history.lots('flour'), history.lots('egg')]).toEqual([{ f: ['10', '20'] }, { e: ['10', '10'] }]);
  });

  test('of a service is money alone', () => {
    history.run(sell('s', [{ variantId: 'cake art', quantity: 2, total: 50, parts: {} }]));
    const { lines } = returned(history.run(giveBack('s', { 'cake art': 1 })));
    expect(lines).toMatchObject([{ quantity: d(1), total: d(25), entries: [], forgiven: [] }]);
  });

  test('is at most what was sold and has not come back', () => {
    history.run(receive('bread', 'lot', 10, 1));
    history.run(sell('s', [{ variantId: 'bread', quantity: 5 }]));
    history.run(giveBack('s', { bread: 2 }));
    expect(history.refusalOf(giveBack('s', { bread: '3.000001' }))).toBe(RETURN_EXCEEDS_SOLD);
    expect(history.refusalOf(giveBack('s', { cake: 1 }))).toBe(RETURN_EXCEEDS_SOLD);
    history.run(giveBack('s', { bread: 3 }));
    expect(history.lots('bread')).toEqual({ lot: ['10', '10'] });
  });

  test('takes the present status of its lot, and an expired one takes it back too', () => {
    history.run(receive('bread', 'lot', 1, 1, { expiresAt: '2026-11-21T12:00:01.000Z' }));
    const [lot] = history.stock('bread').lots;
    history.run(sell('s', [{ variantId: 'bread', quantity: 1 }]));
    if (lot) history.run({ type: 'block', lot: { ...lot, variantId: 'bread' }, reason: 'suspeita' });
    history.run(giveBack('s', { bread: 1 }), '2026-11-22T12:00:00.000Z');
    expect([...history.stock('bread').lots]).toMatchObject([
      { lotId: 'lot', blocked: true, holdings: [{ quantity: d(1) }] },
    ]);
  });

  test('settles what others owe', () => {
    history.run(receive('bread', 'lot', 1, 4));
    history.run(sell('s', [{ variantId: 'bread', quantity: 1 }]));
    history.run(sell('t', [{ variantId: 'bread', quantity: 1 }], true));
    const { lines } = returned(history.run(giveBack('s', { bread: 1 })));
    expect(lines[0]?.entries[0]?.settlements).toMatchObject([{ originId: 't', quantity: d(1), value: d(4) }]);
    expect(history.lots('bread')).toEqual({});
    history.run(cancel('t'));
    expect(history.lots('bread')).toEqual({ lot: ['1', '4'] });
  });
});

describe('what was sold without being there', () => {
  beforeEach(() => {
    history.run(receive('bread', 'first', 2, 5));
    history.run(sell('s', [{ variantId: 'bread', quantity: 5 }], true));
  });

  test('is no longer owed before any lot gets goods back', () => {
    const { lines } = returned(history.run(giveBack('s', { bread: 2 })));
    expect(lines).toMatchObject([{ forgiven: [{ quantity: d(2), value: d(10), balance: d(-1) }], entries: [] }]);
    expect(history.stock('bread').debts).toMatchObject([{ quantity: d(1), value: d(5) }]);
  });

  test('comes back to the lot that settled it, then to the others', () => {
    history.run(receive('bread', 'second', 2, 7));
    const { lines } = returned(history.run(giveBack('s', { bread: 4 })));
    expect(lines).toMatchObject([
      {
        forgiven: [{ quantity: d(1) }],
        entries: [
          { lotId: 'second', quantity: d(2), value: d(14) },
          { lotId: 'first', quantity: d(1), value: d(5) },
        ],
      },
    ]);
    history.run(cancel('s'));
    expect(history.stock('bread').debts).toEqual([]);
    expect(history.lots('bread')).toEqual({ first: ['2', '10'], second: ['2', '14'] });
  });

  test('is not settled by the goods of the same cancellation', () => {
    history.run(receive('bread', 'second', 4, 7));
    history.run(
      sell(
        't',
        [
          { variantId: 'bread', quantity: 1 },
          { variantId: 'bread', quantity: 1 },
        ],
        true,
      ),
    );
    const { lines, soldLots } = cancelled(history.run(cancel('t')));
    expect(lines.map(({ forgiven, entries }) => [forgiven.length, entries.length])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(lines[0]?.entries[0]?.settlements).toEqual([]);
    expect(soldLots).toEqual([{ line: 0, lotId: 'second' }]);
  });

  test('names the lot that settled it when it is cancelled', () => {
    history.run(receive('bread', 'second', 2, 7));
    expect(cancelled(history.run(cancel('s'))).soldLots).toEqual([
      { line: 0, lotId: 'first' },
      { line: 0, lotId: 'second' },
    ]);
  });
});

describe('a cancellation', () => {
  beforeEach(() => {
    history.run(receive('bread', 'lot', 5, 2));
    history.run(sell('s', [{ variantId: 'bread', quantity: 3, total: 10 }]));
  });

  test('brings back what returns have left', () => {
    history.run(giveBack('s', { bread: 1 }));
    const { lines } = cancelled(history.run(cancel('s')));
    expect(lines).toMatchObject([{ line: 0, quantity: d(2), total: d('6.67') }]);
    expect(history.lots('bread')).toEqual({ lot: ['5', '10'] });
  });

  test('happens once, and nothing is returned after it', () => {
    history.run(cancel('s'));
    expect(history.refusalOf(cancel('s'))).toBe(SALE_CANCELLED);
    expect(history.refusalOf(giveBack('s', { bread: 1 }))).toBe(SALE_CANCELLED);
  });

  test('needs something that was not returned', () => {
    history.run(giveBack('s', { bread: 3 }));
    expect(history.refusalOf(cancel('s'))).toBe(SALE_FULLY_RETURNED);
  });

  test('is not decided on a past that has moved on', () => {
    const stale = cancel('s');
    history.run(giveBack('s', { bread: 1 }));
    expect(() => history.run(stale)).toThrow(HistoryOutdated);
  });

  test('of a sale that is long forgotten is decided on what is told of it, if that is recent enough', () => {
    const told = cancel('s');
    const revision = history.events.length + 20_000;
    const forgotten = { since: revision, youngSince: revision, young: ImmutableMap(), old: ImmutableMap() } as History;
    history.state = { ...history.state, history: forgotten };
    expect(() => history.run(told)).toThrow(HistoryOutdated);
    if (told.type !== 'cancelSale') throw new Error('no cancellation');
    history.run({ ...told, past: { ...told.past, asOf: revision - 1 } });
    expect(history.lots('bread')).toEqual({ lot: ['5', '10'] });
  });

  test('of a sale that never was finds nothing', () => {
    expect(history.refusalOf(cancel('other'))).toBe(NOT_FOUND);
  });
});
