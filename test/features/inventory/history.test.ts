import { describe, expect, test } from '@jest/globals';
import {
  codeKey,
  emptyHistory,
  noted,
  REMEMBERED,
  saleKey,
  touchesOf,
} from '../../../src/features/inventory/ledger/touched-revisions.js';
import type { History } from '../../../src/features/inventory/ledger/touched-revisions.js';
import {
  HistoryOutdated,
  expectWholeHistory,
  isKnownCode,
} from '../../../src/features/inventory/ledger/known-history.js';
import { EMPTY_INVENTORY } from '../../../src/features/inventory/ledger/state.js';
import { lotCodeKey } from '../../../src/features/inventory/events.js';

/** Touches at revisions, in their order. */
const historyOf = (...touches: readonly (readonly [key: string, revision: number])[]): History =>
  touches.reduce((history, [key, revision]) => noted(history, [key], revision), emptyHistory);

const sale = saleKey('s');
const code = codeKey('flour', 'A');

describe('the history of a stream', () => {
  test('remembers where something was touched', () => {
    const history = historyOf([sale, 3], [saleKey('other'), 4], [sale, 9], [sale, 9]);
    expect([touchesOf(history, sale), touchesOf(history, saleKey('unknown'))]).toEqual([[3, 9], []]);
  });

  test('remembers at least as much as it says, and forgets what is older', () => {
    const young = historyOf([sale, 0], ['x', REMEMBERED - 1]);
    expect([young.since, touchesOf(young, sale)]).toEqual([0, [0]]);
    const aged = noted(young, ['x'], REMEMBERED);
    expect([aged.since, touchesOf(aged, sale)]).toEqual([0, [0]]);
    const old = noted(aged, ['x'], 2 * REMEMBERED);
    expect([old.since, touchesOf(old, sale)]).toEqual([REMEMBERED, []]);
  });

  test('takes what was touched before along when it is touched again', () => {
    const history = historyOf([sale, 5], [sale, REMEMBERED + 1], ['x', 2 * REMEMBERED + 1]);
    expect(touchesOf(history, sale)).toEqual([5, REMEMBERED + 1]);
  });

  test('keeps of a lot code only that it is known', () => {
    expect(touchesOf(historyOf([code, 1], [code, 2], [code, 3]), code)).toEqual([3]);
  });

  test('says when there was nothing to remember', () => {
    expect(noted(emptyHistory, [], 5)).toBe(emptyHistory);
  });
});

describe('a decision on what the state has forgotten', () => {
  const history: History = { ...historyOf([sale, 20_500]), since: 10_000 };
  const event = (revision: number) => ({ revision, event: {} });

  test('needs a past that reaches into what is remembered', () => {
    expect(() => {
      expectWholeHistory(history, saleKey('old'), { asOf: 9_999, events: [] });
    }).not.toThrow();
    expect(() => {
      expectWholeHistory(history, saleKey('old'), { asOf: 9_998, events: [] });
    }).toThrow(HistoryOutdated);
  });

  test('needs the newest of what is remembered', () => {
    expect(() => {
      expectWholeHistory(history, sale, { asOf: 20_000, events: [event(3)] });
    }).toThrow(HistoryOutdated);
    expect(() => {
      expectWholeHistory(history, sale, { asOf: 20_000, events: [event(3), event(20_500)] });
    }).not.toThrow();
  });

  test('knows a lot code from the state, or from who looked it up', () => {
    const state = { ...EMPTY_INVENTORY, history: noted(history, [code], 20_501) };
    const wanted = new Set(['B', 'C'].map((lotCode) => lotCodeKey('flour', lotCode)));
    const found = new Set([lotCodeKey('flour', 'B')]);
    expect(isKnownCode(state, 'flour', 'A', undefined)).toBe(true);
    expect(() => isKnownCode(state, 'flour', 'B', undefined)).toThrow(HistoryOutdated);
    expect(() => isKnownCode(state, 'flour', 'B', { asOf: 9_998, wanted, found })).toThrow(HistoryOutdated);
    expect(isKnownCode(state, 'flour', 'B', { asOf: 9_999, wanted, found })).toBe(true);
    expect(isKnownCode(state, 'flour', 'C', { asOf: 9_999, wanted, found })).toBe(false);
    expect(() => isKnownCode(state, 'salt', 'B', { asOf: 9_999, wanted, found })).toThrow(HistoryOutdated);
    expect(isKnownCode(EMPTY_INVENTORY, 'flour', 'C', undefined)).toBe(false);
  });
});
