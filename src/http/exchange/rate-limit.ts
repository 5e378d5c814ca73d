import { LRUCache } from 'lru-cache';
import { Rejection } from '../../kernel/events/rejection.js';
import { RATE_LIMITED } from './rejections.js';

interface Bucket {
  tokens: number;
  filledAt: number;
}

// A credential that was pushed out has been idle the longest, so its bucket was full anyway.
const MOST_CREDENTIALS = 20_000;

/** A bucket for each credential: so many requests a second, twice that at once. */
export class RateLimit {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MOST_CREDENTIALS });

  constructor(private readonly perSecond: number) {}

  /** Throws RATE_LIMITED when the credential has used up its share. */
  take(credential: string, milliseconds: number): void {
    if (this.perSecond === 0) return;
    const most = this.perSecond * 2;
    let bucket = this.buckets.get(credential);
    if (!bucket) {
      bucket = { tokens: most, filledAt: milliseconds };
      this.buckets.set(credential, bucket);
    }
    const passed = milliseconds - bucket.filledAt;
    bucket.tokens = Math.min(most, bucket.tokens + (passed * this.perSecond) / 1000);
    bucket.filledAt = milliseconds;
    if (bucket.tokens < 1) {
      throw new Rejection(RATE_LIMITED, `at most ${this.perSecond} requests a second`);
    }
    bucket.tokens -= 1;
  }
}
