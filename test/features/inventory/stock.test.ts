import { beforeEach, describe, expect, test } from '@jest/globals';
import type { InventoryCommand } from '../../../src/features/inventory/decider.js';
import { inventory } from '../../../src/features/inventory/decider.js';
import type { InventoryEvent } from '../../../src/features/inventory/events.js';
import { MOST_SETTLED } from '../../../src/features/inventory/ledger/entering.js';
import { LOCATION_IN_USE } from '../../../src/features/inventory/locations/rejections.js';
import { INSUFFICIENT_STOCK } from '../../../src/features/inventory/rejections.js';
import { NOT_FOUND, Rejection } from '../../../src/kernel/events/rejection.js';
import {
  LOT_NOT_FOUND,
  NOT_KEPT_IN_STOCK,
  PRODUCT_HAS_MOVED,
  PRODUCT_IN_USE,
  UNIT_IN_USE,
} from '../../../src/features/contracts/stock-keeper.js';
import { NOON, given } from '../../support/given.js';
import type { Line } from '../../support/inventory-history.js';
import { InventoryHistory, adjust, d, receive, sell, transfer } from '../../support/inventory-history.js';
import { throughSnapshot } from '../../support/through-snapshot.js';

let history: InventoryHistory;
beforeEach(() => {
  history = new InventoryHistory();
});

const EARLIER = '2026-11-21T11:00:00.000Z';
const lot = (lotId: string, entered: number, lotCode: string | null = null) => ({
  lotId,
  lotCode,
  entered,
  expiresAt: null,
  variantId: 'flour',
});
const block = (one: ReturnType<typeof lot>): InventoryCommand => ({ type: 'block', lot: one, reason: 'test' });
const release = (one: ReturnType<typeof lot>): InventoryCommand => ({ type: 'release', lot: one, reason: 'test' });
/** Plenty of each with one receipt. */
const received = (...variantIds: readonly string[]): InventoryCommand => ({
  type: 'receive',
  receiptId: 'receipt',
  locationId: 'shop',
  supplier: null,
  document: null,
  items: variantIds.map((variantId) => ({
    lotId: `lot of ${variantId}`,
    variantId,
    quantity: d(5_000),
    unitCost: d(1),
    lotCode: null,
    expiresAt: null,
  })),
});
const sold = (quantity: number, saleId = 'sale', mayOwe = false) =>
  sell(saleId, [{ variantId: 'flour', quantity }], mayOwe);

function shortagesOf(command: InventoryCommand): unknown {
  try {
    history.run(command);
  } catch (error) {
    if (error instanceof Rejection) return [error.kind, error.extra['shortages']];
  }
  return 'accepted';
}

const placesOf = (lotId: string) =>
  [...history.stock('flour').lots]
    .find((one) => one.lotId === lotId)
    ?.holdings.map(({ locationId, quantity }) => [locationId, quantity.toString()]);

