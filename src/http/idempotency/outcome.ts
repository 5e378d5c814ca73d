import type { Permission } from '../../kernel/values/permissions.js';
import type { Answer } from '../exchange/exchange.js';

/** What came of one run of a handler. */
export interface Outcome {
  readonly answer: Answer;
  /** Events were appended, or found from an earlier run. */
  readonly recorded: boolean;
  /** It may have appended without knowing. */
  readonly uncertain: boolean;
  /** The permissions that decided what it shows, and whether the caller had them. */
  readonly rightsAsked: ReadonlyMap<Permission, boolean>;
}
