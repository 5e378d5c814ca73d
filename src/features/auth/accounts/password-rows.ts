import { z } from 'zod';
import type { Commands } from '../../../kernel/lanes/commands.js';
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

/**
 * A password in place of the one that there was, which is forgotten; to go with the fact that says so. What a repeat finds there may be its
 * own, or a newer one.
 */
export function replacementRows(
  { isRepeat }: Pick<Commands, 'isRepeat'>,
  before: Pick<Account, 'passwordId'>,
  { passwordId, hash }: { readonly passwordId: string; readonly hash: string },
): readonly VaultWrite[] {
  const written = passwordWrite(passwordId, hash);
  return isRepeat ? [written] : [written, passwordDeletion(before)];
}
