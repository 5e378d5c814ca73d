import type { Entry, InventoryEvent, SaleLine, Settlement } from '../src/features/inventory/events.js';
import { inventoryEvents } from '../src/features/inventory/events.js';
import { Decimal } from '../src/kernel/decimal.js';
import type { Recorded } from '../src/kernel/event.js';
import type { RecordHandler } from '../src/kernel/projector.js';
import { byDocument } from '../src/kernel/remembered.js';
import { recordCollection, recordProjector } from '../src/kernel/projector.js';

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
  /** Of the event that it last saw. */
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
  indexes: [['lotId', 'soldAt', 'saleId', 'customerId']],
  totals: ({ lotId, quantity, returnedQuantity }) => ({
    [lotId]: { lines: 1, quantity: Decimal.from(quantity), returned: Decimal.from(returnedQuantity) },
  }),
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

const settledBy = (entries: readonly Entry[]): Addition[] =>
  entries.flatMap((entry) =>
    entry.settlements.filter(({ originKind }) => originKind === 'SALE').map((settled) => soldLater({ entry, settled })),
  );

type Sale = Extract<InventoryEvent, { readonly type: 'SaleCompleted' }>['data'];

const soldNow = ({ saleId, customerId, occurredAt }: Sale, { issues }: SaleLine, line: number): Addition[] =>
  issues.flatMap(({ variantId, locationId, takes }) =>
    takes.map(({ lotId, quantity }) => ({
      id: idOf(saleId, line, lotId),
      born: { saleId, line, lotId, variantId, locationId, customerId, soldAt: occurredAt },
      quantity,
      returned: Decimal.zero,
    })),
  );

type ReturnedLine = Extract<InventoryEvent, { readonly type: 'SaleReturned' }>['data']['lines'][number];

const returnedNow = (saleId: string, { line, entries }: ReturnedLine): Addition[] =>
  entries.map(({ lotId, quantity }) => ({
    id: idOf(saleId, line, lotId),
    born: undefined,
    quantity: Decimal.zero,
    returned: quantity,
  }));

function added(document: SoldLotDocument | undefined, { born, quantity, returned }: Addition, seen: string) {
  if (!document) return born && { ...born, quantity: quantity.toString(), returnedQuantity: returned.toString(), seen };
  return {
    ...document,
    quantity: Decimal.from(document.quantity).plus(quantity).toString(),
    returnedQuantity: Decimal.from(document.returnedQuantity).plus(returned).toString(),
    seen,
  };
}

/** Adds what an event says, once. */
function adding<E extends Recorded<InventoryEvent>>(
  of: (data: E['data']) => readonly Addition[],
): RecordHandler<SoldLotDocument, E> {
  const additionsById = byDocument(
    ({ data }: E) => of(data),
    ({ id }) => id,
  );
  return {
    ids: (event) => [...additionsById(event).keys()],
    evolve(document, event, id) {
      const { position } = event;
      if (document && document.seen >= position) return document;
      return (additionsById(event).get(id) ?? []).reduce<SoldLotDocument | undefined>(
        (current, addition) => added(current, addition, position),
        document,
      );
    },
  };
}

const cancelledIds = ({ saleId, soldLots: taken }: Cancelled): string[] =>
  taken.map(({ line, lotId }) => idOf(saleId, line, lotId));
type Cancelled = Extract<InventoryEvent, { readonly type: 'SaleCancelled' }>['data'];

const settledByReturns = (lines: readonly ReturnedLine[]): Addition[] =>
  lines.flatMap(({ entries }) => settledBy(entries));

const onCancelled = adding<Recorded<Extract<InventoryEvent, { readonly type: 'SaleCancelled' }>>>(({ lines }) =>
  settledByReturns(lines),
);

export const soldLotsProjector = recordProjector(soldLots, [inventoryEvents], {
  SaleCompleted: adding((sale) => sale.lines.flatMap((line, index) => soldNow(sale, line, index))),
  SaleReturned: adding(({ saleId, lines }) => [
    ...lines.flatMap((line) => returnedNow(saleId, line)),
    ...settledByReturns(lines),
  ]),
  SaleCancelled: {
    ids: (event) => [...new Set([...cancelledIds(event.data), ...onCancelled.ids(event)])],
    evolve: (document, event, id) =>
      cancelledIds(event.data).includes(id) ? undefined : onCancelled.evolve(document, event, id),
  },
  StockOpened: adding(({ entries }) => settledBy(entries)),
  StockReceived: adding(({ entries }) => settledBy(entries)),
  StockAdjusted: adding(({ entries }) => settledBy(entries)),
  StockTransferred: adding(({ arrivals }) => settledBy(arrivals)),
  OrderCompleted: adding(({ output, byproducts }) => settledBy(output ? [output, ...byproducts] : byproducts)),
  OrderReversed: adding(({ inputs }) => inputs.flatMap(({ entries }) => settledBy(entries))),
});
