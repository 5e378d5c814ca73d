import type { Entry, InventoryEvent, Issue } from '../src/features/inventory/events.js';
import { inventoryEvents } from '../src/features/inventory/events.js';
import { Decimal } from '../src/kernel/decimal.js';
import type { Recorded } from '../src/kernel/event.js';
import type { RecordHandler } from '../src/kernel/projector.js';
import { remembered } from '../src/kernel/remembered.js';
import { recordCollection, recordProjector } from '../src/kernel/projector.js';

/** How much of a variant was sold or used on each of its last days: what planning looks at. */
export interface UsageDocument {
  /** Of the first movement, whenever it was recorded. */
  readonly firstAt: string;
  /** By the store's day, the newest `KEPT_DAYS` that have any. */
  readonly days: Readonly<Record<string, string>>;
  /** Of the event that it last saw. */
  readonly seen: string;
}

const KEPT_DAYS = 366;

export const usage = recordCollection<UsageDocument>({
  name: 'usage',
  version: 1,
  hidden: ['seen'],
  columns: {},
  indexes: [],
});

interface Move {
  readonly variantId: string;
  /** What was used; negative when it came back. */
  readonly used: { readonly day: string; readonly quantity: Decimal } | undefined;
  /** When it happened; undefined for what cannot be the first. */
  readonly at: string | undefined;
}

function moved(document: UsageDocument | undefined, { used, at }: Move, seen: string): UsageDocument | undefined {
  const first = document?.firstAt;
  const firstAt = first === undefined || (at !== undefined && at < first) ? at : first;
  if (firstAt === undefined) return document;
  const days = used ? withUse(document?.days ?? {}, used) : (document?.days ?? {});
  return { firstAt, days, seen };
}

function withUse(days: UsageDocument['days'], { day, quantity }: NonNullable<Move['used']>): UsageDocument['days'] {
  const sum = Decimal.from(days[day] ?? '0').plus(quantity);
  const next = { ...days, [day]: sum.toString() };
  const names = Object.keys(next);
  if (names.length <= KEPT_DAYS) return next;
  const { [names.reduce((a, b) => (a < b ? a : b))]: _, ...kept } = next;
  return kept;
}

/** Moves variants, once an event. */
function moving<E extends Recorded<InventoryEvent>>(
  of: (event: E) => readonly Move[],
): RecordHandler<UsageDocument, E> {
  const movesOf = remembered(of);
  return {
    ids: (event) => [...new Set(movesOf(event).map(({ variantId }) => variantId))],
    evolve(document, event, id) {
      if (document && document.seen >= event.position) return document;
      return movesOf(event)
        .filter(({ variantId }) => variantId === id)
        .reduce<UsageDocument | undefined>((current, move) => moved(current, move, event.position), document);
    },
  };
}

const entering = (entries: readonly Entry[], at: string): Move[] =>
  entries.map(({ variantId }) => ({ variantId, used: undefined, at }));

const using = (issues: readonly Issue[], day: string, at: string): Move[] =>
  issues.map(({ variantId, quantity }) => ({ variantId, used: { day, quantity }, at }));

type Fact<T extends InventoryEvent['type']> = Extract<InventoryEvent, { readonly type: T }>;

/** What came back was not used: neither what went to lots again nor what is no longer owed. */
const givingBack = (
  comebacks: Fact<'SaleReturned'>['data']['lines'] | Fact<'OrderReversed'>['data']['inputs'],
  day: string,
): Move[] =>
  comebacks.flatMap(({ entries, forgiven }) =>
    [...entries, ...forgiven].map(({ variantId, quantity }) => ({
      variantId,
      used: { day, quantity: quantity.negated() },
      at: undefined,
    })),
  );

export const usageProjector = recordProjector(usage, [inventoryEvents], {
  StockOpened: moving(({ data, meta }) => entering(data.entries, meta.at)),
  StockReceived: moving(({ data, meta }) => entering(data.entries, meta.at)),
  StockAdjusted: moving(({ data, meta }) =>
    [...data.entries, ...data.issues].map(({ variantId }) => ({ variantId, used: undefined, at: meta.at })),
  ),
  SaleCompleted: moving(({ data }) =>
    data.lines.flatMap(({ issues }) => using(issues, data.occurredOn, data.occurredAt)),
  ),
  SaleReturned: moving(({ data }) => givingBack(data.lines, data.occurredOn)),
  SaleCancelled: moving(({ data }) => givingBack(data.lines, data.occurredOn)),
  OrderCompleted: moving(({ data, meta }) => [
    ...using(data.consumptions, data.completedOn, meta.at),
    ...entering(data.output ? [data.output, ...data.byproducts] : data.byproducts, meta.at),
  ]),
  OrderReversed: moving(({ data }) => givingBack(data.inputs, data.completedOn)),
});
