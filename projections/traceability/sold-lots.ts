import type { Entry, InventoryFact, SaleLine, Settlement } from '../../src/features/inventory/events.js';
import { inventoryEvents, settlementsOf } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { adding } from '../../src/kernel/projections/adding.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import type { StockFact } from '../inventory/parts/stock-facts.js';
import { onMovements } from '../inventory/parts/stock-facts.js';

/** What one line of a sale took of one lot, also when the lot made a debt good later: what a recall looks for. Ids alone. */
export interface SoldLotDocument {
  readonly saleId: string;
  readonly line: number;
  readonly lotId: string;
  readonly variantId: string;
  readonly locationId: string;
  readonly customerId: string | null;
  readonly soldAt: string;
  readonly quantity: string;
  readonly returnedQuantity: string;
  /** The position of the event that it last saw. */
  readonly seen: string;
}

/** What is counted of each lot. */
export interface SoldLotTotals {
  readonly lines?: number;
  readonly quantity?: number;
  readonly returned?: number;
}

export const soldLots = recordCollection<SoldLotDocument>({
  name: 'sold-lots',
  version: 1,
  hidden: ['seen'],
  columns: {
    lotId: { type: 'text', of: ({ lotId }) => lotId },
    soldAt: { type: 'text', of: ({ soldAt }) => soldAt },
    saleId: { type: 'text', of: ({ saleId }) => saleId },
    customerId: { type: 'text', of: ({ customerId }) => customerId },
  },
  isWrittenOnce: true,
  subjectsOf: (id) => [id.slice(id.lastIndexOf('/') + 1)],
  indexes: [['lotId', 'soldAt', 'saleId', 'customerId']],
  totals: ({ lotId, quantity, returnedQuantity }) => [
    [lotId, { lines: 1, quantity: Decimal.from(quantity), returned: Decimal.from(returnedQuantity) }],
  ],
});

const idOf = (saleId: string, line: number, lotId: string): string => `${saleId}/${String(line)}/${lotId}`;

/** What an event adds to one document. */
interface Addition {
  readonly id: string;
  readonly born: Omit<SoldLotDocument, 'quantity' | 'returnedQuantity' | 'seen'> | undefined;
  readonly quantity: Decimal;
  readonly returned: Decimal;
}

const soldLater = ({ entry, settled }: { readonly entry: Entry; readonly settled: Settlement }): Addition => ({
  id: idOf(settled.originId, settled.line, entry.lotId),
  born: {
    saleId: settled.originId,
    line: settled.line,
    lotId: entry.lotId,
    variantId: entry.variantId,
    locationId: entry.locationId,
    customerId: settled.customerId,
    soldAt: settled.occurredAt,
  },
  quantity: settled.quantity,
  returned: Decimal.zero,
});

const soldNow = (
  { saleId, customerId, occurredAt }: InventoryFact<'SaleCompleted'>,
  { issues }: SaleLine,
  line: number,
): Addition[] =>
  issues.flatMap(({ variantId, locationId, takes }) =>
    takes.map(({ lotId, quantity }) => ({
      id: idOf(saleId, line, lotId),
      born: { saleId, line, lotId, variantId, locationId, customerId, soldAt: occurredAt },
      quantity,
      returned: Decimal.zero,
    })),
  );

const returnedNow = ({ saleId, lines }: InventoryFact<'SaleReturned'>): Addition[] =>
  lines.flatMap(({ line, entries }) =>
    entries.map(({ lotId, quantity }) => ({
      id: idOf(saleId, line, lotId),
      born: undefined,
      quantity: Decimal.zero,
      returned: quantity,
    })),
  );

/** Members are written out one by one: a spread takes as long as all else that is done here. */
function added(document: SoldLotDocument | undefined, { born, quantity, returned }: Addition, seen: string) {
  const of = document ?? born;
  if (!of) return undefined;
  const { saleId, line, lotId, variantId, locationId, customerId, soldAt } = of;
  const before = { quantity: document?.quantity ?? '0', returned: document?.returnedQuantity ?? '0' };
  return {
    saleId,
    line,
    lotId,
    variantId,
    locationId,
    customerId,
    soldAt,
    quantity: Decimal.from(before.quantity).plus(quantity).toString(),
    returnedQuantity: Decimal.from(before.returned).plus(returned).toString(),
    seen,
  };
}

function additionsOf(event: Recorded<StockFact>): Addition[] {
  const settled = settlementsOf(event, 'SALE').map(soldLater);
  switch (event.type) {
    case 'SaleCompleted':
      return event.data.lines.flatMap((line, index) => soldNow(event.data, line, index));
    case 'SaleReturned':
      return [...returnedNow(event.data), ...settled];
    default:
      return settled;
  }
}

const onMoved: RecordHandler<SoldLotDocument, Recorded<StockFact>> = adding(
  additionsOf,
  ({ id }) => id,
  (document: SoldLotDocument | undefined, additions, { position }) =>
    additions.reduce<SoldLotDocument | undefined>((current, addition) => added(current, addition, position), document),
);

const cancelledIds = ({ saleId, soldLots: taken }: InventoryFact<'SaleCancelled'>): string[] =>
  taken.map(({ line, lotId }) => idOf(saleId, line, lotId));

export const soldLotsProjector = recordProjector(soldLots, [inventoryEvents], {
  ...onMovements(onMoved),
  SaleCancelled: {
    ids: (event) => [...new Set([...cancelledIds(event.data), ...onMoved.ids(event)])],
    evolve: (document, event, id) =>
      cancelledIds(event.data).includes(id) ? undefined : onMoved.evolve(document, event, id),
  },
});
