import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Destination } from './decider.js';

const KIND = 'webhook-secret';
const CACHED = 1_000;

const stored = z.object({ secret: z.string() });

/** `whsec_` and 32 random bytes; signatures are keyed with the whole text. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

export const secretRow = (destinationId: string, secret: string | undefined): VaultWrite => ({
  kind: KIND,
  id: destinationId,
  value: secret === undefined ? undefined : { secret },
  expected: 'any',
});

/** The value of X-Service-Signature. */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret)
    .update(`${String(timestamp)}.${body}`)
    .digest('hex')}`;

/** Secrets by the revision of their last change, so that one that was rotated is never used again. */
export class Secrets {
  private readonly cache = new LRUCache<string, string>({ max: CACHED });

  constructor(private readonly vault: Vault) {}

  /** Undefined when the destination has none, which only a removal explains. */
  async of({ destinationId, secretRevision }: Destination): Promise<string | undefined> {
    const key = `${destinationId} ${String(secretRevision)}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const secret = await this.stored(destinationId);
    if (secret !== undefined) this.cache.set(key, secret);
    return secret;
  }

  async stored(destinationId: string): Promise<string | undefined> {
    const row = await this.vault.get(KIND, destinationId);
    return row && stored.parse(row.value).secret;
  }
}
