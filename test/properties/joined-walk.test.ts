import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Leads, Reached, Stop } from '../../src/features/traceability/graph-walk.js';
import { MAX_DEPTH, walk } from '../../src/features/traceability/graph-walk.js';
import { joined } from '../../src/features/traceability/joined-walk.js';

/** A walk of one step that is joined with the one that goes on from there tells what a walk all the way tells. */

const LOTS = 7;
const ORDERS = 6;

/** Which lots each order took and which it made: loops, and lots that several made, are among them. */
const kitchens = fc.array(
  fc.record({
    took: fc.uniqueArray(fc.nat(LOTS - 1), { maxLength: 3 }),
    made: fc.uniqueArray(fc.nat(LOTS - 1), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: ORDERS },
);

type Kitchen = readonly { readonly took: readonly number[]; readonly made: readonly number[] }[];

const lot = (number: number): Stop => ({ subject: `lot ${String(number)}`, ordinal: number });
const order = (number: number): Stop => ({ subject: `order ${String(number)}`, ordinal: LOTS + number });

const leadsIn =
  (kitchen: Kitchen): Leads<Stop> =>
  (stops) =>
    Promise.resolve(
      stops.map(({ ordinal }) =>
        ordinal < LOTS
          ? kitchen.flatMap(({ took }, number) => (took.includes(ordinal) ? [order(number)] : []))
          : (kitchen[ordinal - LOTS]?.made ?? []).map(lot),
      ),
    );

const told = (reached: Reached<Stop>) => ({
  lots: reached.lotsFrom(0, reached.lots.length),
  parts: reached.lots.map((_lot, place) => reached.lotsFrom(place, place + 2)),
  beyond: reached.lotsFrom(reached.lots.length, reached.lots.length + 3),
  depths: [...reached.depthsOfLots()],
  orders: reached.orders.map(({ subject }) => subject),
});

test('what is joined is what a walk all the way comes to', async () => {
  let joinedOnes = 0;
  await fc.assert(
    fc.asyncProperty(
      kitchens,
      fc.uniqueArray(fc.nat(LOTS - 1), { minLength: 1, maxLength: 2 }),
      async (kitchen, from) => {
        const leads = leadsIn(kitchen);
        const start = from.map(lot);
        const first = await walk(leads, start, 1);
        const rest = await walk(leads, first.lots.slice(start.length), MAX_DEPTH - 1);
        const both = joined(first, rest, start.length);
        if (!both) return;
        joinedOnes++;
        const whole = await walk(leads, start, MAX_DEPTH);
        expect(told(both)).toEqual(told(whole));
        expect(new Set(both.parts.flat().map(({ subject }) => subject))).toEqual(
          new Set(whole.parts.flat().map(({ subject }) => subject)),
        );
      },
    ),
    { numRuns: 500 },
  );
  expect(joinedOnes).toBeGreaterThan(100);
});

test('a walk that comes back to where another began, or to one of its orders, is not joined', async () => {
  const loop: Kitchen = [
    { took: [0], made: [1] },
    { took: [1], made: [0] },
  ];
  const shared: Kitchen = [
    { took: [0], made: [1] },
    { took: [0, 1], made: [2] },
  ];
  for (const kitchen of [loop, shared]) {
    const first = await walk(leadsIn(kitchen), [lot(0)], 1);
    const rest = await walk(leadsIn(kitchen), first.lots.slice(1), MAX_DEPTH - 1);
    expect(joined(first, rest, 1)).toBeUndefined();
  }
});
