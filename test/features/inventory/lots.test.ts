import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Lot } from '../../../src/features/inventory/ledger/lots.js';
import { Lots } from '../../../src/features/inventory/ledger/lots.js';

const lot = (entered: number, blocked = false): Lot => ({
  lotId: `lot ${String(entered)}`,
  lotCode: null,
  entered,
  expiresAt: null,
  blocked,
  holdings: [],
});

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
      }
      expect([...lots]).toEqual([...model.values()].sort((a, b) => a.entered - b.entered));
      expect(lots.size).toBe(model.size);
      for (const [entered] of changes) expect(lots.get(entered)).toEqual(model.get(entered));
    }),
    { numRuns: 50 },
  );
});
