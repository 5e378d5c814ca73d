import { z } from 'zod';
import { toIso } from '../../../kernel/values/clock.js';
import type { Clock } from '../../../kernel/values/clock.js';
import { rowsOf } from '../../../kernel/patterns/vault-rows.js';
import type { Vault } from '../../../ports/vault.js';

const KIND = 'presence';
const ONLINE = 2 * 60_000;
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

  async of(storeId: string, userId: string): Promise<Seen> {
    const found = await this.vault.get(KIND, `${storeId}/${userId}`);
    return seenAt(found && row.parse(found.value).lastSeenAt, this.clock.now());
  }

  async forget(storeId: string, userId: string): Promise<void> {
    await this.vault.write([{ kind: KIND, id: `${storeId}/${userId}`, value: undefined, expected: 'any' }]);
  }

  /** Tells when each of a store's users was last there, by one read. */
  async inStore(storeId: string): Promise<(userId: string) => Seen> {
    const prefix = `${storeId}/`;
    const rows = await rowsOf(this.vault, KIND, prefix);
    const seen = new Map(rows.map(({ id, value }) => [id.slice(prefix.length), row.parse(value).lastSeenAt]));
    const now = this.clock.now();
    return (userId) => seenAt(seen.get(userId), now);
  }
}

/** A sign of life that lies further ahead is of a clock that was ahead: it tells nothing about now. */
const seenAt = (at: number | undefined, now: number): Seen =>
  at === undefined
    ? { lastSeenAt: null, online: false }
    : { lastSeenAt: toIso(at), online: Math.abs(now - at) <= ONLINE };
