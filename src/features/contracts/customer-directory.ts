import type { StoredAddress } from './fiscal-settings.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';

/** Who a customer is; of one who was erased only the id is left. */
export interface CustomerFacts {
  readonly id: string;
  readonly name: string | null;
  readonly document: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  /** Digits of a taxpayer; `ISENTO` of an exempt one. */
  readonly stateRegistration?: string | null | undefined;
  readonly address?: StoredAddress | null | undefined;
}

/** The customers as other parts see them. */
export interface CustomerDirectory {
  /** By id, in two reads however many they are. Unknown ids, also those of other stores, are missing. */
  byIds(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, CustomerFacts>>;
  /** What is known of people out of the sealed values of events or records, in their order; nothing of those who were erased. */
  unseal(storeId: string, people: readonly CustomerFacts[]): Promise<readonly CustomerFacts[]>;
  /** Whether the store has this customer, who was not erased; at the head of the customer's stream. */
  has(context: RequestContext, id: string): Promise<boolean>;
}
