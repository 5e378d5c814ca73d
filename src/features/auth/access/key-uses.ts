import { z } from 'zod';
import { toIso } from '../../../kernel/values/clock.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { rowsOf } from '../../../kernel/patterns/vault-rows.js';
import type { Vault } from '../../../ports/vault.js';

const KIND = 'api-key-use';
const MINUTE = 60_000;
const row = z.object({ lastUsedAt: z.number() });

/** When each API key was last used, to the minute: written once a minute and key, however many requests come. */
export class KeyUses {
  private readonly noted = new Map<string, number>();

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  note(storeId: string, keyId: string): void {
    const minute = Math.floor(this.clock.now() / MINUTE) * MINUTE;
    if (this.noted.get(keyId) === minute) return;
    this.noted.set(keyId, minute);
    const write = { kind: KIND, id: `${storeId}/${keyId}`, value: { lastUsedAt: minute }, expected: 'any' as const };
    // The request does not wait; a use that could not be written is written with the next one.
    this.vault.write([write]).catch(() => this.noted.delete(keyId));
  }

  async forget(storeId: string, keyId: string): Promise<void> {
    this.noted.delete(keyId);
    await this.vault.write([{ kind: KIND, id: `${storeId}/${keyId}`, value: undefined, expected: 'any' }]);
  }

  /** Tells when each of a store's keys was last used, by one read. */
  async inStore(storeId: string): Promise<(keyId: string) => string | null> {
    const prefix = `${storeId}/`;
    const rows = await rowsOf(this.vault, KIND, prefix);
    const uses = new Map(rows.map(({ id, value }) => [id.slice(prefix.length), row.parse(value).lastUsedAt]));
    return (keyId) => {
      const at = Math.max(uses.get(keyId) ?? 0, this.noted.get(keyId) ?? 0);
      return at === 0 ? null : toIso(at);
    };
  }
}
