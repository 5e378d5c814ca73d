import { lotGraph } from '../../../projections/lot-graph.js';
import type { RequestContext } from '../../kernel/route.js';
import type { Page, Row } from '../../ports/read-models.js';
import type { Ends, ReadEdges, StoredEdge } from './domain/walk.js';
import { inParts } from './parts.js';

const IDS_AT_ONCE = 5_000;
const PAGE = 10_000;
/** Small levels are read on the spot, large ones by a worker. */
const SMALL_PAGE = 200;

type Column = keyof StoredEdge;

/** For who wants to know how much went where. */
export const edgeReader = (context: RequestContext): ReadEdges<StoredEdge> =>
  reader(context, ['source', 'target', 'kind', 'variantId', 'quantity', 'settledLater'], edgeOf);

/** For who wants to know where it leads alone: of many edges that is read in half the time. */
export const endReader = (context: RequestContext): ReadEdges<Ends> =>
  reader(context, ['source', 'target'], ({ source, target }) => ({ source: String(source), target: String(target) }));

/** Many ids are read in parts and page by page, so that no answer is without limit. */
function reader<E, W extends Column>(context: RequestContext, wanted: readonly W[], of: (row: Row<W>) => E) {
  const pagesOf = async (end: keyof Ends, ids: readonly string[]): Promise<E[]> => {
    const edges: E[] = [];
    let limit = ids.length <= 10 ? SMALL_PAGE : PAGE;
    let cursor: string | null = null;
    do {
      const page: Page<Row<W>> = await context.reads.findRows(
        lotGraph,
        {
          oneOf: { column: end, values: ids },
          sort: { column: end, direction: 'asc' },
          limit,
          ...(cursor === null ? {} : { cursor }),
        },
        wanted,
      );
      for (const row of page.items) edges.push(of(row));
      cursor = page.nextCursor;
      limit = PAGE;
    } while (cursor !== null);
    return edges;
  };
  return (end: keyof Ends, ids: readonly string[]): Promise<readonly E[]> =>
    inParts(ids, IDS_AT_ONCE, (some) => pagesOf(end, some));
}

const edgeOf = (row: Row<Column>): StoredEdge => ({
  source: String(row.source),
  target: String(row.target),
  kind: row.kind as StoredEdge['kind'],
  variantId: String(row.variantId),
  quantity: Number(row.quantity),
  settledLater: row.settledLater === 1,
});
