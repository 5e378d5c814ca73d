import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KnownLot } from '../../../src/features/traceability/found-lots.js';
import { totalsOf } from '../../../src/features/traceability/recall-sums.js';
import { SummedLots } from '../../../src/features/traceability/summed-lots.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const figure = fc.integer({ min: 0, max: 9_999 }).map((hundredths) => Decimal.from(hundredths / 100));

let versions = 0;

const lotOf = (place: number): fc.Arbitrary<KnownLot> =>
  fc
    .record({
      variantId: fc.constantFrom('bread', 'toast', 'crumbs'),
      sold: figure,
      returned: figure,
      life: fc.record({ entered: figure, sold: figure, consumed: figure, adjustedAway: figure, reversed: figure }),
      quantities: fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 2 }),
    })
    .map(({ quantities, ...lot }) => {
      const lotId = `lot ${String(place).padStart(4, '0')}`;
      const held = quantities.map((quantity, at) => ({ lotId, locationId: String(at), quantity }));
      const inStock = Decimal.sum(quantities.map((quantity) => Decimal.from(quantity)));
      return { ...lot, version: ++versions, lotId, lotCode: null, sales: 0, lines: 0, held, inStock };
    });

/** A thousand lots and how they changed: some are known otherwise, some are there no more, and others came. */
const change = fc.tuple(
  fc.array(
    fc.nat(999).chain((place) => fc.tuple(fc.constant(place), lotOf(place))),
    { maxLength: 5 },
  ),
  fc.integer({ min: 600, max: 1_000 }),
);

test('what is added up part by part is what is added up at once', () => {
  const all = fc.tuple(...Array.from({ length: 1_000 }, (_, place) => lotOf(place)));
  fc.assert(
    fc.property(all, fc.array(change, { minLength: 1, maxLength: 6 }), (first, changes) => {
      const summed = new SummedLots();
      const lots: KnownLot[] = first;
      for (const [others, many] of changes) {
        for (const [place, lot] of others) lots[place] = lot;
        const some = lots.slice(0, many);
        expect(totalsOf('REACHED', summed.of(some))).toEqual(totalsOf('REACHED', some));
      }
      expect(totalsOf('REACHED', summed.of([]))).toEqual({ sold: [], remaining: [], balances: [] });
    }),
    { numRuns: 20 },
  );
});

test('only parts of which a lot is known otherwise are added up again', () => {
  const [lot] = fc.sample(lotOf(1), { numRuns: 1, seed: 1 });
  if (!lot) throw new Error('no lot');
  const summed = new SummedLots();
  const lots = Array.from({ length: 700 }, () => lot);
  const before = summed.of(lots);
  const after = summed.of([...lots.slice(0, 699), { ...lot, version: 0 }, lot]);
  expect(before).toHaveLength(3);
  expect(after.map((sum, part) => sum === before[part])).toEqual([true, true, false]);
});
