import { Decimal } from '../../../kernel/decimal.js';

/** An edge as it is stored: from a lot to an order that used it, or from an order to a lot that it made. */
export interface StoredEdge {
  readonly source: string;
  readonly target: string;
  readonly kind: 'USED' | 'MADE';
  readonly variantId: string;
  /** Negative where a reversal brought something back. */
  readonly quantity: number;
  readonly settledLater: boolean;
}

/** All edges between the same two. */
export interface Edge extends Omit<StoredEdge, 'quantity'> {
  readonly quantity: Decimal;
}

/** Every edge that has one of these ids at its end. */
export type ReadEdges = (end: 'source' | 'target', ids: readonly string[]) => Promise<readonly StoredEdge[]>;

export interface ReachedLot {
  readonly lotId: string;
  /** In orders from the lots where the walk began. */
  readonly depth: number;
  readonly viaOrderIds: ReadonlySet<string>;
}

export interface Walk {
  /** Those where it began come first, then level by level. */
  readonly lots: ReadonlyMap<string, ReachedLot>;
  readonly orders: ReadonlyMap<string, { readonly orderId: string; readonly depth: number }>;
  /** As they are stored: what a reversal brought back is an edge of its own. */
  readonly edges: readonly StoredEdge[];
}

export type Direction = 'backward' | 'forward';

export const MAX_DEPTH = 20;

/** Walks the graph level by level, with one read for the lots and one for the orders of a level; whatever was seen is not entered again. */
export async function walk(
  read: ReadEdges,
  start: readonly string[],
  direction: Direction,
  depth: number,
): Promise<Walk> {
  const lots = new Map<string, Reaching>(
    start.map((lotId) => [lotId, { lotId, depth: 0, viaOrderIds: new Set<string>() }]),
  );
  const orders = new Map<string, { readonly orderId: string; readonly depth: number }>();
  const edges: StoredEdge[] = [];
  const add = (found: readonly StoredEdge[]) => {
    for (const edge of found) edges.push(edge);
  };
  const [near, far] = direction === 'forward' ? (['source', 'target'] as const) : (['target', 'source'] as const);
  let frontier: readonly string[] = [...lots.keys()];
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const ofLots = await read(near, frontier);
    add(ofLots);
    const fresh = new Set(ofLots.map((edge) => edge[far]).filter((orderId) => !orders.has(orderId)));
    for (const orderId of fresh) orders.set(orderId, { orderId, depth: level });
    const ofOrders = await read(near, [...fresh]);
    add(ofOrders);
    frontier = reach(lots, ofOrders, near, far, level);
  }
  return { lots, orders, edges };
}

type Reaching = ReachedLot & { readonly viaOrderIds: Set<string> };

function reach(
  lots: Map<string, Reaching>,
  edges: readonly StoredEdge[],
  near: 'source' | 'target',
  far: 'source' | 'target',
  depth: number,
): string[] {
  const fresh: string[] = [];
  for (const edge of edges) {
    const lotId = edge[far];
    const orderId = edge[near];
    const known = lots.get(lotId);
    if (!known) {
      fresh.push(lotId);
      lots.set(lotId, { lotId, depth, viaOrderIds: new Set([orderId]) });
    } else if (known.depth > 0) {
      known.viaOrderIds.add(orderId);
    }
  }
  return fresh;
}

/** The edges between the same two as one, with what was brought back taken off. */
export function merged(edges: readonly StoredEdge[]): Edge[] {
  const byEnds = new Map<string, Edge>();
  for (const edge of edges) {
    const key = `${edge.source} ${edge.target}`;
    const known = byEnds.get(key);
    const quantity = Decimal.from(edge.quantity);
    byEnds.set(
      key,
      known
        ? { ...known, quantity: known.quantity.plus(quantity), settledLater: known.settledLater || edge.settledLater }
        : { ...edge, quantity },
    );
  }
  return [...byEnds.values()];
}
