import { LRUCache } from 'lru-cache';
import { resize } from './entry-sizes.js';

interface Entry<T, S> {
  readonly stamp: S;
  readonly made: Promise<T>;
}

/** What a result weighs before it is there, and beside what it holds. */
const OVERHEAD = 500;

/** Results, each for as long as its stamp is the same. Those who ask at the same time share one. */
export class StampedCache<T, S = number> {
  private readonly entries: LRUCache<string, Entry<T, S>>;

  constructor(
    /** The most that is kept in all, in bytes or what counts as bytes. */
    maxSize: number,
    private readonly weigh: (made: T) => number,
    { milliseconds }: { readonly milliseconds?: number } = {},
  ) {
    this.entries = new LRUCache({ maxSize, ...(milliseconds === undefined ? {} : { ttl: milliseconds }) });
  }

  /** The stamp is that of the question: what is written before the answer makes it worthless. */
  getOrMake(key: string, stamp: S, make: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known?.stamp === stamp) return known.made;
    const fresh = { stamp, made: make() };
    this.entries.set(key, fresh, { size: OVERHEAD });
    fresh.made.then(
      (made) => {
        resize(this.entries, key, fresh, OVERHEAD + this.weigh(made));
      },
      () => {
        if (this.entries.peek(key) === fresh) this.entries.delete(key);
      },
    );
    return fresh.made;
  }

  get entriesHeld(): number {
    return this.entries.size;
  }

  /** In bytes, or what counts as bytes. */
  get weight(): number {
    return this.entries.calculatedSize;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
