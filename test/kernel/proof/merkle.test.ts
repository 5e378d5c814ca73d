import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isConsistent } from '../../../scripts/audit/proof-check.js';
import type { SubtreeHash } from '../../../src/kernel/proof/merkle.js';
import {
  EMPTY_ROOT,
  bytesOf,
  consistencyPath,
  inclusionPath,
  leafDigest,
  nodeHash,
  rootHash,
} from '../../../src/kernel/proof/merkle.js';
import { Tile, attempted, computed, grow, growingTiles } from '../../../src/kernel/proof/tiles.js';

/** The inputs of the test vectors that the certificate transparency projects share. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const leafHash = (bytes: Buffer): Buffer => bytesOf(leafDigest(bytes.toString('latin1')));

interface Tree {
  size: number;
  readonly tiles: Map<string, Buffer>;
}

function add(tree: Tree, leaves: readonly Buffer[]): Tree {
  const needed = new Map(growingTiles(tree.size).map((id) => [id, tree.tiles.get(id)] as const));
  const known = new Map([...needed].filter((entry): entry is [string, Buffer] => entry[1] !== undefined));
  for (const [id, hashes] of grow(tree.size, known, leaves)) tree.tiles.set(id, hashes);
  tree.size += leaves.length;
  return tree;
}

const treeOf = (leaves: readonly Buffer[]): Tree => add({ size: 0, tiles: new Map() }, leaves);
const numbered = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`${index}`)));

/** Works things out of a tree. */
const computingIn = ({ tiles }: Pick<Tree, 'tiles'>) => {
  const known = new Map([...tiles].map(([id, hashes]) => [id, new Tile(hashes)]));
  return <T>(work: (subtree: SubtreeHash) => T): T => computed(work, known);
};

/** Straight from the definition, without tiles. */
function definedRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0] as Buffer;
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return nodeHash(definedRoot(leaves.slice(0, half)), definedRoot(leaves.slice(half)));
}

test('the roots are those of the shared test vectors', () => {
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const leaves = INPUTS.map(leafHash);
  const compute = computingIn(treeOf(leaves));
  const roots = ROOTS.map((_, index) => compute((subtree) => rootHash(subtree, index + 1)).toString('hex'));
  expect(roots).toEqual(ROOTS);
});

test('a path and a consistency proof are those of the shared test vectors', () => {
  const compute = computingIn(treeOf(INPUTS.map(leafHash)));
  expect(compute((subtree) => inclusionPath(subtree, 5, 8)).map((hash) => hash.toString('hex'))).toEqual([
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
  expect(compute((subtree) => consistencyPath(subtree, 6, 8)).map((hash) => hash.toString('hex'))).toEqual([
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
});

test('of every size the tree is shown to begin every later one, and any other tree is not', () => {
  const [tree, other] = [treeOf(numbered(70)), treeOf([leafHash(Buffer.from('other')), ...numbered(70).slice(1)])];
  const [compute, computeOther] = [tree, other].map(computingIn);
  const rootIn = (computing: typeof compute, size: number) => ({
    size,
    root: computing?.((subtree) => rootHash(subtree, size)) ?? EMPTY_ROOT,
  });
  for (let to = 0; to <= 70; to++) {
    for (let from = 0; from <= to; from++) {
      const path = compute?.((subtree) => consistencyPath(subtree, from, to)) ?? [];
      const shown = [rootIn(compute, from), rootIn(computeOther, from)].map((begun) =>
        isConsistent(begun, rootIn(compute, to), path),
      );
      expect([from, to, ...shown]).toEqual([from, to, true, from === 0]);
    }
  }
});

describe('in tiles', () => {
  test('every root is what the definition says, however the leaves came', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 6 }), (batches) => {
        const leaves = numbered(batches.reduce((sum, count) => sum + count, 0));
        const tree: Tree = { size: 0, tiles: new Map() };
        for (const count of batches) add(tree, leaves.slice(tree.size, tree.size + count));
        expect(computingIn(tree)((subtree) => rootHash(subtree, leaves.length))).toEqual(definedRoot(leaves));
      }),
    );
  });

  test('the roots of earlier sizes stay', () => {
    const leaves = numbered(4_200);
    const compute = computingIn(treeOf(leaves));
    for (const size of [1, 63, 64, 65, 127, 128, 4_095, 4_096, 4_097, 4_200]) {
      expect(compute((subtree) => rootHash(subtree, size))).toEqual(definedRoot(leaves.slice(0, size)));
    }
  });

  test('a proof needs few tiles, and those alone', () => {
    const tree = treeOf(numbered(10_000));
    const path = (subtree: SubtreeHash) => inclusionPath(subtree, 7_777, 9_999);
    const ids = attempted(path, new Map<string, Tile>()).missing;
    expect(ids.length).toBeLessThan(12);
    const some = new Map(ids.map((id) => [id, tree.tiles.get(id) as Buffer]));
    expect(computingIn({ tiles: some })(path)).toEqual(computingIn(tree)(path));
    some.delete(ids[0] ?? '');
    expect(() => computingIn({ tiles: some })(path)).toThrow(`the tree lacks a part of tile ${ids[0] ?? ''}`);
  });

  test('what a crash left beyond the size is written again', () => {
    const leaves = numbered(100);
    const tree = treeOf(leaves);
    const again = grow(90, tree.tiles, leaves.slice(90, 95));
    const compute = computingIn({ tiles: new Map([...tree.tiles, ...again]) });
    expect(compute((subtree) => rootHash(subtree, 95))).toEqual(definedRoot(leaves.slice(0, 95)));
  });

  test('nothing is added to a tree of which a tile is gone or was cut', () => {
    const tree = treeOf(numbered(100));
    const [tile = Buffer.alloc(0)] = [tree.tiles.get('0/1')];
    const added = numbered(101).slice(100);
    for (const short of [Buffer.alloc(0), tile.subarray(0, -1)]) {
      expect(() => grow(100, new Map([...tree.tiles, ['0/1', short]]), added)).toThrow('lacks a part of tile 0/1');
    }
    tree.tiles.delete('1/0');
    expect(() => grow(127, new Map([...tree.tiles, ['0/1', Buffer.alloc(63 * 32)]]), added)).toThrow(
      'part of tile 1/0',
    );
  });

  test('subtrees that were worked out before a tile grew are those of the larger one', () => {
    const leaves = numbered(70);
    const early = computingIn(treeOf(leaves.slice(0, 50)));
    const compute = computingIn(treeOf(leaves));
    const root = (subtree: SubtreeHash) => rootHash(subtree, 43);
    expect(early(root)).toEqual(compute(root));
    expect(() => early((subtree) => rootHash(subtree, 51))).toThrow('the tree lacks a part');
  });
});
