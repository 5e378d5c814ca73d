import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import { CustomerKey } from './sealing.js';
import { boundedCache } from '../../kernel/values/bounded-cache.js';

/** Keys in the vault: one a customer, whose end is the end of what is known of the person, and one a store for its search terms. */

export const CUSTOMER_KEY = 'customer-key';
const SEARCH_KEY = 'customer-search-key';
const row = z.object({ key: z.base64() });

export const keyId = (storeId: string, customerId: string): string => `${storeId}/${customerId}`;
const bytesOf = (value: unknown): Buffer => Buffer.from(row.parse(value).key, 'base64');

export const keyWrite = (storeId: string, customerId: string, key: CustomerKey): VaultWrite => ({
  kind: CUSTOMER_KEY,
  id: keyId(storeId, customerId),
  value: { key: key.bytes.toString('base64') },
  expected: 'absent',
});

export const keyDestruction = (storeId: string, customerId: string): VaultWrite => ({
  kind: CUSTOMER_KEY,
  id: keyId(storeId, customerId),
  value: undefined,
  expected: 'any',
});

/** Undefined once it is destroyed. */
export async function keyOf(vault: Vault, storeId: string, customerId: string): Promise<CustomerKey | undefined> {
  const found = await vault.get(CUSTOMER_KEY, keyId(storeId, customerId));
  return found && new CustomerKey(customerId, bytesOf(found.value));
}

export interface CustomerRef {
  readonly storeId: string;
  readonly customerId: string;
}

/** In one read; by `store/customer`. Destroyed ones are missing. */
export async function keysOf(
  vault: Vault,
  customers: readonly CustomerRef[],
): Promise<(customer: CustomerRef) => CustomerKey | undefined> {
  const ids = new Set(customers.map(({ storeId, customerId }) => keyId(storeId, customerId)));
  const rows = ids.size === 0 ? [] : await vault.getMany(CUSTOMER_KEY, [...ids]);
  const values = new Map(rows.map(({ id, value }) => [id, value]));
  return ({ storeId, customerId }) => {
    const value = values.get(keyId(storeId, customerId));
    return value === undefined ? undefined : new CustomerKey(customerId, bytesOf(value));
  };
}

const STORES_REMEMBERED = 10_000;

/** The keys of the stores' search terms. They never change. */
export class SearchKeys {
  private readonly known = boundedCache<Buffer>(STORES_REMEMBERED);

  constructor(private readonly vault: Vault) {}

  /** Undefined for a store that never had a customer. */
  async find(storeId: string): Promise<Buffer | undefined> {
    const known = this.known.get(storeId);
    if (known) return known;
    const found = await this.vault.get(SEARCH_KEY, storeId);
    if (!found) return undefined;
    const key = bytesOf(found.value);
    this.known.set(storeId, key);
    return key;
  }

  /** Made when it is not there. */
  async of(storeId: string): Promise<Buffer> {
    for (;;) {
      const known = await this.find(storeId);
      if (known) return known;
      const value = { key: randomBytes(32).toString('base64') };
      await this.vault.write([{ kind: SEARCH_KEY, id: storeId, value, expected: 'absent' }]);
    }
  }
}