describe('what enters', () => {
  test('makes good what is owed there, the oldest debt first', () => {
    history.run(sold(2, 'first', true));
    history.run(sold(2, 'second', true));
    history.run(receive('flour', 'elsewhere', 9, 1, { locationId: 'cellar' }));
    history.run(receive('flour', 'new', 3, 1));
    expect(history.stock('flour').debts.map(({ originId, quantity }) => [originId, quantity.toString()])).toEqual([
      ['second', '1'],
    ]);
    expect(history.lots('flour')).toEqual({ elsewhere: ['9', '9'] });
  });

  const owed = (variantId: string, times: number) =>
    history.run(sell(`sale of ${variantId}`, Array<Line>(times).fill({ variantId, quantity: 1 }), true));

  test('makes good all that is owed where one command can, however uneven that is', () => {
    owed('flour', MOST_SETTLED - 200);
    owed('sugar', 200);
    history.run(received('flour', 'rice', 'sugar'));
    expect(['flour', 'sugar'].map((variantId) => history.stock(variantId).debts)).toEqual([[], []]);
  });

  test('shares among the items of a command how many debts it makes good where there are more, so that what little is owed of one is left to the others', () => {
    owed('flour', MOST_SETTLED);
    owed('rice', 3);
    owed('sugar', MOST_SETTLED);
    history.run(received('flour', 'rice', 'sugar'));
    const left = ['flour', 'rice', 'sugar'].map((variantId) => history.stock(variantId).debts.length);
    expect(left).toEqual([MOST_SETTLED - 498, 0, MOST_SETTLED - 498]);
  });

  test('looks no further among thousands of debts than the last that it makes good', () => {
    let looks = 0;
    history.run(sold(1, 'sale', true));
    const stock = history.stock('flour');
    const [debt] = stock.debts;
    if (!debt) throw new Error('nothing is owed');
    const owed = (name: string) => ({
      ...debt,
      get debtId() {
        looks += 1;
        return name;
      },
    });
    const many = { ...stock, debts: Array.from({ length: 5_000 }, (_, index) => owed(`debt ${String(index)}`)) };
    history.state = { ...history.state, variants: history.state.variants.set('flour', many) };
    history.run(receive('flour', 'lot', 2, 1));
    expect(history.stock('flour').debts).toHaveLength(4_998);
    expect(looks).toBeLessThan(20);
  });

  test('makes nothing good while it is blocked or expired', () => {
    history.run(receive('flour', 'blocked', 1, 1));
    history.run(block(lot('blocked', 1)));
    history.run(sold(2, 'owing', true));
    history.run(adjust('flour', 5, { lot: lot('blocked', 1) }));
    history.run(receive('flour', 'expired', 5, 1, { expiresAt: NOON }));
    expect(history.stock('flour').debts).toMatchObject([{ originId: 'owing' }]);
    expect(history.lots('flour')).toEqual({ blocked: ['6', '6'], expired: ['5', '5'] });
    history.run(receive('flour', 'good', 2, 1));
    expect(history.stock('flour').debts).toEqual([]);
  });

  test('keeps the place of its lot in the order of entry', () => {
    history.run(receive('flour', 'old', 1, 1));
    history.run(receive('flour', 'new', 1, 1));
    history.run(sold(1));
    history.run(adjust('flour', 1, { lot: lot('old', 1) }));
    expect(Object.keys(history.lots('flour'))).toEqual(['old', 'new']);
  });
});

describe('what leaves', () => {
  test('is taken from no lot that is blocked or expired, unless it is named', () => {
    history.run(receive('flour', 'expired', 5, 1, { expiresAt: NOON }), EARLIER);
    history.run(receive('flour', 'blocked', 5, 1));
    history.run(block(lot('blocked', 2)));
    history.run(receive('flour', 'good', 1, 1));
    for (const command of [sold(2), adjust('flour', -2), transfer('flour', 2)]) {
      expect(shortagesOf(command)).toEqual([INSUFFICIENT_STOCK, [{ variantId: 'flour', required: 2, available: 1 }]]);
    }
    history.run(adjust('flour', -5, { lot: lot('expired', 1) }));
    history.run(adjust('flour', -2, { lot: lot('blocked', 2) }));
    expect(history.lots('flour')).toEqual({ blocked: ['3', '3'], good: ['1', '1'] });
  });

  test('expires with its moment', () => {
    history.run(receive('flour', 'bread', 1, 1, { expiresAt: NOON }), EARLIER);
    expect(shortagesOf(sold(1))).not.toBe('accepted');
    expect(history.run(sold(1), '2026-11-21T11:59:59.999Z')).toHaveLength(1);
  });

  test('that is short is named once for each variant, with all that is needed of it', () => {
    history.run(receive('flour', 'f', 3, 1));
    history.run(receive('salt', 's', 1, 1));
    const lines = ['flour', 'salt', 'flour', 'sugar'].map((variantId) => ({ variantId, quantity: 2 }));
    expect(shortagesOf(sell('sale', lines))).toEqual([
      INSUFFICIENT_STOCK,
      [
        { variantId: 'flour', required: 4, available: 3 },
        { variantId: 'salt', required: 2, available: 1 },
        { variantId: 'sugar', required: 2, available: 0 },
      ],
    ]);
  });
});

