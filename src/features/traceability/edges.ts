import { lotGraph } from '../../../projections/traceability/lot-graph.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Row } from '../../ports/read-models.js';
import type { Ends, ReadEdges, StoredEdge } from './graph-walk.js';
import { inBatches } from '../../kernel/values/in-batches.js';

const IDS_AT_ONCE = 5_000;
const PAGE = 50_000;
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
  const edgesOf = async (end: keyof Ends, ids: readonly string[]): Promise<E[]> => {
    const edges: E[] = [];
    const oneOf = { column: end, values: ids };
    const sort = { column: end, direction: 'asc' } as const;
    const pages = pagesOf((at) => {
      const limit = ids.length <= 10 && at.cursor === undefined ? SMALL_PAGE : PAGE;
      return context.reads.findRows(lotGraph, { oneOf, sort, limit, ...at }, wanted);
    });
    for await (const page of pages) for (const row of page) edges.push(of(row));
    return edges;
  };
  return (end: keyof Ends, ids: readonly string[]): Promise<readonly E[]> =>
    inBatches(ids, IDS_AT_ONCE, (some) => edgesOf(end, some));
}

const edgeOf = (row: Row<Column>): StoredEdge => ({
  source: String(row.source),
  target: String(row.target),
  kind: row.kind as StoredEdge['kind'],
  variantId: String(row.variantId),
  quantity: Number(row.quantity),
  settledLater: row.settledLater === 1,
});
