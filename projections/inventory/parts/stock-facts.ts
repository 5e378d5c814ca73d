import type { Entry, Forgiven, InventoryEvent, Issue } from '../../../src/features/inventory/events.js';
import { entriesOf } from '../../../src/features/inventory/events.js';
import type { DomainEvent, Recorded } from '../../../src/kernel/events/event.js';
import type {
  RecordHandler,
  RecordHandlers,
  RowHandlers,
  RowToAdd,
} from '../../../src/kernel/projections/projector.js';
import { memoise } from '../../../src/kernel/values/memoise.js';

/** Why goods moved. */
export const MOVEMENT_KINDS = [
  'OPENING',
  'RECEIPT',
  'ADJUSTMENT',
  'TRANSFER',
  'SALE',
  'RETURN',
  'CANCELLATION',
  'CONSUMPTION',
  'OUTPUT',
  'REVERSAL',
  'SETTLEMENT',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** One movement of a fact: goods leave a location, enter it, or are no longer owed there. */
export type Movement = { readonly kind: MovementKind; readonly sourceId: string } & (
  | { readonly issue: Issue; readonly entry?: never; readonly forgiven?: never }
  | { readonly entry: Entry; readonly issue?: never; readonly forgiven?: never }
  | { readonly forgiven: Forgiven; readonly issue?: never; readonly entry?: never }
);

/** A fact that moves goods. */
export type StockFact = Extract<
  InventoryEvent,
  {
    readonly type:
      | 'StockOpened'
      | 'StockReceived'
      | 'StockAdjusted'
      | 'StockTransferred'
      | 'SaleCompleted'
      | 'SaleReturned'
      | 'SaleCancelled'
      | 'OrderCompleted'
      | 'OrderReversed';
  }
>;

interface Moved {
  readonly issues?: readonly Issue[];
  readonly entries?: readonly Entry[];
  readonly forgiven?: readonly Forgiven[];
}

/** Debts shrink before goods come back, and goods leave before others enter. */
const movements = (kind: MovementKind, sourceId: string, { issues, forgiven, entries }: Moved): Movement[] => [
  ...(issues ?? []).map((issue) => ({ kind, sourceId, issue })),
  ...(forgiven ?? []).map((one) => ({ kind, sourceId, forgiven: one })),
  ...(entries ?? []).map((entry) => ({ kind, sourceId, entry })),
];

/** What a fact moves, in the order in which its balances and averages were counted. */
export const movementsOf = memoise(listed);

function listed(event: StockFact): readonly Movement[] {
  switch (event.type) {
    case 'StockOpened':
      return movements('OPENING', event.data.openingId, event.data);
    case 'StockReceived':
      return movements('RECEIPT', event.data.receiptId, event.data);
    case 'StockAdjusted':
      return movements('ADJUSTMENT', event.data.adjustmentId, event.data);
    case 'StockTransferred': {
      const { transferId, issues, arrivals } = event.data;
      return movements('TRANSFER', transferId, { issues, entries: arrivals });
    }
    case 'SaleCompleted':
      return event.data.lines.flatMap((line) => movements('SALE', event.data.saleId, line));
    case 'SaleReturned':
      return cameBack('RETURN', event.data.saleId, event.data.lines);
    case 'SaleCancelled':
      return cameBack('CANCELLATION', event.data.saleId, event.data.lines);
    case 'OrderCompleted': {
      const { orderId, consumptions } = event.data;
      return [
        ...movements('CONSUMPTION', orderId, { issues: consumptions }),
        ...movements('OUTPUT', orderId, { entries: entriesOf(event) }),
      ];
    }
    case 'OrderReversed': {
      const { orderId, output, byproducts, inputs } = event.data;
      return [
        ...movements('REVERSAL', orderId, { issues: [output, ...byproducts].flatMap(({ issues }) => issues) }),
        ...cameBack('REVERSAL', orderId, inputs),
      ];
    }
  }
}

/** All of the comebacks' debts shrink before any of their goods enter. */
const cameBack = (
  kind: MovementKind,
  sourceId: string,
  comebacks: readonly Required<Pick<Moved, 'entries' | 'forgiven'>>[],
) =>
  movements(kind, sourceId, {
    forgiven: comebacks.flatMap(({ forgiven }) => forgiven),
    entries: comebacks.flatMap(({ entries }) => entries),
  });

const onEach = <H>(handler: H): Record<StockFact['type'], H> => ({
  StockOpened: handler,
  StockReceived: handler,
  StockAdjusted: handler,
  StockTransferred: handler,
  SaleCompleted: handler,
  SaleReturned: handler,
  SaleCancelled: handler,
  OrderCompleted: handler,
  OrderReversed: handler,
});

const MOVING: Readonly<Partial<Record<string, true>>> = onEach(true as const);

export const movesStock = <E extends DomainEvent>(event: E): event is E & Recorded<StockFact> =>
  MOVING[event.type] === true;

/** One handler for all facts that move goods. */
export const onMovements = <D extends object>(
  handler: RecordHandler<D, Recorded<StockFact>>,
): RecordHandlers<D, StockFact> => onEach(handler);

export const rowsOnMovements = (handler: (event: Recorded<StockFact>) => readonly RowToAdd[]): RowHandlers<StockFact> =>
  onEach(handler);

export const moved = ({ issue, entry, forgiven }: Movement): Issue | Entry | Forgiven => issue ?? entry ?? forgiven;
