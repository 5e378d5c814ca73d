import { Decimal } from '../../kernel/values/decimal.js';

/** From a lot to an order that used it, or from an order to a lot that it made. */
export interface Ends {
  readonly source: string;
  readonly target: string;
}

/** An edge as it is stored. */
export interface StoredEdge extends Ends {
  readonly kind: 'USED' | 'MADE';
  readonly variantId: string;
  /** Negative where a reversal brought something back. */
  readonly quantity: number;
  readonly settledLater: boolean;
}

export const lotOf = ({ kind, source, target }: Pick<StoredEdge, 'kind' | keyof Ends>): string =>
  kind === 'USED' ? source : target;

export const orderOf = ({ kind, source, target }: Pick<StoredEdge, 'kind' | keyof Ends>): string =>
  kind === 'USED' ? target : source;

/** All edges between the same two. */
export interface Edge extends Omit<StoredEdge, 'quantity'> {
  readonly quantity: Decimal;
}

/** Every edge that has one of these ids at its end. */
export type ReadEdges<E extends Ends> = (end: keyof Ends, ids: readonly string[]) => Promise<readonly E[]>;

export interface ReachedLot {
  readonly lotId: string;
  /** In orders from the lots where the walk began. */
  readonly depth: number;
  readonly viaOrderIds: ReadonlySet<string>;
}

/** What a walk came to. */
export interface Reached {
  /** Those where it began come first, then level by level. */
  readonly lots: ReadonlyMap<string, ReachedLot>;
  readonly orders: ReadonlyMap<string, { readonly orderId: string; readonly depth: number }>;
}

export interface Walk<E extends Ends> extends Reached {
  /** As they are stored: what a reversal brought back is an edge of its own. */
  readonly edges: readonly E[];
}

export type Direction = 'backward' | 'forward';

export const MAX_DEPTH = 20;

/** Walks the graph level by level, with one read for the lots and one for the orders of a level; whatever was seen is not entered again. */
export async function walk<E extends Ends>(
  read: ReadEdges<E>,
  start: readonly string[],
  direction: Direction,
  depth: number,
): Promise<Walk<E>> {
  const lots = new Map<string, Reaching>(
    start.map((lotId) => [lotId, { lotId, depth: 0, viaOrderIds: new Set<string>() }]),
  );
  const orders = new Map<string, { readonly orderId: string; readonly depth: number }>();
  const edges: E[] = [];
  const add = (found: readonly E[]) => {
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
  edges: readonly Ends[],
  near: keyof Ends,
  far: keyof Ends,
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
