import type { BodyLimits } from './body.js';
import type { Surroundings } from './exchange.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { HttpOptions } from '../options.js';
import type { PositionTokens } from '../../kernel/routes/position-tokens.js';
import type { TurnsByKey } from '../../kernel/values/turns.js';
import type { RateLimit } from './rate-limit.js';

/** What all endpoints of one service share. */
export interface Shell extends Surroundings, BodyLimits {
  readonly options: HttpOptions;
  readonly rateLimit: RateLimit;
  /** Limits, by address, what needs no credential. */
  readonly openRateLimit: RateLimit;
  readonly idempotency: Idempotency;
  /** Changes of one record are made and answered one after the other: each is answered as it was made, not as the next one left it. */
  readonly changes: TurnsByKey;
  readonly positions: PositionTokens;
}
