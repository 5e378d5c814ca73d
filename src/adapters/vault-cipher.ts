import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';

/** What a row's ciphertext is bound to, so that no value can be moved to another row or back in time. */
interface RowIdentity {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
}

/** AES-256-GCM; the bytes are nonce (12), tag (16), ciphertext. */
export interface VaultCipher {
  seal(row: RowIdentity, json: string): Buffer;
  open(row: RowIdentity, sealed: Uint8Array): string;
}

const NONCE = 12;
const TAG = 16;
const ALGORITHM = 'aes-256-gcm';

/** A value that this key did not seal for this row: a wrong key, or bytes that were changed. */
export class VaultSealBroken extends Error {
  constructor({ kind, id, version }: RowIdentity, options: ErrorOptions) {
    super(`vault row ${kind}/${id} version ${version} cannot be opened: wrong key or changed bytes`, options);
    this.name = 'VaultSealBroken';
  }
}

// JSON keeps the parts apart: no kind and id can be cut differently to the same bytes.
const boundTo = ({ kind, id, version }: RowIdentity): Buffer => Buffer.from(JSON.stringify([kind, id, version]));

/** Nonces are drawn many at once: asking for twelve bytes costs as much as asking for thousands. */
const NONCES_AT_ONCE = 512;

function nonceSource(): () => Buffer {
  let [drawn, used] = [Buffer.alloc(0), 0];
  return () => {
    if (used === drawn.length) [drawn, used] = [randomBytes(NONCE * NONCES_AT_ONCE), 0];
    used += NONCE;
    return drawn.subarray(used - NONCE, used);
  };
}

export function vaultCipher(secretsKey: Uint8Array): VaultCipher {
  if (secretsKey.length !== 32) throw new Error(`the secrets key has ${secretsKey.length} bytes, not 32`);
  const key = createSecretKey(secretsKey);
  const nextNonce = nonceSource();
  return {
    seal(row, json) {
      const nonce = nextNonce();
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(boundTo(row));
      const body = Buffer.concat([cipher.update(json, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(row, sealed) {
      try {
        const tag = sealed.subarray(NONCE, NONCE + TAG);
        const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE), { authTagLength: TAG });
        decipher.setAAD(boundTo(row)).setAuthTag(tag);
        return decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new VaultSealBroken(row, { cause });
      }
    },
  };
}
