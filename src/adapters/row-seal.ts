import type { RowSeal } from '../ports/moving.js';
import { StartRefused } from '../ports/start-refused.js';
import { vaultCipher, VaultSealBroken } from './vault-cipher.js';

/** Both engines seal rows in the same way. */
export function rowSeal(secretsKey: Uint8Array): RowSeal {
  const cipher = vaultCipher(secretsKey);
  return {
    open(row) {
      try {
        return JSON.parse(cipher.open(row, row.value)) as unknown;
      } catch (cause) {
        if (!(cause instanceof VaultSealBroken)) throw cause;
        throw new StartRefused('SECRETS_KEY is not the key that this vault was sealed with', { cause });
      }
    },
    seal: (row, value) => ({ ...row, value: cipher.seal(row, JSON.stringify(value)) }),
  };
}
