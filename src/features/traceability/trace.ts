import { codeSubject, lots } from '../../../projections/inventory/lots.js';
import type { OrderDocument } from '../../../projections/production/orders.js';
import { orders } from '../../../projections/production/orders.js';
import { products } from '../../../projections/products/products.js';
import { lotGraph } from '../../../projections/traceability/lot-graph.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Resting } from '../../ports/read-models.js';
import type { Catalogue, VariantLabel } from '../contracts/catalogue.js';
import type { Direction, Edge, StoredEdge } from './graph-walk.js';
import { lotOf, merged, orderOf } from './graph-walk.js';
import { walkWithEdges } from './edges.js';
import { expiryDay } from './lot-details.js';
import type { LotRecord } from './lots.js';
import { lotsById, lotsWithCode } from './lots.js';

interface TraceRequest {
  readonly lotCode: string;
  readonly variantId: string | undefined;
  readonly direction: Direction;
  readonly depth: number;
  readonly page: number;
  readonly pageSize: number;
}

interface Known {
  readonly catalogue: Catalogue;
  readonly timeZone: string;
}

const BENEATH = { about: [lots, lotGraph, orders], records: [products] };

/** The trace as JSON, kept until something is written about a lot or an order that it reaches, or of a product that it names. */
export const keptTrace = (context: RequestContext, known: Known, request: TraceRequest): Promise<Buffer> =>
  context.reads.kept(BENEATH, JSON.stringify(['trace', known.timeZone, request]), async (resting) =>
    Buffer.from(JSON.stringify(await trace(context, known, request, resting))),
  );

/** Where goods came from or went to: the orders page by page, with the lots and edges that belong to those of the page. */
async function trace(
  context: RequestContext,
  { catalogue, timeZone }: Known,
  { lotCode, variantId, direction, depth, page, pageSize }: TraceRequest,
  resting: Resting,
) {
  const matched = await lotsWithCode(context, lotCode, variantId);
  const start = matched.map(({ lotId }) => lotId);
  const { walked, edges: allEdges } = await walkWithEdges(context, direction, start, depth);
  resting.about([codeSubject(lotCode)]);
  for (const stops of [walked.lots, walked.orders]) resting.about(stops.map(({ subject }) => subject));
  const first = (page - 1) * pageSize;
  const pageIds = walked.orders.slice(first, first + pageSize).map(({ subject }) => subject);
  const depths = new Map(pageIds.map((id, index) => [id, walked.depthOfOrder(first + index)]));
  const edges = edgesOf(allEdges, new Set(pageIds));
  const { lots: shownLots, orderRecords } = await recordsOf(context, matched, edges, pageIds);
  const facts = await catalogue.labels(
    context,
    [...shownLots.values()].map((lot) => lot.variantId),
  );
  resting.shows(
    products,
    [...facts.values()].map(({ productId }) => productId),
  );
  return {
    lotCode: matched[0]?.lotCode ?? lotCode,
    direction,
    lots: matched.map((lot) => matchedLot(lot, facts, timeZone)),
    nodes: [
      ...[...shownLots.values()].map((lot) => lotNode(lot, facts, timeZone)),
      ...orderRecords.map((order) => orderNode(order)),
    ],
    edges: edges.map((edge) => shownEdge(edge, facts)),
    orders: orderRecords.map((order) => tracedOrder(order, depths.get(order.id) ?? 0)),
    page,
    pageSize,
    total: walked.orders.length,
  };
}

const edgesOf = (edges: readonly StoredEdge[], orderIds: ReadonlySet<string>): Edge[] =>
  merged(edges.filter((edge) => orderIds.has(orderOf(edge))));

async function recordsOf(
  context: RequestContext,
  matched: readonly LotRecord[],
  edges: readonly Edge[],
  orderIds: readonly string[],
) {
  const lotIds = new Set(edges.map(lotOf));
  for (const { lotId } of matched) lotIds.delete(lotId);
  const [others, records] = await Promise.all([
    lotsById(context, [...lotIds]),
    context.reads.getMany(orders, orderIds),
  ]);
  const found = new Map<string, LotRecord>([...matched.map((lot) => [lot.lotId, lot] as const), ...others]);
  return { lots: found, orderRecords: records.map(({ body }) => JSON.parse(body) as OrderDocument) };
}

type Facts = ReadonlyMap<string, VariantLabel>;

const matchedLot = (lot: LotRecord, facts: Facts, timeZone: string) => ({
  lotId: lot.lotId,
  lotCode: lot.lotCode,
  variantId: lot.variantId,
  description: facts.get(lot.variantId)?.description ?? null,
  receivedAt: lot.receivedAt,
  expiresAt: lot.expiresAt,
  expiresOn: expiryDay(lot.expiresAt, timeZone),
  status: lot.status,
  origin: lot.origin,
  originId: lot.originId,
  receiptId: lot.receiptId,
  supplier: lot.supplier,
  document: lot.document,
});

const lotNode = (lot: LotRecord, facts: Facts, timeZone: string) => ({
  id: lot.lotId,
  kind: 'LOT' as const,
  lotCode: lot.lotCode,
  variantId: lot.variantId,
  description: facts.get(lot.variantId)?.description ?? null,
  status: lot.status,
  expiresOn: expiryDay(lot.expiresAt, timeZone),
  supplier: lot.supplier,
  at: lot.receivedAt,
});

const orderNode = (order: OrderDocument) => ({
  id: order.id,
  kind: 'ORDER' as const,
  variantId: order.finishedVariantId,
  description: order.recipeName,
  orderNumber: order.number,
  status: order.status,
  at: order.completedAt ?? order.createdAt,
});

const shownEdge = ({ source, target, quantity, variantId, settledLater }: Edge, facts: Facts) => ({
  from: source,
  to: target,
  variantId,
  quantity: quantity.toNumber(),
  unit: facts.get(variantId)?.saleUnit ?? null,
  settledLater,
});

const tracedOrder = (order: OrderDocument, depth: number) => ({
  id: order.id,
  number: order.number,
  status: order.status,
  recipeId: order.recipeId,
  recipeName: order.recipeName,
  finishedVariantId: order.finishedVariantId,
  batches: order.batches,
  actualOutputQty: order.actualOutputQty,
  outputLotCode: order.outputLotCode,
  completedAt: order.completedAt,
  depth,
});
