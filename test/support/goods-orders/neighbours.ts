import { metaOf } from '../../../src/kernel/events/recorded.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Which store made what has an id. */
export class Owners {
  private readonly stores = new Map<string, string>();
  private seen = 0;

  constructor(private readonly events: readonly StoredEvent[]) {}

  /** What of another store stands in an answer, or in what was recorded for this one. */
  faultsOf(storeId: string, told: unknown): readonly string[] {
    const faults = this.look();
    const foreign = this.idsIn(JSON.stringify(told ?? null)).filter(
      (id) => (this.stores.get(id) ?? storeId) !== storeId,
    );
    return [...faults, ...foreign.map((id) => `an answer shows ${id} of another store`)];
  }

  private idsIn(text: string): readonly string[] {
    return [...new Set(text.match(IDS) ?? [])];
  }

  private look(): string[] {
    const faults: string[] = [];
    for (; this.seen < this.events.length; this.seen++) {
      const event = this.events[this.seen] as StoredEvent;
      const { storeId } = metaOf(event);
      if (storeId === null || event.stream === 'stores') continue;
      for (const id of this.idsIn(`${event.stream} ${event.data}`)) {
        const owner = this.stores.get(id);
        if (owner === undefined) this.stores.set(id, storeId);
        else if (owner !== storeId) faults.push(`${event.type} of a store names ${id} of another`);
      }
    }
    return faults;
  }
}
