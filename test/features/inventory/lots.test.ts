import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Lot } from '../../../src/features/inventory/ledger/lots.js';
import { Lots, changedLot } from '../../../src/features/inventory/ledger/lots.js';

/** One of seven codes in two spellings or none, and one of five days or none. */
const lot = (entered: number, blocked = false): Lot => ({
  lotId: `lot ${String(entered)}`,
  lotCode: entered % 8 === 0 ? null : `${entered % 2 === 0 ? 'Code' : 'CÓDE'} ${String(entered % 8)}`,
  entered,
  expiresAt: entered % 6 === 0 ? null : `2026-11-0${String(entered % 6)}`,
  blocked,
  holdings: [],
});

const LAST = '9999';

/** Whatever was asked of them, or of those that they came from, before. */
function expectToFind(lots: Lots, expected: readonly Lot[]): void {
  expect([...lots.byExpiry()]).toEqual(inOrder(expected));
  expect([...lots.byExpiry('2026-11-03')]).toEqual(
    inOrder(expected.filter(({ expiresAt }) => (expiresAt ?? LAST) > '2026-11-03')),
  );
  expect(lots.withCode('code 3')).toEqual(expected.filter(({ entered }) => entered % 8 === 3));
  expect(lots.named('lot 7')).toEqual(expected.find(({ entered }) => entered === 7));
}

const inOrder = (lots: readonly Lot[]): readonly Lot[] =>
  lots.toSorted((a, b) => (a.expiresAt ?? LAST).localeCompare(b.expiresAt ?? LAST) || a.entered - b.entered);

test('lots stay in the order of their entry, whatever is put in, changed and taken out', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 600 }), fc.constantFrom('put', 'block', 'remove')), {
    maxLength: 900,
  });
  fc.assert(
    fc.property(steps, fc.nat(500), (changes, initial) => {
      const model = new Map(Array.from({ length: initial }, (_, index) => [index + 1, lot(index + 1)]));
      let lots = Lots.of([...model.values()]);
      for (const [entered, change] of changes) {
        if (change === 'remove') {
          model.delete(entered);
          lots = lots.without(entered);
        } else {
          model.set(entered, lot(entered, change === 'block'));
          lots = lots.with(lot(entered, change === 'block'));
        }
        if (entered % 50 === 0) expectToFind(lots, [...lots]);
      }
      const expected = [...model.values()].sort((a, b) => a.entered - b.entered);
      expect([...lots]).toEqual(expected);
      expect(lots.size).toBe(model.size);
      for (const [entered] of changes) expect(lots.get(entered)).toEqual(model.get(entered));
      expectToFind(lots, expected);
    }),
    { numRuns: 50 },
  );
});

test('lots are put in order once, however many are changed or leave', () => {
  let reads = 0;
  const counted = (entered: number): Lot => ({
    ...lot(entered),
    get expiresAt() {
      reads += 1;
      return null;
    },
    get lotCode() {
      reads += 1;
      return 'same';
    },
  });
  let lots = Lots.of(Array.from({ length: 1_000 }, (_, index) => counted(index + 1)));
  const ask = () => {
    const [first] = lots.byExpiry();
    return [first?.entered, lots.withCode('same')[0]?.entered];
  };
  expect(ask()).toEqual([1, 1]);
  reads = 0;
  for (let entered = 1; entered < 500; entered++) {
    lots = lots.without(entered).with(changedLot(lots.get(entered + 1) ?? counted(entered + 1), { blocked: true }));
    expect(ask()).toEqual([entered + 1, entered + 1]);
  }
  expect(reads).toBeLessThan(2_000);
});
