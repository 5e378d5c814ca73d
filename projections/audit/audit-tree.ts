import { recordCollection, logFoldProjector } from '../../src/kernel/projections/projector.js';
import type { LogEvent } from '../../src/kernel/projections/log-event.js';
import { bytesOf, leafDigest } from '../../src/kernel/proof/merkle.js';
import { TILE_WIDTH, grow, growingTiles, tileId } from '../../src/kernel/proof/tiles.js';

/** A tile of the Merkle tree over all events, or its head, which has no hashes and says how many leaves there are. */
export interface TreeDocument {
  /** The hashes, one after the other, in base64. */
  readonly hashes?: string;
  /** Where the first leaf of a tile of leaves stands in the log. */
  readonly first?: string;
  readonly size?: number;
}

export const TREE_HEAD = 'head';

/** The tiles lie beside no store: the tree holds the events of all of them, in the order of the log. */
export const auditTree = recordCollection<TreeDocument>({
  name: 'audit-tree',
  version: 1,
  hidden: [],
  columns: { first: { type: 'text', of: ({ first }) => first ?? null } },
  indexes: [['first']],
});

/** What a leaf is made of: where the event stands, and the hash that chains it to those before it. */
const leafText = (stream: string, revision: number, hash: string): string => `${stream}\n${String(revision)}\n${hash}`;

export const leafOf = ({ stored, meta }: Pick<LogEvent, 'stored' | 'meta'>): Buffer =>
  bytesOf(leafDigest(leafText(stored.stream, stored.revision, meta.hash)));

export const hashesOf = ({ hashes = '' }: TreeDocument): Buffer => Buffer.from(hashes, 'base64');

const sizeOf = (head: TreeDocument | undefined): number => head?.size ?? 0;

export const auditTreeProjector = logFoldProjector(auditTree, {
  head: TREE_HEAD,
  needs: (head: TreeDocument | undefined) => growingTiles(sizeOf(head)),
  fold(documents: ReadonlyMap<string, TreeDocument>, events) {
    const size = sizeOf(documents.get(TREE_HEAD));
    const tiles = new Map([...documents].filter(([id]) => id !== TREE_HEAD).map(([id, tile]) => [id, hashesOf(tile)]));
    const firstOf = new Map<string, string>();
    for (const [offset, { stored }] of events.entries()) {
      const index = size + offset;
      if (index % TILE_WIDTH === 0) firstOf.set(tileId(0, index / TILE_WIDTH), stored.position);
    }
    const changed = new Map<string, TreeDocument>();
    for (const [id, hashes] of grow(size, tiles, events.map(leafOf))) {
      const first = firstOf.get(id) ?? documents.get(id)?.first;
      changed.set(id, { hashes: hashes.toString('base64'), ...(first === undefined ? {} : { first }) });
    }
    return changed.set(TREE_HEAD, { size: size + events.length });
  },
});
