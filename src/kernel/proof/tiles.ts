import type { SubtreeHash } from './merkle.js';
import { HASH_BYTES, nodeHash } from './merkle.js';

/**
 * The tree is stored in tiles: a tile of height 0 holds the hashes of up to 64 leaves, one of the next height those of 64 full tiles below
 * it, and so on. Full tiles never change; at the right edge one tile of each height grows.
 */

const TILE_HEIGHT = 6;
export const TILE_WIDTH = 2 ** TILE_HEIGHT;

export const tileId = (height: number, index: number): string => `${String(height)}/${String(index)}`;

/** A subtree is worked out from this tile's hashes, from `first` on, `count` of them. */
function placeOf(level: number, index: number) {
  const height = Math.floor(level / TILE_HEIGHT);
  const count = 1 << (level % TILE_HEIGHT);
  const tile = Math.floor((index * count) / TILE_WIDTH);
  return { id: tileId(height, tile), first: (index * count) % TILE_WIDTH, count };
}

const NOTHING = Buffer.alloc(HASH_BYTES);

type Tiles = Pick<ReadonlyMap<string, Tile>, 'get'>;

/** What a computation gives with some tiles, and the ids of those that it lacks: unless there are none, what it gives is worthless. */
export function attempted<T>(
  compute: (subtree: SubtreeHash) => T,
  tiles: Tiles,
): { readonly value: T; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const value = compute((level, index) => {
    const { id, first, count } = placeOf(level, index);
    const tile = tiles.get(id);
    if (tile?.has(first, count)) return tile.subtree(first, count);
    missing.add(id);
    return NOTHING;
  });
  return { value, missing: [...missing] };
}

const hashAt = (hashes: Buffer, index: number): Buffer => hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);

/** The hashes of a tile and, once they were asked for, those of the subtrees over them. They stay as they are while the tile grows. */
export class Tile {
  private readonly subtrees = new Map<number, Buffer>();

  constructor(readonly hashes: Buffer) {}

  has(first: number, count: number): boolean {
    return this.hashes.length >= (first + count) * HASH_BYTES;
  }

  /** Over a power of two of its hashes, from `first` on, which is a multiple of it. */
  subtree(first: number, count: number): Buffer {
    if (count === 1) return hashAt(this.hashes, first);
    const key = first * TILE_WIDTH + count;
    const known = this.subtrees.get(key);
    if (known) return known;
    const half = count / 2;
    const made = nodeHash(this.subtree(first, half), this.subtree(first + half, half));
    this.subtrees.set(key, made);
    return made;
  }
}

/** What a computation gives with the tiles that it takes; throws when one is missing or too short, which says that the tree is not whole. */
export function computed<T>(compute: (subtree: SubtreeHash) => T, tiles: Tiles): T {
  const { value, missing } = attempted(compute, tiles);
  if (missing.length > 0) throw new Error(`the tree lacks a part of tile ${missing.join(', ')}`);
  return value;
}

/** The tiles that grow next in a tree of that size, the lowest first. */
export function growingTiles(size: number): readonly string[] {
  const ids: string[] = [];
  for (let height = 0, index = Math.floor(size / TILE_WIDTH); ; height++) {
    ids.push(tileId(height, index));
    if (index === 0) return ids;
    index = Math.floor(index / TILE_WIDTH);
  }
}

/** Adds leaves to a tree of that size; gives the tiles that changed. What a tile holds beyond the size is written again. */
export function grow(
  size: number,
  tiles: ReadonlyMap<string, Buffer>,
  leaves: readonly Buffer[],
): ReadonlyMap<string, Buffer> {
  const changed = new Map<string, Buffer[]>();
  const hashesOf = (height: number, tile: number, count: number): Buffer[] => {
    const id = tileId(height, tile);
    let hashes = changed.get(id);
    if (!hashes) {
      const known = tiles.get(id) ?? Buffer.alloc(0);
      if (known.length < count * HASH_BYTES) throw new Error(`the tree lacks a part of tile ${id}`);
      hashes = Array.from({ length: count }, (_, index) => hashAt(known, index));
      changed.set(id, hashes);
    }
    return hashes;
  };
  const add = (height: number, index: number, hash: Buffer): void => {
    const tile = Math.floor(index / TILE_WIDTH);
    const hashes = hashesOf(height, tile, index % TILE_WIDTH);
    hashes.push(hash);
    if (hashes.length === TILE_WIDTH) add(height + 1, tile, new Tile(Buffer.concat(hashes)).subtree(0, TILE_WIDTH));
  };
  leaves.forEach((leaf, offset) => {
    add(0, size + offset, leaf);
  });
  return new Map([...changed].map(([id, hashes]) => [id, Buffer.concat(hashes)]));
}
