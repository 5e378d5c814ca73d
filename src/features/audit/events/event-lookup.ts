import { auditEvents } from '../../../../projections/audit/audit-events.js';
import { shortKey } from '../../../kernel/values/short-key.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { EventStore, StoredEvent } from '../../../ports/event-store.js';

const CANDIDATES = 10;

/** An event of the asker's store by its id. */
export async function findEvent(
  eventStore: Pick<EventStore, 'readAt'>,
  context: RequestContext,
  eventId: string,
): Promise<StoredEvent | undefined> {
  const { items } = await context.reads.findRows(
    auditEvents,
    { equal: { event: shortKey(eventId) }, sort: { column: 'event', direction: 'asc' }, limit: CANDIDATES },
    ['position'],
  );
  const events = await eventStore.readAt(items.map(({ position }) => String(position)));
  return events.find(({ id }) => id === eventId);
}
