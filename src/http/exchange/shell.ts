import type { Surroundings } from './exchange.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { HttpOptions } from '../options.js';
import type { RateLimit } from './rate-limit.js';

/** What all endpoints of one service share. */
export interface Shell extends Surroundings {
  readonly options: HttpOptions;
  readonly rateLimit: RateLimit;
  readonly idempotency: Idempotency;
  readonly bodyBytes: number;
}
