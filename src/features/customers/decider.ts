import type { IfMatch } from '../../kernel/events/if-match.js';
import { matches } from '../../kernel/events/if-match.js';
import { Set as ImmutableSet } from 'immutable';
import type { Decider, StreamType } from '../../kernel/events/decider.js';
import { isSameJson } from '../../kernel/values/difference.js';
import { NOT_FOUND, Rejection, STALE } from '../../kernel/events/rejection.js';
import type { CustomerData, CustomerEvent } from './events.js';
import { customerEvents } from './events.js';
import { CUSTOMER_ERASED, DOCUMENT_TAKEN } from './rejections.js';

interface Customer {
  readonly stage: 'unborn' | 'live' | 'erased';
  /** Sealed; of a live customer. */
  readonly data: CustomerData | undefined;
  /** The revision of its own last change. */
  readonly revision: number;
  readonly droppedClaims: ImmutableSet<string>;
}

/** Sealed values of a person. */
type SealedPerson = Pick<CustomerData, 'name' | 'document' | 'email' | 'phone' | 'stateRegistration' | 'address'>;

export type CustomerCommand =
  | { readonly type: 'register'; readonly data: CustomerData }
  | {
      readonly type: 'change';
      readonly changes: Partial<SealedPerson> & Partial<Pick<CustomerData, 'claimId'>>;
      /** The document that the change was made for, where it says something of it: what is claimed and freed depends on that. */
      readonly documentBefore?: string | null;
      readonly ifMatch: IfMatch;
    }
  | { readonly type: 'dropClaim'; readonly id: string; readonly claimId: string }
  | { readonly type: 'erase'; readonly id: string };

/** The customer has got another document than the change was made for: it is to be made anew. */
export class DocumentOutdated extends Error {}

/** Whether the customer has the document that was claimed so. */
export const confirms = ({ data }: Customer, claimId: string): boolean => data?.claimId === claimId;

function expectClaim({ droppedClaims }: Customer, claimId: string | null | undefined): void {
  if (claimId && droppedClaims.has(claimId)) throw new Rejection(DOCUMENT_TAKEN);
}

export function expectLive({ stage, data }: Customer): CustomerData {
  if (data) return data;
  throw new Rejection(stage === 'erased' ? CUSTOMER_ERASED : NOT_FOUND);
}

function change(customer: Customer, command: Extract<CustomerCommand, { type: 'change' }>): CustomerEvent[] {
  const before = expectLive(customer);
  const { changes, documentBefore = before.document, ifMatch } = command;
  if (!matches(ifMatch, customer.revision)) throw new Rejection(STALE);
  if (documentBefore !== before.document) throw new DocumentOutdated();
  expectClaim(customer, changes.claimId);
  const after = { ...before, ...changes };
  // Equal texts are sealed to equal values.
  if (isSameJson(after, before)) return [];
  return [{ type: 'CustomerChanged', data: after }];
}

function decide(customer: Customer, command: CustomerCommand): CustomerEvent[] {
  switch (command.type) {
    case 'register':
      expectClaim(customer, command.data.claimId);
      return customer.stage === 'unborn' ? [{ type: 'CustomerRegistered', data: command.data }] : [];
    case 'change':
      return change(customer, command);
    case 'dropClaim': {
      const { id, claimId } = command;
      const isOpen = customer.stage !== 'erased' && !customer.droppedClaims.has(claimId);
      return isOpen && !confirms(customer, claimId) ? [{ type: 'CustomerClaimDropped', data: { id, claimId } }] : [];
    }
    case 'erase':
      if (customer.stage === 'unborn') throw new Rejection(NOT_FOUND);
      return customer.stage === 'live' ? [{ type: 'CustomerErased', data: { id: command.id } }] : [];
  }
}

const decider: Decider<Customer, CustomerCommand, CustomerEvent> = {
  initial: { stage: 'unborn', data: undefined, revision: -1, droppedClaims: ImmutableSet() },
  evolve(customer, event, { revision }) {
    switch (event.type) {
      case 'CustomerRegistered':
      case 'CustomerChanged':
        return { ...customer, stage: 'live', data: event.data, revision };
      case 'CustomerClaimDropped':
        return { ...customer, droppedClaims: customer.droppedClaims.add(event.data.claimId) };
      case 'CustomerErased':
        return { ...customer, stage: 'erased', data: undefined, revision };
    }
  },
  decide,
};

/** `customer-{store}-{id}`: one stream a customer. */
export const customer: StreamType<Customer, CustomerCommand, CustomerEvent> = {
  category: 'customer',
  decider,
  events: customerEvents,
};
