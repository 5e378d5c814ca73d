import { expect } from '@jest/globals';
import type { DomainEvent, EventMeta, Recorded } from '../../src/kernel/events/event.js';
import type { Projector } from '../../src/kernel/projections/projector.js';
import type { Row } from '../../src/ports/read-models.js';
import { documentsOf, rowsToAdd, sumsOf } from './projected.js';

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

const rowsOf = (projector: Projector, events: readonly Recorded<DomainEvent>[]): Row[] =>
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
