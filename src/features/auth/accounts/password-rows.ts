import { z } from 'zod';
import type { Vault, VaultWrite } from '../../../ports/vault.js';
import type { Account } from './decider.js';

const KIND = 'password';
const row = z.object({ hash: z.string() });

/** A password's hash, under the id by which its account's event names it: until that is recorded, the row opens nothing. */
export const passwordWrite = (passwordId: string, hash: string): VaultWrite => ({
  kind: KIND,
  id: passwordId,
  value: { hash },
  expected: 'any',
  endsWhenRefused: true,
});

export async function passwordHashOf(
  vault: Vault,
  { passwordId }: Pick<Account, 'passwordId'>,
): Promise<string | undefined> {
  const found = await vault.get(KIND, passwordId);
  return found && row.parse(found.value).hash;
}

export const passwordDeletion = ({ passwordId }: Pick<Account, 'passwordId'>): VaultWrite => ({
  kind: KIND,
  id: passwordId,
  value: undefined,
  expected: 'any',
});

/** Whether anybody can sign in by a password. */
export const holdsPasswords = async (vault: Vault): Promise<boolean> =>
  (await vault.list(KIND, { limit: 1 })).length > 0;
