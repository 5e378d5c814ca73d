import type { StoredEvent } from '../../ports/event-store.js';
import { StoreUnavailable } from '../../ports/event-store.js';

export const LARGEST_BATCH = 1_000;
const SMALLEST_BATCH = 8;
/** A store that took so many is given an eighth more: twice as many would mostly be too many once more, and what was too many was work in vain. */
const GROWTH = 8;

const FIRST_BESIDE = 64;

type Apply = (some: readonly StoredEvent[]) => Promise<void>;

/**
 * How many events are applied together: half as many once the store gave up on so many, and more again when it takes them. A slow store would
 * otherwise be given the same batch for ever. With patience, also fewer when the last portion took longer than that.
 */
export class Portions {
  private constructor(
    private size: number,
    private readonly patience: () => number,
  ) {}

  /** Where nothing else waits for the store. */
  static alone(): Portions {
    return new Portions(LARGEST_BATCH, () => Infinity);
  }

  /** Where what is live must not wait long: no longer than about twice the milliseconds that `patience` gives. */
  static beside(patience: () => number): Portions {
    return new Portions(FIRST_BESIDE, patience);
  }

  async each(events: readonly StoredEvent[], apply: Apply): Promise<void> {
    for (let start = 0; start < events.length;) start += await this.some(events.slice(start, start + this.size), apply);
  }

  /** The first of them, as many as are applied together. */
  async first(events: readonly StoredEvent[], apply: Apply): Promise<void> {
    await this.some(events.slice(0, this.size), apply);
  }

  private async some(events: readonly StoredEvent[], apply: Apply): Promise<number> {
    const { length } = events;
    const began = performance.now();
    try {
      await apply(events);
    } catch (error) {
      if (error instanceof StoreUnavailable) this.size = Math.max(SMALLEST_BATCH, length >> 1);
      throw error;
    }
    if (performance.now() - began > this.patience()) this.size = Math.max(SMALLEST_BATCH, this.size >> 1);
    else if (length === this.size) this.size = Math.min(LARGEST_BATCH, this.size + Math.ceil(this.size / GROWTH));
    return length;
  }
}
