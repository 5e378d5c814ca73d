import { expect, test } from '@jest/globals';
import type { ReadEdges, StoredEdge } from '../../../src/features/traceability/graph-walk.js';
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

/** Reads from a list, and counts how often. */
function reader(edges: readonly StoredEdge[]) {
  const reads: number[] = [];
  const read: ReadEdges<StoredEdge> = (end, ids) => {
    reads.push(ids.length);
    return Promise.resolve(edges.filter((edge) => ids.includes(edge[end])));
  };
  return { read, reads };
}

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
  const { lots, orders } = await walk(reader(bakery).read, ['flour'], 'forward', MAX_DEPTH);
  expect([...lots.values()].map(({ lotId, depth }) => [lotId, depth])).toEqual([
    ['flour', 0],
    ['mix', 1],
    ['slice', 1],
    ['crumbs', 1],
    ['loaf', 2],
  ]);
  expect([...orders.keys()]).toEqual(['premix', 'cake', 'bread']);
});

test('backward finds the inputs of inputs, and says through which orders', async () => {
  const { lots } = await walk(reader(bakery).read, ['loaf'], 'backward', MAX_DEPTH);
  expect([...lots.keys()]).toEqual(['loaf', 'mix', 'yeast', 'flour']);
  expect([...(lots.get('flour')?.viaOrderIds ?? [])]).toEqual(['premix']);
});

test('a depth ends it', async () => {
  const { lots, orders } = await walk(reader(bakery).read, ['flour'], 'forward', 1);
  expect([...lots.keys()]).toEqual(['flour', 'mix', 'slice', 'crumbs']);
  expect([...orders.keys()]).toEqual(['premix', 'cake']);
});

test('a graph with loops ends as well', async () => {
  const loop = [used('a', 'one'), made('one', 'b'), used('b', 'two'), made('two', 'a'), used('a', 'two')];
  const { lots, orders, edges } = await walk(reader(loop).read, ['a'], 'forward', MAX_DEPTH);
  expect([...lots.keys()]).toEqual(['a', 'b']);
  expect([...orders.keys()]).toEqual(['one', 'two']);
  expect(edges).toHaveLength(5);
});

test('each level is read twice, however wide it is', async () => {
  const wide = Array.from({ length: 50 }, (_, index) => [
    used('a', `order ${index}`),
    made(`order ${index}`, `lot ${index}`),
  ]).flat();
  const { read, reads } = reader(wide);
  await walk(read, ['a'], 'forward', MAX_DEPTH);
  expect(reads).toEqual([1, 50, 50, 0]);
});

test('edges between the same two are one, with what a reversal brought back taken off', async () => {
  const edges = [used('a', 'one', 2.5), used('a', 'one', 0.1, true), used('a', 'one', -0.6), made('one', 'b')];
  const found = await walk(reader(edges).read, ['a'], 'forward', MAX_DEPTH);
  expect(merged(found.edges).map(({ quantity, settledLater }) => [quantity.toString(), settledLater])).toEqual([
    ['2', true],
    ['1', false],
  ]);
});

test('lots that several orders used are reached through all of them', async () => {
  const shared = [used('salt', 'one'), used('salt', 'two'), made('one', 'x'), made('two', 'x')];
  const { lots } = await walk(reader(shared).read, ['x'], 'backward', MAX_DEPTH);
  expect([...(lots.get('salt')?.viaOrderIds ?? [])]).toEqual(['one', 'two']);
});
