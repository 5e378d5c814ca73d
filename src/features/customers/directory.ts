import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import { isUuid } from '../../kernel/values/ids.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { CustomerDirectory, CustomerFacts } from '../contracts/customer-directory.js';
import type { StoredAddress } from '../contracts/fiscal-settings.js';
import { storedAddress } from '../contracts/fiscal-settings.js';
import type { StoredRecord } from '../../ports/read-models.js';
import type { Vault } from '../../ports/vault.js';
import type { CustomerDocument } from '../../../projections/customers/customers.js';
import { customers } from '../../../projections/customers/customers.js';
import { customer } from './decider.js';
import type { Told } from './events.js';
import { keyOf, keysOf } from './keys.js';

/** As it was sealed. */
const addressOf = (text: string | null): StoredAddress | null =>
  text === null ? null : storedAddress.parse(JSON.parse(text));

type CustomerRecord = CustomerFacts & Pick<CustomerDocument, 'createdAt' | 'updatedAt' | 'erasedAt'>;

const NOBODY = { name: null, document: null, email: null, phone: null, stateRegistration: null, address: null };

/** Opens records of the read models with the keys of those who were not erased. */
export class CustomerRecords implements CustomerDirectory {
  constructor(private readonly vault: Vault) {}

  async unseal(storeId: string, people: readonly CustomerFacts[]): Promise<readonly CustomerFacts[]> {
    const keyOf = await keysOf(
      this.vault,
      people.map(({ id }) => ({ storeId, customerId: id })),
    );
    return people.map((person) => {
      // As it lies in events and read models its address is a sealed text.
      const { id, ...sealed } = person as unknown as CustomerDocument;
      const key = sealed.name === null ? undefined : keyOf({ storeId, customerId: id });
      const opened = key && sealed.name !== null ? key.open({ ...sealed, name: sealed.name }) : NOBODY;
      return { id, ...opened, address: addressOf(opened.address) };
    });
  }

  /** In their order, in one read. */
  async open(
    storeId: string,
    stored: readonly StoredRecord[],
  ): Promise<readonly { readonly record: CustomerRecord; readonly revision: number }[]> {
    const documents = stored.map(({ body }) => JSON.parse(body) as CustomerDocument);
    const people = await this.unseal(storeId, documents as unknown as readonly CustomerFacts[]);
    return documents.map(
      ({ revision, createdAt, updatedAt, erasedAt, id, terms: _, documentTerm: __, ...sealed }, index) => {
        const person = people[index] ?? { ...sealed, id, ...NOBODY };
        return { record: { ...person, id, createdAt, updatedAt, erasedAt }, revision };
      },
    );
  }

  async one(context: RequestContext, id: string) {
    const stored = await context.reads.get(customers, id);
    const [found] = await this.open(context.storeId, stored ? [stored] : []);
    if (!found) throw new Rejection(NOT_FOUND);
    return found;
  }

  /** The record as one of its events left it; undefined without the key of the customer. */
  async after(storeId: string, { data, meta, revision }: Told, createdAt: string) {
    const key = await keyOf(this.vault, storeId, data.id);
    if (!key) return undefined;
    const { address, ...person } = key.open(data);
    const times = { createdAt, updatedAt: meta.at, erasedAt: null };
    return { record: { id: data.id, ...person, address: addressOf(address), ...times }, revision };
  }

  async byIds(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, CustomerFacts>> {
    const stored = await context.reads.getMany(customers, [...new Set(ids)]);
    const opened = await this.open(context.storeId, stored);
    return new Map(
      opened.map(({ record: { id, name, document, phone, email, stateRegistration, address } }) => [
        id,
        { id, name, document, phone, email, stateRegistration, address },
      ]),
    );
  }

  async has(context: RequestContext, id: string): Promise<boolean> {
    return isUuid(id) && (await context.current(customer, { id })).stage === 'live';
  }
}
