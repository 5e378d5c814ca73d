import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { entriesOf, inventoryEvents, lotCodeKey } from '../../src/features/inventory/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';

interface LotCodeDocument {
  readonly since: string;
}

/** The lot codes that a variant ever had, each with the time of its first entry. */
export const lotCodes = recordCollection<LotCodeDocument>({
  name: 'lot-codes',
  version: 2,
  hidden: [],
  columns: {},
  indexes: [],
});

const noting: RecordHandler<LotCodeDocument, Recorded<InventoryEvent>> = {
  ids: (event) =>
    entriesOf(event).flatMap(({ variantId, lotCode }) => (lotCode === null ? [] : [lotCodeKey(variantId, lotCode)])),
  evolve: (document, { meta }) => document ?? { since: meta.at },
};

export const lotCodesProjector = recordProjector(lotCodes, [inventoryEvents], {
  StockOpened: noting,
  StockReceived: noting,
  StockAdjusted: noting,
  OrderCompleted: noting,
});
