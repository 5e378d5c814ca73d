import { lotGraph } from '../../../projections/lot-graph.js';
import type { RequestContext } from '../../kernel/route.js';
import type { Page, Row } from '../../ports/read-models.js';
import type { ReadEdges, StoredEdge } from './domain/walk.js';

const IDS_AT_ONCE = 5_000;
const PAGE = 10_000;
/** Small levels are read on the spot, large ones by a worker. */
const SMALL_PAGE = 200;

/** Reads the edges of many ids page by page, so that no answer is without limit. */
export const edgeReader =
  (context: RequestContext): ReadEdges =>
  async (end, ids) => {
    const edges: StoredEdge[] = [];
    for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
      const some = ids.slice(first, first + IDS_AT_ONCE);
      let limit = some.length <= 10 ? SMALL_PAGE : PAGE;
      let cursor: string | null = null;
      do {
        const page: Page<Row<keyof StoredEdge>> = await context.reads.findRows(lotGraph, {
          oneOf: { column: end, values: some },
          sort: { column: end, direction: 'asc' },
          limit,
          ...(cursor === null ? {} : { cursor }),
        });
        for (const row of page.items) edges.push(edgeOf(row));
        cursor = page.nextCursor;
        limit = PAGE;
      } while (cursor !== null);
    }
    return edges;
  };

const edgeOf = (row: Row<keyof StoredEdge>): StoredEdge => ({
  source: String(row.source),
  target: String(row.target),
  kind: row.kind as StoredEdge['kind'],
  variantId: String(row.variantId),
  quantity: Number(row.quantity),
  settledLater: row.settledLater === 1,
});