test('of lots that are named only what they have is there', () => {
  history.run(receive('flour', 'a', 3, 1, { lotCode: 'A' }));
  history.run(receive('flour', 'b', 4, 1, { lotCode: 'B' }));
  history.run(receive('flour', 'c', 5, 1, { locationId: 'cellar' }));
  const lines = (...codes: readonly (string | undefined)[]) =>
    codes.map((lotCode) => ({ variantId: 'flour', quantity: 5, ...(lotCode === undefined ? {} : { lotCode }) }));
  const shortage = (required: number, available: number) => [
    INSUFFICIENT_STOCK,
    [{ variantId: 'flour', required, available }],
  ];
  expect(shortagesOf(sell('sale', lines('A')))).toEqual(shortage(5, 3));
  expect(shortagesOf(sell('sale', lines('A', 'A')))).toEqual(shortage(10, 3));
  expect(shortagesOf(sell('sale', lines('A', undefined)))).toEqual(shortage(10, 7));
  expect(shortagesOf(sell('sale', lines(undefined)))).toBe('accepted');
  expect(shortagesOf(adjust('flour', -3, { lot: lot('a', 1, 'A') }))).toEqual(shortage(3, 0));
});

describe('a transfer', () => {
  test('splits a lot and joins it again', () => {
    history.run(receive('flour', 'old', 3, '3.3333333333'));
    history.run(transfer('flour', 1));
    expect(placesOf('old')).toEqual([
      ['shop', '2'],
      ['cellar', '1'],
    ]);
    history.run(transfer('flour', 1, { from: 'cellar', to: 'shop' }));
    expect([placesOf('old'), history.lots('flour')]).toEqual([[['shop', '3']], { old: ['3', '9.9999999999'] }]);
  });

  test('takes the block and the place in the order along', () => {
    history.run(receive('flour', 'old', 3, 1, { lotCode: 'A' }));
    history.run(receive('flour', 'new', 3, 1, { locationId: 'cellar' }));
    history.run(block(lot('old', 1, 'A')));
    history.run(transfer('flour', 3, { lotCode: 'A' }));
    expect([...history.stock('flour').lots]).toMatchObject([
      { lotId: 'old', blocked: true, holdings: [{ locationId: 'cellar' }] },
      { lotId: 'new', blocked: false },
    ]);
  });

  test('makes good what is owed where it arrives', () => {
    history.run(sold(2, 'owing', true));
    history.run(receive('flour', 'old', 3, 1, { locationId: 'cellar' }));
    history.run(transfer('flour', 3, { from: 'cellar', to: 'shop' }));
    expect([history.stock('flour').debts, history.lots('flour')]).toEqual([[], { old: ['1', '1'] }]);
    expect(history.stock('flour').pool.quantity.toString()).toBe('1');
  });

  test('of a code that the variant never had finds nothing; of one that is spent it is short', () => {
    history.run(receive('flour', 'old', 1, 1, { lotCode: 'A' }));
    history.run(sold(1));
    expect(history.refusalOf(transfer('flour', 1, { lotCode: 'B' }))).toBe(LOT_NOT_FOUND);
    expect(history.refusalOf(transfer('flour', 1, { lotCode: 'A' }))).toBe(INSUFFICIENT_STOCK);
  });
});

describe('a block', () => {
  test('is put on and taken off once', () => {
    history.run(receive('flour', 'old', 1, 1));
    expect(history.run(release(lot('old', 1)))).toEqual([]);
    expect(history.run(block(lot('old', 1)))).toHaveLength(1);
    expect(history.run(block(lot('old', 1)))).toEqual([]);
    expect(history.run(release(lot('old', 1)))).toHaveLength(1);
  });

  test('outlives an empty lot: what comes back is blocked', () => {
    history.run(receive('flour', 'old', 1, 1));
    history.run(sold(1));
    history.run(block(lot('old', 1)));
    history.run({ type: 'cancelSale', saleId: 'sale', reason: 'test', past: history.pastOf('sale') });
    expect(history.refusalOf(sold(1, 'again'))).toBe(INSUFFICIENT_STOCK);
    history.run(release(lot('old', 1)));
    expect(history.run(sold(1, 'again'))).toHaveLength(1);
  });

  test('that is taken off an empty lot leaves nothing of it in the state', () => {
    history.run(block(lot('never seen', 7)));
    expect([...history.stock('flour').lots]).toHaveLength(1);
    history.run(release(lot('never seen', 7)));
    expect([[...history.stock('flour').lots], history.state.lotCount]).toEqual([[], 0]);
  });
});

