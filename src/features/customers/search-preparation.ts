import { setImmediate as othersFirst } from 'node:timers/promises';
import { metaOf } from '../../kernel/events/recorded.js';
import type { Preparation } from '../../kernel/projections/preparation.js';
import type { StoredEvent } from '../../ports/event-store.js';
import type { Vault } from '../../ports/vault.js';
import type { CustomerData } from './events.js';
import { customerChanged, customerRegistered } from './events.js';
import type { CustomerRef } from './keys.js';
import { SearchKeys, keysOf } from './keys.js';
import type { CustomerKey, Person } from './sealing.js';
import { documentTerm, termsOf } from './search-terms.js';

const SEALED: ReadonlySet<string> = new Set([customerRegistered.type, customerChanged.type]);

const WITHOUT_A_BREAK = 25;

interface Sealed extends CustomerRef {
  readonly data: CustomerData;
}

function sealedIn(event: StoredEvent): Sealed {
  const data = JSON.parse(event.data) as CustomerData;
  return { data, customerId: data.id, storeId: metaOf(event).storeId ?? '' };
}

/** Gives customers' events their search terms. Whose key is destroyed has none, however often a projection is rebuilt. */
export function customerSearchPreparation(vault: Vault): Preparation {
  const searchKeys = new SearchKeys(vault);
  return async (events) => {
    if (!events.some(({ type }) => SEALED.has(type))) return events;
    const sealed = new Map(events.filter(({ type }) => SEALED.has(type)).map((event) => [event, sealedIn(event)]));
    const keyOf = await keysOf(vault, [...sealed.values()]);
    const prepare = async (event: StoredEvent): Promise<StoredEvent> => {
      const found = sealed.get(event);
      const key = found && keyOf(found);
      const searchKey = found && (await searchKeys.find(found.storeId));
      const person = found && key && opened(key, found.data);
      if (!searchKey || !person) return event;
      const document = person.document === null ? null : documentTerm(searchKey, person.document);
      const search = { terms: termsOf(searchKey, person), document };
      return { ...event, data: JSON.stringify({ ...found.data, search }) };
    };
    const prepared: StoredEvent[] = [];
    for (const [index, event] of events.entries()) {
      prepared.push(await prepare(event));
      // Terms take a tenth of a millisecond a customer: requests must not wait for a thousand of them.
      if ((index + 1) % WITHOUT_A_BREAK === 0) await othersFirst();
    }
    return prepared;
  };
}

/** Bytes that were changed must not hold up the projections of all others: such a customer is not found. */
function opened(key: CustomerKey, data: CustomerData): Person | undefined {
  try {
    return key.open(data);
  } catch {
    return undefined;
  }
}
