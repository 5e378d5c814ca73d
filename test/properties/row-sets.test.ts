import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RowSet } from '../../src/adapters/embedded/writing/row-set.js';

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 120 });

test('what sets of rows have in common is picked in the order of the list', () => {
  fc.assert(
    fc.property(numbers, fc.array(numbers, { minLength: 1, maxLength: 4 }), (ordered, sets) => {
      const [first, ...others] = sets.map((rows) => RowSet.of(Int32Array.from(rows)));
      const all = others.reduce((set, other) => set.and(other), first as RowSet);
      const expected = ordered.filter((row) => sets.every((rows) => rows.includes(row)));
      expect([...all.pick(Int32Array.from(ordered))]).toEqual(expected);
      expect(all.size).toBe(new Set(sets.flat().filter((row) => sets.every((rows) => rows.includes(row)))).size);
    }),
    { numRuns: 1_000 },
  );
});
