import { Decimal } from '../../src/kernel/values/decimal.js';
import type { DomainEvent, Recorded } from '../../src/kernel/events/event.js';
import type { LogEvent } from '../../src/kernel/projections/log-event.js';
import type { Projector, RowToAdd } from '../../src/kernel/projections/projector.js';

const stored = (document: object): object => JSON.parse(JSON.stringify(document)) as object;

/** The documents by id. Each is stored and read between two events, as it may be in the life of a projection. */
export function documentsOf(projector: Projector, events: readonly Recorded<DomainEvent>[]): Record<string, object> {
  const documents = new Map<string, object>();
  for (const event of events) {
    const handler = projector.records.get(event.type);
    for (const id of handler?.ids(event) ?? []) {
      const document = handler?.evolve(documents.get(id), event, id);
      if (document) documents.set(id, stored(document));
      else documents.delete(id);
    }
  }
  return Object.fromEntries(documents);
}

/** What they add to the totals of their store, by id; counters that are zero are left out. */
export function sumsOf(
  { collection }: Pick<Projector, 'collection'>,
  documents: readonly object[],
): Record<string, Record<string, number>> {
  const totals = collection.kind === 'records' ? collection.totals : undefined;
  const sums: Record<string, Record<string, number>> = {};
  for (const document of documents) {
    for (const [id, counters] of totals?.of(document as never) ?? []) {
      for (const [counter, value] of Object.entries(counters)) {
        if (Number(value) === 0) continue;
        const of = (sums[id] ??= {});
        of[counter] = Decimal.from(of[counter] ?? 0)
          .plus(Decimal.from(String(value)))
          .toNumber();
      }
    }
  }
  return sums;
}

/** As projectors of whatever is in the log see it. */
const logEvent = (event: Recorded<DomainEvent>): LogEvent => ({
  stored: { ...event, data: JSON.stringify(event.data), meta: JSON.stringify(event.meta) },
  meta: event.meta,
  read: () => event,
});

export function rowsToAdd(projector: Projector, events: readonly Recorded<DomainEvent>[]): RowToAdd[] {
  const rows = new Map<string, RowToAdd>();
  for (const event of events) {
    const own = projector.anyRows?.(logEvent(event)) ?? projector.rows.get(event.type)?.(event) ?? [];
    for (const row of own) rows.set(`${event.position}:${row.key}`, row);
  }
  return [...rows.values()];
}
