import type { BodyLimits } from './body.js';
import type { Surroundings } from './exchange.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { HttpOptions } from '../options.js';
import type { PositionTokens } from '../../kernel/routes/position-tokens.js';
import type { RateLimit } from './rate-limit.js';

/** What all endpoints of one service share. */
export interface Shell extends Surroundings, BodyLimits {
  readonly options: HttpOptions;
  readonly rateLimit: RateLimit;
  /** Limits, by address, what needs no credential. */
  readonly openRateLimit: RateLimit;
  readonly idempotency: Idempotency;
  readonly positions: PositionTokens;
}
