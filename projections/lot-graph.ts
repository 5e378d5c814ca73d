import type { Entry, InventoryEvent, Issue } from '../src/features/inventory/events.js';
import { inventoryEvents } from '../src/features/inventory/events.js';
import type { Decimal } from '../src/kernel/decimal.js';
import type { RowToAdd } from '../src/kernel/projector.js';
import { rowCollection, rowProjector } from '../src/kernel/projector.js';

/**
 * Which orders took from which lots, and which lots they made: an edge from a lot to an order or from an order to a lot. What a reversal
 * brought back stands beside it with a negative quantity.
 */
export const lotGraph = rowCollection({
  name: 'lot-graph',
  version: 1,
  columns: {
    source: 'text',
    target: 'text',
    kind: 'text',
    variantId: 'text',
    quantity: 'real',
    settledLater: 'integer',
  },
  indexes: [['source'], ['target']],
});

/** USED: lot to order. MADE: order to lot. */
export type EdgeKind = 'USED' | 'MADE';

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly kind: EdgeKind;
  readonly variantId: string;
  readonly quantity: Decimal;
  readonly settledLater?: boolean;
}

const rows = (edges: readonly Edge[]): RowToAdd[] =>
  edges.map(({ quantity, settledLater = false, ...edge }, index) => ({
    key: String(index),
    values: { ...edge, quantity: quantity.toNumber(), settledLater: settledLater ? 1 : 0 },
  }));

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

/** Debts of orders that an entry made good. */
const usedLater = (entries: readonly Entry[]): Edge[] =>
  entries.flatMap(({ lotId, variantId, settlements }) =>
    settlements
      .filter(({ originKind }) => originKind === 'ORDER')
      .map(({ originId, quantity }) => ({
        source: lotId,
        target: originId,
        kind: 'USED' as const,
        variantId,
        quantity,
        settledLater: true,
      })),
  );

type Fact<T extends InventoryEvent['type']> = Extract<InventoryEvent, { readonly type: T }>['data'];

function completed({ orderId, consumptions, output, byproducts }: Fact<'OrderCompleted'>): Edge[] {
  const entries = output ? [output, ...byproducts] : byproducts;
  return [
    ...consumptions.flatMap((consumption) => used(orderId, consumption)),
    ...entries.map((entry) => made(orderId, entry)),
    ...usedLater(entries),
  ];
}

function reversed({ orderId, output, byproducts, inputs }: Fact<'OrderReversed'>): Edge[] {
  const entries = inputs.flatMap((input) => input.entries);
  return [
    ...[output, ...byproducts].flatMap(({ issues }) => issues.flatMap((issue) => unmade(orderId, issue))),
    ...entries.map((entry) => givenBack(orderId, entry)),
    ...usedLater(entries),
  ];
}

export const lotGraphProjector = rowProjector(lotGraph, [inventoryEvents], {
  OrderCompleted: ({ data }) => rows(completed(data)),
  OrderReversed: ({ data }) => rows(reversed(data)),
  StockOpened: ({ data }) => rows(usedLater(data.entries)),
  StockReceived: ({ data }) => rows(usedLater(data.entries)),
  StockAdjusted: ({ data }) => rows(usedLater(data.entries)),
  StockTransferred: ({ data }) => rows(usedLater(data.arrivals)),
  SaleReturned: ({ data }) => rows(data.lines.flatMap(({ entries }) => usedLater(entries))),
  SaleCancelled: ({ data }) => rows(data.lines.flatMap(({ entries }) => usedLater(entries))),
});