const MINE = { id: 'mine', revision: 3 };

describe('a variant that retires', () => {
  const retire: InventoryCommand = { type: 'retire', variantIds: ['flour', 'salt'], hold: MINE };

  test('never moved, and never will', () => {
    expect(history.run(retire)).toEqual([
      { type: 'VariantsRetired', data: { variantIds: ['flour', 'salt'], hold: MINE } },
    ]);
    expect(history.run(retire)).toEqual([]);
    const all = [receive('flour', 'x', 1, 1), sold(1, 'x', true), adjust('salt', 1), transfer('flour', 1)];
    for (const command of [...all, block(lot('x', 1))]) expect(history.refusalOf(command)).toBe(NOT_FOUND);
  });

  test('may move as before when it stays after all', () => {
    const restore: InventoryCommand = {
      type: 'restore',
      variantIds: ['flour', 'sugar'],
      release: { own: 'mine', before: 0 },
    };
    history.run(retire);
    expect(history.run(restore)).toEqual([
      { type: 'VariantsRestored', data: { variantIds: ['flour'], holds: ['mine'] } },
    ]);
    expect(history.run(restore)).toEqual([]);
    history.run(receive('flour', 'x', 1, 1));
    expect(history.refusalOf(adjust('salt', 1))).toBe(NOT_FOUND);
  });

  test('stays when one of them moved, even if nothing is left', () => {
    history.run(receive('salt', 'x', 1, 1));
    history.run(adjust('salt', -1));
    expect(history.refusalOf(retire)).toBe(PRODUCT_IN_USE);
  });

  test('stays when it was sold, though it has no stock of its own', () => {
    history.run(sell('sale', [{ variantId: 'salt', quantity: 1, parts: {} }]));
    expect(history.refusalOf(retire)).toBe(PRODUCT_IN_USE);
  });
});

describe('goods that become a kit or a service', () => {
  const end = { type: 'endKeeping', variantIds: ['flour'], hold: MINE } as const;
  const resume = { type: 'resumeKeeping', variantIds: ['flour', 'salt'], release: { own: 'mine', before: 0 } } as const;

  test('have no stock from then on, until they are goods again', () => {
    expect(history.run(end)).toEqual([{ type: 'StockKeepingEnded', data: { variantIds: ['flour'], hold: MINE } }]);
    expect(history.run(end)).toEqual([]);
    const all = [receive('flour', 'x', 1, 1), sold(1, 'x', true), adjust('flour', 1), transfer('flour', 1)];
    for (const command of all) expect(history.refusalOf(command)).toBe(NOT_KEPT_IN_STOCK);
    expect(history.run(resume)).toEqual([
      { type: 'StockKeepingResumed', data: { variantIds: ['flour'], holds: ['mine'] } },
    ]);
    expect(history.run(resume)).toEqual([]);
    history.run(receive('flour', 'x', 1, 1));
  });

  test('or are counted in another unit never moved', () => {
    const counted: InventoryCommand = { ...end, unit: 'KG' };
    const ended = { type: 'StockKeepingEnded', data: { variantIds: ['flour'], hold: MINE, unit: 'KG' } };
    expect(history.run(counted)).toEqual([ended]);
    history.run(resume);
    history.run(receive('flour', 'x', 1, 1));
    expect(history.refusalOf(counted)).toBe(UNIT_IN_USE);
  });

  test('never moved, even if nothing is left', () => {
    history.run(receive('flour', 'x', 1, 1));
    history.run(adjust('flour', -1));
    expect(history.refusalOf(end)).toBe(PRODUCT_HAS_MOVED);
  });

  test('are remembered in a snapshot', () => {
    history.run(end);
    expect([...throughSnapshot(inventory, history.state).unkept]).toEqual([['flour', [MINE]]]);
  });

  test('stand still until all who hold them have given up, or can decide nothing by it any more', () => {
    history.run(end);
    history.run({ ...end, hold: { id: 'another', revision: 4 } });
    history.run(resume);
    expect(history.refusalOf(receive('flour', 'x', 1, 1))).toBe(NOT_KEPT_IN_STOCK);
    expect(history.run({ ...resume, release: { before: 4 } })).toEqual([]);
    history.run({ ...resume, release: { before: 5 } });
    history.run(receive('flour', 'x', 1, 1));
  });
});

