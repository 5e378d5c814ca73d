import { z } from 'zod';
import { toIso } from '../../../kernel/clock.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Vault } from '../../../ports/vault.js';

const KIND = 'presence';
const ONLINE = 2 * 60_000;
const row = z.object({ lastSeenAt: z.number() });

/** When users last said that they are there: operational, so it lies in the vault and not in history. */
export class Presence {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async beat(userId: string): Promise<string> {
    const lastSeenAt = this.clock.now();
    await this.vault.write([{ kind: KIND, id: userId, value: { lastSeenAt }, expected: 'any' }]);
    return toIso(lastSeenAt);
  }

  async of(userId: string): Promise<{ readonly lastSeenAt: string | null; readonly online: boolean }> {
    const found = await this.vault.get(KIND, userId);
    if (!found) return { lastSeenAt: null, online: false };
    const { lastSeenAt } = row.parse(found.value);
    return { lastSeenAt: toIso(lastSeenAt), online: this.clock.now() - lastSeenAt <= ONLINE };
  }
}
