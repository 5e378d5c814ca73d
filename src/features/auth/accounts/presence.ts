import { z } from 'zod';
import { toIso } from '../../../kernel/clock.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Vault } from '../../../ports/vault.js';

const KIND = 'presence';
const ONLINE = 2 * 60_000;
const PAGE = 1_000;
const row = z.object({ lastSeenAt: z.number() });

export interface Seen {
  readonly lastSeenAt: string | null;
  readonly online: boolean;
}

/** When users last said that they are there: operational, so it lies in the vault and not in history. A store knows of its own visits alone. */
export class Presence {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async beat(storeId: string, userId: string): Promise<string> {
    const lastSeenAt = this.clock.now();
    await this.vault.write([{ kind: KIND, id: `${storeId}/${userId}`, value: { lastSeenAt }, expected: 'any' }]);
    return toIso(lastSeenAt);
  }

  /** Of a store's users, in one read. */
  async inStore(storeId: string): Promise<(userId: string) => Seen> {
    const prefix = `${storeId}/`;
    const seen = new Map<string, number>();
    let after = '';
    for (;;) {
      const rows = await this.vault.list(KIND, { prefix, after, limit: PAGE });
      for (const { id, value } of rows) seen.set(id.slice(prefix.length), row.parse(value).lastSeenAt);
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.id ?? after;
    }
    const now = this.clock.now();
    return (userId) => {
      const at = seen.get(userId);
      return at === undefined
        ? { lastSeenAt: null, online: false }
        : { lastSeenAt: toIso(at), online: now - at <= ONLINE };
    };
  }
}
