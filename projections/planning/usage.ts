import type { InventoryEvent, InventoryFact, Issue } from '../../src/features/inventory/events.js';
import { inventoryEvents } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { adding } from '../../src/kernel/projections/adding.js';
import type { RecordHandler } from '../../src/kernel/projections/projector.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';

/** How much of a variant was sold or used on each day of a month: what planning looks at. */
export interface UsageDocument {
  /** By the store's day, as exact decimals. */
  readonly days: Readonly<Record<string, string>>;
}

export const usage = recordCollection<UsageDocument>({
  name: 'usage',
  version: 2,
  hidden: [],
  columns: {},
  indexes: [],
});

/** The id of the month that a day (`YYYY-MM-DD`) is in. */
export const usageId = (variantId: string, day: string): string => `${variantId}/${day.slice(0, 7)}`;

/** What was used on a day; negative when it came back. */
interface Use {
  readonly variantId: string;
  readonly day: string;
  readonly quantity: Decimal;
}

const counting = <E extends Recorded<InventoryEvent>>(
  of: (event: E) => readonly Use[],
): RecordHandler<UsageDocument, E> =>
  adding(
    of,
    ({ variantId, day }) => usageId(variantId, day),
    (document, uses) => {
      const days = { ...document?.days };
      for (const { day, quantity } of uses) {
        days[day] = Decimal.from(days[day] ?? '0')
          .plus(quantity)
          .toString();
      }
      return { days };
    },
  );

const using = (issues: readonly Issue[], day: string): Use[] =>
  issues.map(({ variantId, quantity }) => ({ variantId, day, quantity }));

/** What came back was not used: neither what went to lots again nor what is no longer owed. */
const givingBack = (
  comebacks: InventoryFact<'SaleReturned'>['lines'] | InventoryFact<'OrderReversed'>['inputs'],
  day: string,
): Use[] =>
  comebacks.flatMap(({ entries, forgiven }) =>
    [...entries, ...forgiven].map(({ variantId, quantity }) => ({ variantId, day, quantity: quantity.negated() })),
  );

export const usageProjector = recordProjector(usage, [inventoryEvents], {
  SaleCompleted: counting(({ data }) => data.lines.flatMap(({ issues }) => using(issues, data.occurredOn))),
  SaleReturned: counting(({ data }) => givingBack(data.lines, data.occurredOn)),
  SaleCancelled: counting(({ data }) => givingBack(data.lines, data.occurredOn)),
  OrderCompleted: counting(({ data }) => using(data.consumptions, data.completedOn)),
  OrderReversed: counting(({ data }) => givingBack(data.inputs, data.completedOn)),
});
