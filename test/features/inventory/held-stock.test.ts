import { expect, jest, test } from '@jest/globals';
import type { HeldAt } from '../../../src/features/inventory/stock/held-stock.js';
import {
  heldLines,
  HeldStock,
  lotKeyOf,
  LOTS_AT_ONCE,
  placeKeyOf,
} from '../../../src/features/inventory/stock/held-stock.js';
import { placesOf } from '../../../src/features/inventory/stock/valuation-rows.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Lots in no order, so many of each variant at the one or the other location. */
function lots(...counts: readonly number[]): readonly HeldAt[] {
  const all = counts.flatMap((count, variant) =>
    Array.from({ length: count }, (_, index) => ({
      lotId: idOf(1_000_000 * variant + index),
      variantId: idOf(variant),
      locationId: idOf(index % 2),
      quantity: Decimal.from('0.123456'),
      value: Decimal.from('7.0000000001'),
    })),
  );
  return all.map((_, index) => all[(index * 7_919) % all.length]).filter((one) => one !== undefined);
}

async function allOf<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const some of parts) found.push(...some);
  return found;
}

const held = lots(1, 3 * LOTS_AT_ONCE + 1, 2, 10);
const sorted = [...held].sort((a, b) => (lotKeyOf(a) < lotKeyOf(b) ? -1 : 1));
const stock = async () => new HeldStock(await heldLines(held));

test('everything is given in the order of variants, locations and lots, as it was', async () => {
  expect(await allOf((await stock()).after())).toEqual(sorted);
  expect(await allOf(new HeldStock(await heldLines([])).after())).toEqual([]);
});

test('what comes after any lot, and after any place, is given whole', async () => {
  const kept = await stock();
  for (const [index, one] of sorted.entries()) {
    if (index % 97 !== 0 && index < sorted.length - 15) continue;
    expect(await allOf(kept.after(lotKeyOf(one)))).toEqual(sorted.slice(index + 1));
    const later = sorted.filter((other) => placeKeyOf(other) > placeKeyOf(one));
    expect(await allOf(kept.after(placeKeyOf(one)))).toEqual(later);
  }
});

test('a place has all its lots, however many', async () => {
  const places = await allOf(placesOf((await stock()).after(), 'place'));
  expect(places.map(({ held: { length } }) => length)).toEqual([1, 751, 750, 1, 1, 5, 5]);
  expect(await allOf(placesOf((await stock()).after(), 'lot'))).toHaveLength(sorted.length);
});

test('a page reads the lots that it shows, not all that the store has', async () => {
  const bytes = await heldLines(lots(40 * LOTS_AT_ONCE, 1));
  const parse = jest.spyOn(JSON, 'parse');
  try {
    for await (const some of new HeldStock(bytes).after(lotKeyOf({ ...lots(1)[0], lotId: idOf(9_999) } as HeldAt))) {
      if (some.length > 0) break;
    }
    expect(parse.mock.calls.length).toBeLessThanOrEqual(3);
  } finally {
    parse.mockRestore();
  }
});
