import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { z } from 'zod';
import type { Vault } from '../../../ports/vault.js';

const KIND = 'audit-key';
const ID = 'installation';

const stored = z.object({ privateKey: z.string() });

/** The Ed25519 key by which an installation signs the checkpoints of its log. It is made on first use and lies in the vault. */
export class SigningKey {
  private loading: Promise<KeyObject> | undefined;

  constructor(private readonly vault: Vault) {}

  /** Base64, over the UTF-8 bytes of the text. */
  async sign(text: string): Promise<string> {
    return sign(null, Buffer.from(text), await this.privateKey()).toString('base64');
  }

  /** The 32 bytes of the public key, in base64. */
  async publicKey(): Promise<string> {
    const { x } = createPublicKey(await this.privateKey()).export({ format: 'jwk' });
    return Buffer.from(x ?? '', 'base64url').toString('base64');
  }

  private privateKey(): Promise<KeyObject> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<KeyObject> {
    for (;;) {
      const row = await this.vault.get(KIND, ID);
      if (row) {
        const der = Buffer.from(stored.parse(row.value).privateKey, 'base64');
        return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      }
      const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
      // Another process may be making one as well: the first that is written counts.
      await this.vault.write([
        { kind: KIND, id: ID, value: { privateKey: made.toString('base64') }, expected: 'absent' },
      ]);
    }
  }
}
