import { z } from 'zod';
import type { Vault, VaultWrite } from '../../../ports/vault.js';

const KIND = 'password';
const row = z.object({ hash: z.string() });

/** Where an account's password hash lies. */
export const passwordWrite = (userId: string, hash: string): VaultWrite => ({
  kind: KIND,
  id: userId,
  value: { hash },
  expected: 'any',
});

export async function passwordHashOf(vault: Vault, userId: string): Promise<string | undefined> {
  const found = await vault.get(KIND, userId);
  return found && row.parse(found.value).hash;
}
