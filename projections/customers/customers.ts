import type { CustomerEvent, Told } from '../../src/features/customers/events.js';
import { customerEvents } from '../../src/features/customers/events.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';

/** A customer as it lies in the read models: sealed, and found by terms that tell nothing. */
export interface CustomerDocument {
  readonly id: string;
  readonly name: string | null;
  readonly document: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly stateRegistration: string | null;
  /** JSON. */
  readonly address: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly erasedAt: string | null;
  /** Becomes the entity tag. */
  readonly revision: number;
  readonly terms: string;
  readonly documentTerm: string | null;
}

export const customers = recordCollection<CustomerDocument>({
  name: 'customers',
  version: 2,
  hidden: ['terms', 'documentTerm'],
  isShownByRecord: true,
  columns: {
    createdAt: { type: 'text', of: ({ createdAt }) => createdAt },
    document: { type: 'text', of: ({ documentTerm }) => documentTerm },
  },
  indexes: [['createdAt'], ['document', 'createdAt']],
  words: ({ terms }) => terms,
});

const ids = ({ data }: Recorded<CustomerEvent>) => [data.id];

const asTold = (created: string | undefined, { data, meta, revision }: Told): CustomerDocument => ({
  id: data.id,
  name: data.name,
  document: data.document,
  email: data.email,
  phone: data.phone,
  stateRegistration: data.stateRegistration ?? null,
  address: data.address ?? null,
  createdAt: created ?? meta.at,
  updatedAt: meta.at,
  erasedAt: null,
  revision,
  terms: data.search?.terms ?? '',
  documentTerm: data.search?.document ?? null,
});

const NOTHING = {
  name: null,
  document: null,
  email: null,
  phone: null,
  stateRegistration: null,
  address: null,
  terms: '',
  documentTerm: null,
};

export const customersProjector = recordProjector(customers, [customerEvents], {
  CustomerRegistered: { ids, evolve: (_, event) => asTold(undefined, event) },
  CustomerChanged: { ids, evolve: (document, event) => document && asTold(document.createdAt, event) },
  CustomerErased: {
    ids,
    evolve: (document, { meta, revision }) =>
      document && { ...document, ...NOTHING, updatedAt: meta.at, erasedAt: meta.at, revision },
  },
});
