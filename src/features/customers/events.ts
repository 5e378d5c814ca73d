import { z } from 'zod';
import type { EventOf, Recorded } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';

/** Each value is sealed with the customer's own key: without the key nobody is in these events. */
const customer = z.object({
  id: z.string(),
  name: z.string(),
  document: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Absent in events from before there were fiscal documents; the address is sealed JSON. */
  stateRegistration: z.string().nullable().optional(),
  address: z.string().nullable().optional(),
  /** The claim of the document, by which the customer alone has it in the store. */
  claimId: z.string().nullable(),
  /** Never in the log: put beside the data on its way into a projection, while the key is there. */
  search: z.object({ terms: z.string(), document: z.string().nullable() }).optional(),
});

export const customerRegistered = defineEvent('CustomerRegistered', 1, customer);
export const customerChanged = defineEvent('CustomerChanged', 1, customer);
/** The document stays with another; who registers or changes with this claim after all is refused. */
const customerClaimDropped = defineEvent('CustomerClaimDropped', 1, z.object({ id: z.string(), claimId: z.string() }));
/** The key is destroyed: what the customer's earlier events hold can no longer be read. */
const customerErased = defineEvent('CustomerErased', 1, z.object({ id: z.string() }));

export const customerEvents = eventCodec(customerRegistered, customerChanged, customerClaimDropped, customerErased);
export type CustomerEvent = EventOf<
  typeof customerRegistered | typeof customerChanged | typeof customerClaimDropped | typeof customerErased
>;
export type CustomerData = EventOf<typeof customerRegistered>['data'];
/** What says who the customer is from then on. */
export type Told = Recorded<Extract<CustomerEvent, { readonly data: CustomerData }>>;
