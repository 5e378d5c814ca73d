import { StampedCache } from '../../kernel/values/stamped-cache.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Position } from '../../ports/event-store.js';

const MOST_WEIGHT = 200_000;
/** A read model that was rebuilt shows after this. */
const LONGEST = 5 * 60_000;

interface Weighed {
  readonly made: unknown;
  readonly weight: number;
}

/** What was worked out of a store's records, for as long as nothing is written in the store: those who ask again share it, and those who ask at the same time. */
export class VersionCache {
  private readonly kept = new StampedCache<Weighed, Position>(MOST_WEIGHT, ({ weight }) => weight, {
    milliseconds: LONGEST,
  });

  /** `weigh` says about how many records it holds; without a version nothing is kept. */
  async of<T>(
    { storeId, version }: Pick<RequestContext, 'storeId' | 'version'>,
    key: string,
    make: () => Promise<T>,
    weigh: (made: T) => number,
  ): Promise<T> {
    if (version === undefined) return make();
    const { made } = await this.kept.getOrMake(`${storeId} ${key}`, version, async () => {
      const fresh = await make();
      return { made: fresh, weight: Math.ceil(weigh(fresh)) };
    });
    return made as T;
  }
}
