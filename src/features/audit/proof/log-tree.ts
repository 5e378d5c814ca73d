import { LRUCache } from 'lru-cache';
import type { TreeDocument } from '../../../../projections/audit/audit-tree.js';
import { TREE_HEAD, auditTree, hashesOf } from '../../../../projections/audit/audit-tree.js';
import { Tile, TILE_WIDTH, attempted, computed } from '../../../kernel/proof/tiles.js';
import type { SubtreeHash } from '../../../kernel/proof/merkle.js';
import { HASH_BYTES, rootHash } from '../../../kernel/proof/merkle.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';
import type { EventStore, Position } from '../../../ports/event-store.js';
import type { ReadModels } from '../../../ports/read-models.js';

/** The tree belongs to no store. */
const NO_STORE = '';
const NO_RECORD = 'none';
const FOR_EVER = 0;
const NO_TILES = new Map<string, Tile>();
const ROOTS_BYTES = 64 * 1024;
/** Each takes some ten kilobytes with the subtrees that were asked for. */
const TILES_KEPT = 200;

/** The Merkle tree over the whole log, as far as its projector has come. */
export class LogTree {
  private readonly tiles = new LRUCache<string, Tile>({ max: TILES_KEPT });
  private readonly roots = new StampedCache<Buffer>(ROOTS_BYTES, (root) => root.length);

  constructor(
    private readonly reads: ReadModels,
    private readonly eventStore: Pick<EventStore, 'readAll'>,
  ) {}

  /** How many events the tree holds; at least all that the asker's store has been answered for. */
  async size(context: RequestContext): Promise<number> {
    // The read of a store waits for the last write of that store.
    await context.reads.get(auditTree, NO_RECORD);
    return this.presentSize();
  }

  /** How many it holds now. */
  async presentSize(): Promise<number> {
    const head = await this.reads.get(auditTree, NO_STORE, TREE_HEAD);
    return head ? ((JSON.parse(head.body) as TreeDocument).size ?? 0) : 0;
  }

  /** The root that it had at a size that it has reached: it is the same for ever. */
  root(size: number): Promise<Buffer> {
    return this.roots.getOrMake(String(size), FOR_EVER, () => this.compute((subtree) => rootHash(subtree, size)));
  }

  /** Its root when it had that size, out of what is stored now; undefined while it has not come so far. */
  async rootAt(size: number): Promise<string | undefined> {
    if ((await this.presentSize()) < size) return undefined;
    const root = (subtree: SubtreeHash) => rootHash(subtree, size);
    return computed(root, await this.read(attempted(root, NO_TILES).missing)).toString('hex');
  }

  /** Works something out of the tree: what a tile holds stays, so those that were read last are remembered. */
  async compute<T>(work: (subtree: SubtreeHash) => T): Promise<T> {
    const { value, missing } = attempted(work, this.tiles);
    if (missing.length === 0) return value;
    const read = await this.read(missing);
    for (const [id, tile] of read) this.tiles.set(id, tile);
    return computed(work, { get: (id) => read.get(id) ?? this.tiles.get(id) });
  }

  private async read(ids: readonly string[]): Promise<ReadonlyMap<string, Tile>> {
    const found = await this.reads.getMany(auditTree, NO_STORE, ids);
    return new Map(found.map(({ id, body }) => [id, new Tile(hashesOf(JSON.parse(body) as TreeDocument))]));
  }

  /** The number of the leaf that the event at a position became; undefined while the tree does not hold it. */
  async leafIndex(position: Position, leaf: Buffer): Promise<number | undefined> {
    const { items } = await this.reads.find(auditTree, {
      store: NO_STORE,
      range: { column: 'first', to: position },
      sort: { column: 'first', direction: 'desc' },
      limit: 1,
    });
    const [tile] = items;
    if (!tile) return undefined;
    const document = JSON.parse(tile.body) as TreeDocument;
    const { first = '' } = document;
    const start = Number(tile.id.slice(tile.id.indexOf('/') + 1)) * TILE_WIDTH;
    const hashes = hashesOf(document);
    this.tiles.set(tile.id, new Tile(hashes));
    const known = placeOf(leaf, hashes);
    if (known >= 0) return start + known;
    // An event that somebody changed has another hash than its leaf.
    if (first === position) return start;
    const following = await this.eventStore.readAll(first, TILE_WIDTH - 1);
    const offset = following.findIndex((event) => event.position === position);
    return offset < 0 ? undefined : start + 1 + offset;
  }
}

/** Which of some hashes, one after the other, it is; negative for none of them. */
function placeOf(hash: Buffer, hashes: Buffer): number {
  let at = hashes.indexOf(hash);
  while (at >= 0 && at % HASH_BYTES !== 0) at = hashes.indexOf(hash, at + 1);
  return at < 0 ? at : at / HASH_BYTES;
}