describe('facts from before holds had an owner', () => {
  const data = { variantIds: ['flour'] };
  const mine: InventoryEvent = { type: 'StockKeepingEnded', data: { ...data, hold: MINE } };
  const kept: InventoryEvent = { type: 'StockKeepingEnded', data };
  const resume = { type: 'resumeKeeping', ...data } as const;

  test('hold goods until whoever looks finds their product as it was', () => {
    given(inventory, kept)
      .when(receive('flour', 'x', 1, 1))
      .thenRefused(NOT_KEPT_IN_STOCK);
    given(inventory, kept)
      .when({ ...resume, release: { before: 0 } })
      .then({ type: 'StockKeepingResumed', data: { ...data, holds: [''] } });
  });

  test('give them free whoever holds them', () => {
    given(inventory, mine, { type: 'StockKeepingResumed', data })
      .when({ ...resume, release: { own: 'mine', before: 9 } })
      .thenNothing();
  });
});

describe('a location that retires', () => {
  const retire: InventoryCommand = { type: 'retireLocation', locationId: 'cellar' };

  test('never held goods, and never will', () => {
    expect(history.run(retire)).toEqual([{ type: 'LocationRetired', data: { locationId: 'cellar' } }]);
    expect(history.run(retire)).toEqual([]);
    expect(history.refusalOf(receive('flour', 'x', 1, 1, { locationId: 'cellar' }))).toBe(NOT_FOUND);
    history.run(receive('flour', 'x', 1, 1));
    expect(history.refusalOf(transfer('flour', 1))).toBe(NOT_FOUND);
  });

  test('stays when goods were there, even if nothing is left', () => {
    history.run(receive('flour', 'x', 1, 1));
    history.run(transfer('flour', 1));
    history.run(transfer('flour', 1, { from: 'cellar', to: 'shop' }));
    expect(history.refusalOf(retire)).toBe(LOCATION_IN_USE);
  });

  test('is remembered in a snapshot', () => {
    history.run(retire);
    expect([...throughSnapshot(inventory, history.state).retiredLocations]).toEqual(['cellar']);
  });
});

describe('where a product is issued by expiry', () => {
  const expiryFirst: ReadonlySet<string> = new Set(['flour']);
  const day = (number: number) => `2026-12-${String(number).padStart(2, '0')}T03:00:00.000Z`;
  beforeEach(() => {
    history.run(receive('flour', 'endless', 2, 1));
    history.run(receive('flour', 'late', 2, 1, { expiresAt: day(20) }));
    history.run(receive('flour', 'soon', 2, 1, { expiresAt: day(10) }));
    history.run(receive('flour', 'as soon', 2, 1, { expiresAt: day(10) }));
    history.run(receive('flour', 'gone', 2, 1, { expiresAt: EARLIER }));
  });

  test('what expires first leaves first, what never does last, equals by entry', () => {
    history.run({ ...sold(3, 'one'), expiryFirst } as InventoryCommand);
    expect(Object.keys(history.lots('flour'))).toEqual(['endless', 'late', 'as soon', 'gone']);
    history.run({ ...adjust('flour', -2), expiryFirst } as InventoryCommand);
    expect(history.lots('flour')).toEqual({ endless: ['2', '2'], late: ['1', '1'], gone: ['2', '2'] });
    history.run({ ...transfer('flour', 2), expiryFirst } as InventoryCommand);
    expect(placesOf('late')).toEqual([['cellar', '1']]);
    expect(placesOf('endless')).toEqual([
      ['shop', '1'],
      ['cellar', '1'],
    ]);
  });

  test('a lot that is named leaves though it has expired', () => {
    history.run(receive('flour', 'named', 2, 1, { expiresAt: EARLIER, lotCode: 'A' }));
    history.run({ ...transfer('flour', 2, { lotCode: 'A' }), expiryFirst } as InventoryCommand);
    expect(placesOf('named')).toEqual([['cellar', '2']]);
  });

  test('by entry it would be another', () => {
    history.run(sold(3));
    expect(history.lots('flour')).toMatchObject({ late: ['1', '1'], soon: ['2', '2'] });
  });
});
