import type { Clock } from '../../kernel/values/clock.js';
import { boundedCache } from '../../kernel/values/bounded-cache.js';

const MOST_ASKED = 30;
const HOUR = 3_600_000;
const MOST_STORES = 10_000;

/** The provider is paid by whoever runs the service, and each question keeps a connection busy for seconds. */
export class AdviceLimit {
  private readonly asked = boundedCache<readonly number[]>(MOST_STORES);

  constructor(private readonly clock: Clock) {}

  /** Counts a question of a store; false when it asked too many lately. */
  take(storeId: string): boolean {
    const now = this.clock.now();
    const lately = (this.asked.get(storeId) ?? []).filter((at) => at > now - HOUR);
    if (lately.length >= MOST_ASKED) return false;
    this.asked.set(storeId, [...lately, now]);
    return true;
  }
}
