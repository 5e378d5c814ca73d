import type { components } from 'openapi-client';

type Trace = components['schemas']['Trace'];
type TraceNode = Trace['nodes'][number];

export interface WayGroup {
  readonly id: string;
  readonly kind: 'lot' | 'order';
  readonly members: readonly TraceNode[];
  /** The recipes of orders. */
  readonly recipes: readonly string[];
  readonly isStart: boolean;
}

export interface GroupedWay {
  readonly groups: readonly WayGroup[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly quantity: number;
    readonly unit: string | null;
    readonly isLater: boolean;
  }[];
  /** The group that a lot stands in. */
  groupOf(nodeId: string): string | undefined;
}

/** How many steps each node is from the start, by the shortest way. */
function depths(trace: Trace, start: ReadonlySet<string>): ReadonlyMap<string, number> {
  const neighbours = new Map<string, string[]>();
  for (const { from, to } of trace.edges) {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
    }
  }
  const found = new Map([...start].map((id) => [id, 0]));
  const waiting = [...start];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const other of neighbours.get(next) ?? []) {
      if (found.has(other)) continue;
      found.set(other, (found.get(next) ?? 0) + 1);
      waiting.push(other);
    }
  }
  return found;
}

/** Lots of one product at one step stand together, and so do the orders that made them: the picture stays one, however many there are. */
export function groupedWay(trace: Trace, isGrouped: boolean): GroupedWay {
  const start = new Set(trace.lots.map(({ lotId }) => lotId));
  const depth = depths(trace, start);
  const orders = new Map(trace.orders.map((order) => [order.id, order]));
  const nodes = new Map(trace.nodes.map((node) => [node.id, node]));
  const keyOf = (node: TraceNode): string => {
    if (!isGrouped || start.has(node.id)) return node.id;
    const step = String(depth.get(node.id) ?? 0);
    return node.kind === 'LOT'
      ? `lot-${node.variantId ?? ''}-${step}`
      : `order-${orders.get(node.id)?.finishedVariantId ?? ''}-${step}`;
  };
  const groups = new Map<string, TraceNode[]>();
  for (const node of trace.nodes) groups.set(keyOf(node), [...(groups.get(keyOf(node)) ?? []), node]);
  const edges = new Map<string, GroupedWay['edges'][number]>();
  for (const { from, to, quantity, unit, settledLater } of trace.edges) {
    const [first, last] = [nodes.get(from), nodes.get(to)];
    if (!first || !last) continue;
    const ends = { from: keyOf(first), to: keyOf(last) };
    const known = edges.get(`${ends.from} ${ends.to}`);
    edges.set(`${ends.from} ${ends.to}`, {
      ...ends,
      quantity: (known?.quantity ?? 0) + quantity,
      unit,
      isLater: (known?.isLater ?? false) || settledLater,
    });
  }
  return {
    groups: [...groups].map(([id, members]) => ({
      id,
      kind: members[0]?.kind === 'ORDER' ? 'order' : 'lot',
      members,
      recipes: [...new Set(members.flatMap((node) => orders.get(node.id)?.recipeName ?? []))],
      isStart: members.some((node) => start.has(node.id)),
    })),
    edges: [...edges.values()],
    groupOf: (nodeId) => {
      const node = nodes.get(nodeId);
      return node && keyOf(node);
    },
  };
}
