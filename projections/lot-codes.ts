import type { Entry, InventoryEvent } from '../src/features/inventory/events.js';
import { inventoryEvents, lotCodeKey } from '../src/features/inventory/events.js';
import type { Recorded } from '../src/kernel/event.js';
import type { RecordHandler } from '../src/kernel/projector.js';
import { recordCollection, recordProjector } from '../src/kernel/projector.js';

export interface LotCodeDocument {
  readonly since: string;
}

/** The lot codes that a variant ever had, each with the time of its first entry. */
export const lotCodes = recordCollection<LotCodeDocument>({
  name: 'lot-codes',
  version: 1,
  hidden: [],
  columns: {},
  indexes: [],
});

function noting<E extends Recorded<InventoryEvent>>(
  entriesOf: (data: E['data']) => readonly Entry[],
): RecordHandler<LotCodeDocument, E> {
  return {
    ids: ({ data }) =>
      entriesOf(data).flatMap(({ variantId, lotCode }) => (lotCode === null ? [] : [lotCodeKey(variantId, lotCode)])),
    evolve: (document, { meta }) => document ?? { since: meta.at },
  };
}

export const lotCodesProjector = recordProjector(lotCodes, [inventoryEvents], {
  StockOpened: noting(({ entries }) => entries),
  StockReceived: noting(({ entries }) => entries),
  StockAdjusted: noting(({ entries }) => entries),
  OrderCompleted: noting(({ output, byproducts }) => (output ? [output, ...byproducts] : byproducts)),
});
