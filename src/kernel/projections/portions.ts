import type { StoredEvent } from '../../ports/event-store.js';
import { StoreUnavailable } from '../../ports/event-store.js';

export const LARGEST_BATCH = 1_000;
const SMALLEST_BATCH = 8;
/** A store that took so many is given an eighth more: twice as many would mostly be too many once more, and what was too many was work in vain. */
const GROWTH = 8;

/**
 * How many events are applied together: half as many once the store gave up on so many, and more again when it takes them. A slow store would
 * otherwise be given the same batch for ever.
 */
export class Portions {
  private size = LARGEST_BATCH;

  async each(events: readonly StoredEvent[], apply: (some: readonly StoredEvent[]) => Promise<void>): Promise<void> {
    for (let start = 0; start < events.length;) {
      const some = events.slice(start, start + this.size);
      try {
        await apply(some);
      } catch (error) {
        if (error instanceof StoreUnavailable) this.size = Math.max(SMALLEST_BATCH, some.length >> 1);
        throw error;
      }
      start += some.length;
      if (some.length === this.size) this.size = Math.min(LARGEST_BATCH, this.size + Math.ceil(this.size / GROWTH));
    }
  }
}
