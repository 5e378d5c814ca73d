import type { Entry, Issue } from '../../src/features/inventory/events.js';
import { entriesOf, inventoryEvents, settlementsOf } from '../../src/features/inventory/events.js';
import type { Decimal } from '../../src/kernel/values/decimal.js';
import type { RowToAdd } from '../../src/kernel/projections/projector.js';
import { rowCollection, rowProjector, rowsInOrder } from '../../src/kernel/projections/projector.js';
import type { StockFact } from '../inventory/parts/stock-facts.js';
import { rowsOnMovements } from '../inventory/parts/stock-facts.js';

/**
 * Which orders took from which lots, and which lots they made: an edge from a lot to an order or from an order to a lot. What a reversal
 * brought back stands beside it with a negative quantity.
 */
export const lotGraph = rowCollection({
  name: 'lot-graph',
  version: 2,
  columns: {
    source: 'id',
    target: 'id',
    kind: 'text',
    variantId: 'id',
    quantity: 'real',
    settledLater: 'integer',
  },
  indexes: [['source'], ['target']],
  repeated: ['target', 'kind', 'settledLater'],
  subjects: ['source', 'target'],
});

/** USED: lot to order. MADE: order to lot. */
type EdgeKind = 'USED' | 'MADE';

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly kind: EdgeKind;
  readonly variantId: string;
  readonly quantity: Decimal;
  readonly settledLater?: boolean;
}

const rows = (edges: readonly Edge[]): RowToAdd[] =>
  rowsInOrder(
    edges.map(({ source, target, kind, variantId, quantity, settledLater }) => ({
      source,
      target,
      kind,
      variantId,
      quantity: quantity.toNumber(),
      settledLater: settledLater ? 1 : 0,
    })),
  );

const used = (orderId: string, { variantId, takes }: Issue): Edge[] =>
  takes.map(({ lotId, quantity }) => ({ source: lotId, target: orderId, kind: 'USED', variantId, quantity }));

const made = (orderId: string, { lotId, variantId, quantity }: Entry): Edge => ({
  source: orderId,
  target: lotId,
  kind: 'MADE',
  variantId,
  quantity,
});

const unmade = (orderId: string, { variantId, takes }: Issue): Edge[] =>
  takes.map(({ lotId, quantity }) => ({
    source: orderId,
    target: lotId,
    kind: 'MADE',
    variantId,
    quantity: quantity.negated(),
  }));

const givenBack = (orderId: string, { lotId, variantId, quantity }: Entry): Edge => ({
  source: lotId,
  target: orderId,
  kind: 'USED',
  variantId,
  quantity: quantity.negated(),
});

/** Debts of orders that an event made good. */
const usedLater = (event: StockFact): Edge[] =>
  settlementsOf(event, 'ORDER').map(({ entry, settled }) => ({
    source: entry.lotId,
    target: settled.originId,
    kind: 'USED',
    variantId: entry.variantId,
    quantity: settled.quantity,
    settledLater: true,
  }));

function ownEdges(event: StockFact): Edge[] {
  switch (event.type) {
    case 'OrderCompleted': {
      const { orderId, consumptions } = event.data;
      const entries = entriesOf(event);
      return [
        ...consumptions.flatMap((consumption) => used(orderId, consumption)),
        ...entries.map((entry) => made(orderId, entry)),
      ];
    }
    case 'OrderReversed': {
      const { orderId, output, byproducts } = event.data;
      const entries = entriesOf(event);
      return [
        ...[output, ...byproducts].flatMap(({ issues }) => issues.flatMap((issue) => unmade(orderId, issue))),
        ...entries.map((entry) => givenBack(orderId, entry)),
      ];
    }
    default:
      return [];
  }
}

export const lotGraphProjector = rowProjector(
  lotGraph,
  [inventoryEvents],
  rowsOnMovements((event) => rows([...ownEdges(event), ...usedLater(event)])),
);
