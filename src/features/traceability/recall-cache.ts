import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../kernel/route.js';
import type { Position } from '../../ports/event-store.js';

const MOST_WEIGHT = 200_000;
/** A read model that was rebuilt shows after this. */
const LONGEST = 5 * 60_000;

interface Kept {
  readonly version: Position;
  readonly made: Promise<unknown>;
}

/** What was worked out of a store's records, for as long as nothing is written in the store: the pages of a recall share it, and those who ask at the same time. */
export class RecallCache {
  private readonly kept = new LRUCache<string, Kept>({ maxSize: MOST_WEIGHT, ttl: LONGEST });

  /** `weigh` says about how many records it holds; without a version nothing is kept. */
  async of<T>(
    { storeId, version }: Pick<RequestContext, 'storeId' | 'version'>,
    key: string,
    make: () => Promise<T>,
    weigh: (made: T) => number,
  ): Promise<T> {
    if (version === undefined) return make();
    const name = `${storeId} ${key}`;
    const known = this.kept.get(name);
    if (known?.version === version) return known.made as Promise<T>;
    const entry = { version, made: make() };
    this.kept.set(name, entry, { size: 1 });
    try {
      const made = await entry.made;
      if (this.kept.peek(name) === entry) this.kept.set(name, entry, { size: 1 + Math.ceil(weigh(made)) });
      return made;
    } catch (error) {
      if (this.kept.peek(name) === entry) this.kept.delete(name);
      throw error;
    }
  }
}
