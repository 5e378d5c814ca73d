import type { VaultWrite } from '../../../ports/vault.js';
import { removalRows } from '../sign-in/second-factors.js';
import type { Account, AccountState } from './decider.js';
import { passwordDeletion } from './password-rows.js';

/** The rows of the secrets that an account had before a fact and has not behind it. */
export function endedSecrets(
  before: Pick<Account, 'passwordId' | 'factorId'> | Exclude<AccountState, Account>,
  after: AccountState,
): readonly VaultWrite[] {
  if (typeof before === 'string') return [];
  const left = typeof after === 'string' ? undefined : after;
  return [
    ...(left?.passwordId === before.passwordId ? [] : [passwordDeletion(before)]),
    ...(left?.factorId === before.factorId ? [] : removalRows(before.factorId)),
  ];
}
