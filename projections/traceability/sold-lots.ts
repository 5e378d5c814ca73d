import type { Entry, InventoryFact, Settlement } from '../../src/features/inventory/events.js';
import { inventoryEvents, settlementsOf } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { grouped } from '../../src/kernel/values/grouped.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { adding } from '../../src/kernel/projections/adding.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import type { StockFact } from '../inventory/parts/stock-facts.js';
import { onMovements } from '../inventory/parts/stock-facts.js';

/** What one line of a sale took of one lot, also when the lot made a debt good later. Millions of them lie without names. */
type SoldLine = readonly [
  line: number,
  lotId: string,
  variantId: string,
  locationId: string,
  quantity: string,
  returnedQuantity: string,
];

/** What a sale took of lots: what a recall looks for. Ids alone. */
export interface SoldLotsDocument {
  readonly saleId: string;
  readonly customerId: string | null;
  readonly soldAt: string;
  readonly lines: readonly SoldLine[];
}

/** What is counted of each lot. */
export interface SoldLotTotals {
  readonly sales?: number;
  readonly lines?: number;
  readonly quantity?: number;
  readonly returned?: number;
}

const lotsOf = ({ lines }: SoldLotsDocument): readonly string[] => [...new Set(lines.map(([, lotId]) => lotId))];

export const soldLots = recordCollection<SoldLotsDocument>({
  name: 'sold-lots',
  version: 2,
  hidden: [],
  columns: {
    soldAt: { type: 'text', of: ({ soldAt }) => soldAt },
    saleId: { type: 'id', of: ({ saleId }) => saleId },
    customerId: { type: 'id', of: ({ customerId }) => customerId },
  },
  keys: { lotId: { type: 'id', of: lotsOf } },
  isWrittenOnce: true,
  subjectsOf: (_id, sale) => (sale ? lotsOf(sale) : []),
  indexes: [['lotId', 'soldAt', 'saleId', 'customerId']],
  totals: ({ lines }) =>
    [...grouped(lines, ([, lotId]) => lotId)].map(([lotId, sold]) => {
      const quantity = Decimal.sum(sold.map(([, , , , taken]) => Decimal.from(taken)));
      const returned = Decimal.sum(sold.map(([, , , , , back]) => Decimal.from(back)));
      return [lotId, { sales: 1, lines: sold.length, quantity, returned }];
    }),
});

/** What an event adds to a line of a sale; only what is taken may be of a line that is not there yet. */
interface Addition {
  readonly saleId: string;
  readonly line: number;
  readonly lotId: string;
  readonly taken?: Taken;
  readonly quantity: Decimal;
}

interface Taken extends Pick<SoldLotsDocument, 'customerId' | 'soldAt'> {
  readonly variantId: string;
  readonly locationId: string;
}

const takenLater = ({ entry, settled }: { readonly entry: Entry; readonly settled: Settlement }): Addition => {
  const { lotId, variantId, locationId } = entry;
  const { originId: saleId, line, quantity, customerId, occurredAt: soldAt } = settled;
  return { saleId, line, lotId, taken: { variantId, locationId, customerId, soldAt }, quantity };
};

const takenNow = ({ saleId, customerId, occurredAt: soldAt, lines }: InventoryFact<'SaleCompleted'>): Addition[] =>
  lines.flatMap(({ issues }, line) =>
    issues.flatMap(({ variantId, locationId, takes }) =>
      takes.map(({ lotId, quantity }) => {
        const taken = { variantId, locationId, customerId, soldAt };
        return { saleId, line, lotId, taken, quantity };
      }),
    ),
  );

const returnedNow = ({ saleId, lines }: InventoryFact<'SaleReturned'>): Addition[] =>
  lines.flatMap(({ line, entries }) => entries.map(({ lotId, quantity }) => ({ saleId, line, lotId, quantity })));

function additionsOf(event: Recorded<StockFact>): Addition[] {
  if (event.type === 'SaleCompleted') return takenNow(event.data);
  const settled = settlementsOf(event, 'SALE').map(takenLater);
  return event.type === 'SaleReturned' ? [...returnedNow(event.data), ...settled] : settled;
}

const plus = (sum: string, quantity: Decimal): string =>
  sum === '0' ? quantity.toString() : Decimal.from(sum).plus(quantity).toString();

function changed(known: SoldLine | undefined, { line, lotId, taken, quantity }: Addition): SoldLine | undefined {
  if (known) {
    const [, , variantId, locationId, before, returned] = known;
    return taken
      ? [line, lotId, variantId, locationId, plus(before, quantity), returned]
      : [line, lotId, variantId, locationId, before, plus(returned, quantity)];
  }
  return taken && [line, lotId, taken.variantId, taken.locationId, quantity.toString(), '0'];
}

function added(sale: SoldLotsDocument | undefined, additions: readonly Addition[]): SoldLotsDocument | undefined {
  const lines = [...(sale?.lines ?? [])];
  for (const addition of additions) {
    const place = lines.findIndex(([line, lotId]) => line === addition.line && lotId === addition.lotId);
    const line = changed(lines[place], addition);
    if (line) lines[place < 0 ? lines.length : place] = line;
  }
  if (sale) return { ...sale, lines };
  const [first] = additions;
  if (!first?.taken) return undefined;
  const { customerId, soldAt } = first.taken;
  return { saleId: first.saleId, customerId, soldAt, lines };
}

const onMoved: RecordHandler<SoldLotsDocument, Recorded<StockFact>> = adding(
  additionsOf,
  ({ saleId }) => saleId,
  added,
);

export const soldLotsProjector = recordProjector(soldLots, [inventoryEvents], {
  ...onMovements(onMoved),
  SaleCancelled: {
    ids: (event) => [event.data.saleId, ...onMoved.ids(event)],
    evolve: (sale, event, id) => (id === event.data.saleId ? undefined : onMoved.evolve(sale, event, id)),
  },
});
