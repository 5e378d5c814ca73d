import type { Fallback, FiscalService } from '../../brazil/tax-authorities.js';
import type { State } from '../../brazil/states.js';
import type { AuthorityClient, FiscalAuthority } from '../../ports/fiscal-authority.js';

/** A message on its way to one of the services. */
export interface Question {
  readonly client: AuthorityClient;
  readonly service: FiscalService;
  /** Undefined: the authority of the state. */
  readonly fallback: Fallback | undefined;
  /** XML, without a declaration. */
  readonly message: string;
}

/** How messages get to the authority. */
export interface Transport {
  /** Who answers a client: whose state and limits are watched together. */
  authorityOf(client: AuthorityClient, fallback: Fallback | undefined): string;
  /** Who stands in for the authority of a state while the state has switched it on. */
  fallbackOf(state: State): Fallback;
  consumerAddresses: FiscalAuthority['consumerAddresses'];
  /** Gives XML that holds the answer somewhere; throws AuthorityAway. */
  send(question: Question): Promise<string>;
  close(): Promise<void>;
}
