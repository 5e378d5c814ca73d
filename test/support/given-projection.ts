import { expect } from '@jest/globals';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { DomainEvent, EventMeta, Recorded } from '../../src/kernel/events/event.js';
import type { LogEvent } from '../../src/kernel/projections/log-event.js';
import type { Projector, RowToAdd } from '../../src/kernel/projections/projector.js';
import type { Row } from '../../src/ports/read-models.js';

const AT = Date.UTC(2026, 0, 1);

const metaAt = (revision: number): EventMeta => ({
  schemaVersion: 1,
  storeId: 's1',
  actor: { kind: 'system', id: 'test', name: 'test' },
  requestId: 'request',
  causationId: `command-${revision}`,
  at: new Date(AT + revision * 1_000).toISOString(),
  hash: `hash-${revision}`,
});

/** The event as it would be recorded: the n-th in its stream, n seconds into 2026, in the store `s1`. */
export const recorded = <E extends DomainEvent>(event: E, revision: number, stream = 'stream'): Recorded<E> => ({
  ...event,
  id: `event-${revision}`,
  stream,
  revision,
  position: String(revision + 1).padStart(12, '0'),
  meta: metaAt(revision),
});

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

export const rowsOf = (projector: Projector, events: readonly Recorded<DomainEvent>[]): Row[] =>
  rowsToAdd(projector, events).map(({ values }) => values);

/** `givenProjection(projector).when(events).then(documents)`. */
export function givenProjection(projector: Projector) {
  return {
    when(events: readonly DomainEvent[]) {
      const history = events.map((event, revision) => recorded(event, revision));
      const repeated = [...history, ...history.slice(-1)];
      return {
        /** The documents of the store, by id. */
        then(documents: Readonly<Record<string, object>>): void {
          expect(documentsOf(projector, history)).toEqual(documents);
        },
        /** What the documents add to the totals of the store, by id; counters that are zero are left out. */
        thenTotals(totals: Readonly<Record<string, Readonly<Record<string, number>>>>): void {
          expect(sumsOf(projector, Object.values(documentsOf(projector, history)))).toEqual(totals);
        },
        thenRows(rows: readonly Row[]): void {
          expect(rowsOf(projector, history)).toEqual(rows);
          expect(rowsOf(projector, repeated)).toEqual(rows);
        },
      };
    },
  };
}
