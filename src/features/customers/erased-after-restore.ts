import { metaOf } from '../../kernel/events/recorded.js';
import type { StoredEvent } from '../../ports/event-store.js';
import { customer } from './decider.js';
import { customerEvents } from './events.js';
import { CUSTOMER_KEY, keyId } from './keys.js';

/** Customers who live in a restored log though their key is gone were erased beyond its end: the log says so again, and their documents are free. */
export function erasedCustomers(kept: Iterable<StoredEvent>, hasRow: (kind: string, id: string) => boolean) {
  const erased = new Map<string, { readonly stream: string; readonly storeId: string | null; readonly id: string }>();
  for (const { stream, type, meta, data } of kept) {
    if (!stream.startsWith(`${customer.category}-`)) continue;
    if (type === 'CustomerErased') erased.delete(stream);
    if (type !== 'CustomerRegistered') continue;
    const { storeId } = metaOf({ meta });
    const { id } = JSON.parse(data) as { readonly id: string };
    if (!hasRow(CUSTOMER_KEY, keyId(storeId ?? '', id))) erased.set(stream, { stream, storeId, id });
  }
  const type = 'CustomerErased' as const;
  const schemaVersion = customerEvents.versionOf(type);
  return [...erased.values()].map(({ stream, storeId, id }) => ({
    stream,
    storeId,
    type,
    schemaVersion,
    data: { id },
  }));
}
