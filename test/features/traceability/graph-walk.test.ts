import { expect, test } from '@jest/globals';
import type { Leads, Reached, Stop, StoredEdge } from '../../../src/features/traceability/graph-walk.js';
import { MAX_DEPTH, merged, walk } from '../../../src/features/traceability/graph-walk.js';

const used = (lot: string, order: string, quantity = 1, settledLater = false): StoredEdge => ({
  source: lot,
  target: order,
  kind: 'USED',
  variantId: `of ${lot}`,
  quantity,
  settledLater,
});
const made = (order: string, lot: string, quantity = 1): StoredEdge => ({
  source: order,
  target: lot,
  kind: 'MADE',
  variantId: `of ${lot}`,
  quantity,
  settledLater: false,
});

/** Walks along the edges of a list, and tells of how many it was asked how often. */
async function walked(
  edges: readonly StoredEdge[],
  start: string,
  { near = 'source', depth = MAX_DEPTH }: { readonly near?: 'source' | 'target'; readonly depth?: number } = {},
) {
  const asked: number[] = [];
  const far = near === 'source' ? 'target' : 'source';
  const names = [...new Set(edges.flatMap(({ source, target }) => [source, target]))];
  const stopAt = (subject: string): Stop => ({ subject, ordinal: names.indexOf(subject) * 700 });
  const leads: Leads<Stop> = (stops) => {
    asked.push(stops.length);
    return Promise.resolve(
      stops.map(({ subject }) => edges.filter((edge) => edge[near] === subject).map((edge) => stopAt(edge[far]))),
    );
  };
  return { reached: await walk(leads, [stopAt(start)], depth), asked };
}

const lotsOf = (reached: Reached<Stop>) => reached.lotsFrom(0, reached.lots.length);
const namesOf = (stops: readonly Stop[]) => stops.map(({ subject }) => subject);

const bakery = [
  used('flour', 'premix'),
  made('premix', 'mix'),
  used('mix', 'bread'),
  used('yeast', 'bread'),
  made('bread', 'loaf'),
  used('flour', 'cake'),
  made('cake', 'slice'),
  made('cake', 'crumbs'),
];

test('forward goes through every level, the nearest first', async () => {
  const { reached } = await walked(bakery, 'flour');
  expect(lotsOf(reached).map(({ lotId, depth }) => [lotId, depth])).toEqual([
    ['flour', 0],
    ['mix', 1],
    ['slice', 1],
    ['crumbs', 1],
    ['loaf', 2],
  ]);
  expect([...reached.depthsOfLots().values()]).toEqual([0, 1, 1, 1, 2]);
  expect(namesOf(reached.orders)).toEqual(['premix', 'cake', 'bread']);
  expect(reached.orders.map((_order, place) => reached.depthOfOrder(place))).toEqual([1, 1, 2]);
});

test('backward finds the inputs of inputs, and says through which orders', async () => {
  const { reached } = await walked(bakery, 'loaf', { near: 'target' });
  expect(namesOf(reached.lots)).toEqual(['loaf', 'mix', 'yeast', 'flour']);
  expect(lotsOf(reached).at(-1)?.viaOrderIds).toEqual(['premix']);
});

test('a depth ends it', async () => {
  const { reached } = await walked(bakery, 'flour', { depth: 1 });
  expect(namesOf(reached.lots)).toEqual(['flour', 'mix', 'slice', 'crumbs']);
  expect(namesOf(reached.orders)).toEqual(['premix', 'cake']);
});

test('a graph with loops ends as well', async () => {
  const loop = [used('a', 'one'), made('one', 'b'), used('b', 'two'), made('two', 'a'), used('a', 'two')];
  const { reached } = await walked(loop, 'a');
  expect(lotsOf(reached)).toEqual([
    { lotId: 'a', depth: 0, viaOrderIds: [] },
    { lotId: 'b', depth: 1, viaOrderIds: ['one'] },
  ]);
  expect(namesOf(reached.orders)).toEqual(['one', 'two']);
});

test('of each level it is asked twice, however wide it is', async () => {
  const wide = Array.from({ length: 50 }, (_, index) => [
    used('a', `order ${index}`),
    made(`order ${index}`, `lot ${index}`),
  ]).flat();
  const { asked } = await walked(wide, 'a');
  expect(asked).toEqual([1, 50, 50, 0]);
});

test('edges between the same two are one, with what a reversal brought back taken off', () => {
  const edges = [used('a', 'one', 2.5), used('a', 'one', 0.1, true), used('a', 'one', -0.6), made('one', 'b')];
  expect(merged(edges).map(({ quantity, settledLater }) => [quantity.toString(), settledLater])).toEqual([
    ['2', true],
    ['1', false],
  ]);
});

test('lots that several orders used are reached through all of them', async () => {
  const shared = ['one', 'two', 'three', 'four'].flatMap((order) => [used('salt', order), made(order, 'x')]);
  const { reached } = await walked(shared, 'x', { near: 'target' });
  expect(lotsOf(reached).at(-1)).toEqual({ lotId: 'salt', depth: 1, viaOrderIds: ['one', 'two', 'three', 'four'] });
});

test('a small walk takes little room, however many lots and orders others came to', async () => {
  const { reached } = await walked([used('flour', 'baking'), made('baking', 'bread')], 'flour');
  const among = (many: number) =>
    walk((stops) => Promise.resolve(stops.map(() => [])), [{ subject: 'flour', ordinal: many }], MAX_DEPTH);
  expect((await among(1_000_000)).bytes).toBe((await among(10)).bytes);
  expect(reached.bytes).toBeLessThan(200);
});
