import { Rejection } from '../../kernel/events/rejection.js';
import { RATE_LIMITED } from './rejections.js';
import { boundedCache } from '../../kernel/values/bounded-cache.js';

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Rate {
  /** So many requests in the period; 0 is no limit. */
  readonly requests: number;
  readonly period: 'second' | 'minute';
  /** How many may come at once. */
  readonly burst: number;
}

const MILLISECONDS = { second: 1_000, minute: 60_000 } as const;
// Whoever was pushed out has been idle the longest, so the bucket was full or nearly so.
const MOST_BUCKETS = 20_000;

/** A bucket for each credential or address. */
export class RateLimit {
  private readonly buckets = boundedCache<Bucket>(MOST_BUCKETS);

  constructor(private readonly rate: Rate) {}

  /** Throws RATE_LIMITED when the one who asks has used up their share. */
  take(who: string, milliseconds: number): void {
    const { requests, period, burst } = this.rate;
    if (requests === 0) return;
    let bucket = this.buckets.get(who);
    if (!bucket) {
      bucket = { tokens: burst, filledAt: milliseconds };
      this.buckets.set(who, bucket);
    }
    const perMillisecond = requests / MILLISECONDS[period];
    // A clock that is set back takes nothing away.
    const passed = Math.max(0, milliseconds - bucket.filledAt);
    bucket.tokens = Math.min(burst, bucket.tokens + passed * perMillisecond);
    bucket.filledAt = milliseconds;
    if (bucket.tokens < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / perMillisecond / 1_000));
      throw new Rejection(RATE_LIMITED, `at most ${requests} requests a ${period}`, { retryAfter });
    }
    bucket.tokens -= 1;
  }
}
