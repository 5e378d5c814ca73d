import { isUuid } from '../../kernel/values/ids.js';
import type { RequestContext } from '../../kernel/routes/route.js';
import type { CustomerDirectory, CustomerFacts } from '../contracts/customer-directory.js';
import type { StoredRecord } from '../../ports/read-models.js';
import type { Vault } from '../../ports/vault.js';
import type { CustomerDocument } from '../../../projections/customers/customers.js';
import { customers } from '../../../projections/customers/customers.js';
import { customer } from './decider.js';
import { keysOf } from './keys.js';

export type CustomerRecord = CustomerFacts & Pick<CustomerDocument, 'createdAt' | 'updatedAt' | 'erasedAt'>;

const NOBODY = { name: null, document: null, email: null, phone: null };

/** Opens records of the read models with the keys of those who were not erased. */
export class CustomerRecords implements CustomerDirectory {
  constructor(private readonly vault: Vault) {}

  async unseal(storeId: string, people: readonly CustomerFacts[]): Promise<readonly CustomerFacts[]> {
    const keyOf = await keysOf(
      this.vault,
      people.map(({ id }) => ({ storeId, customerId: id })),
    );
    return people.map(({ id, name, document, email, phone }) => {
      const key = name === null ? undefined : keyOf({ storeId, customerId: id });
      return { id, ...(key && name !== null ? key.open({ name, document, email, phone }) : NOBODY) };
    });
  }

  /** In their order, in one read. */
  async open(
    storeId: string,
    stored: readonly StoredRecord[],
  ): Promise<readonly { readonly record: CustomerRecord; readonly revision: number }[]> {
    const documents = stored.map(({ body }) => JSON.parse(body) as CustomerDocument);
    const people = await this.unseal(storeId, documents);
    return documents.map(({ revision, ...record }, index) => ({ record: { ...record, ...people[index] }, revision }));
  }

  async byIds(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, CustomerFacts>> {
    const stored = await context.reads.getMany(customers, [...new Set(ids)]);
    const opened = await this.open(context.storeId, stored);
    return new Map(
      opened.map(({ record: { id, name, document, phone, email } }) => [id, { id, name, document, phone, email }]),
    );
  }

  async has(context: RequestContext, id: string): Promise<boolean> {
    return isUuid(id) && (await context.current(customer, { id })).stage === 'live';
  }
}
