import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { IfMatch } from '../../kernel/events/if-match.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { RowConflict } from '../../ports/event-store.js';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Destination } from './decider.js';
import { webhooks } from './decider.js';

export const WEBHOOK_SECRET = 'webhook-secret';
const CACHED = 1_000;
/** Where rows are stored apart from events, so many others may rotate it while a process stands between its row and its event. */
const FORMER = 8;
const TRIES = 10;

/** The first secret of a destination has no id of its own. */
const secretWithId = z.object({ id: z.string().optional(), secret: z.string() });
type SecretWithId = z.output<typeof secretWithId>;
/** The newest, and those of which one counts where the rotation that brought it was not recorded. */
const stored = secretWithId.extend({ former: z.array(secretWithId).optional() });

/** The secret of a row that receivers were told last. */
export const newestSecret = (value: unknown): SecretWithId => secretWithId.parse(value);

/** `whsec_` and 32 random bytes; signatures are keyed with the whole text. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

export const secretRow = (destinationId: string, secret: string | undefined): VaultWrite => ({
  kind: WEBHOOK_SECRET,
  id: destinationId,
  value: secret === undefined ? undefined : { secret },
  expected: 'any',
});

/** The value of X-Service-Signature. */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret)
    .update(`${String(timestamp)}.${body}`)
    .digest('hex')}`;

/** Secrets by the rotation that brought them: one that was rotated is never used again, and one whose rotation was refused never at all. */
export class Secrets {
  private readonly cache = new LRUCache<string, string>({ max: CACHED });

  constructor(private readonly vault: Vault) {}

  /** Undefined when the destination has none, which only a removal or a restored log explains. */
  async of({ destinationId, secretId, secretRevision }: Destination): Promise<string | undefined> {
    const key = `${destinationId} ${String(secretRevision)}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const [, all] = await this.stored(destinationId);
    // A log that was restored does not know of the newest, which receivers have.
    const secret = (all.find(({ id }) => id === secretId) ?? all[0])?.secret;
    if (secret !== undefined) this.cache.set(key, secret);
    return secret;
  }

  /** What gives a new destination its secret; nothing when a repeated request finds it there. */
  async first(destinationId: string): Promise<readonly VaultWrite[]> {
    const [, all] = await this.stored(destinationId);
    return all.length > 0 ? [] : [{ ...secretRow(destinationId, newSecret()), expected: 'absent' }];
  }

  async rotate(context: Commands, destinationId: string, ifMatch: IfMatch): Promise<void> {
    const secretId = context.newId();
    for (let tries = 1; ; tries++) {
      const destination = (await context.current(webhooks)).destinations.get(destinationId);
      if (!destination) throw new Rejection(NOT_FOUND);
      const rows = await this.rotation(destination, secretId);
      try {
        const command = { type: 'rotateSecret', destinationId, secretId, ifMatch } as const;
        await context.execute(webhooks, command, { rows, name: 'rotate' });
        return;
      } catch (error) {
        // Somebody else rotates it too.
        if (!(error instanceof RowConflict) || tries === TRIES) throw error;
      }
    }
  }

  /**
   * What is to be stored with a rotation; nothing when a repeated request finds it there. The secret that counts stays beside the new one:
   * where rows are stored apart from events, the rotation may still be refused.
   */
  private async rotation({ destinationId, secretId }: Destination, newId: string): Promise<readonly VaultWrite[]> {
    const [version, all] = await this.stored(destinationId);
    if (all.some(({ id }) => id === newId)) return [];
    const former = [...all.filter(({ id }) => id === secretId), ...all.filter(({ id }) => id !== secretId)];
    const value = { id: newId, secret: newSecret(), former: former.slice(0, FORMER) };
    return [{ kind: WEBHOOK_SECRET, id: destinationId, value, expected: version }];
  }

  /** The newest first. */
  private async stored(destinationId: string): Promise<readonly [VaultWrite['expected'], readonly SecretWithId[]]> {
    const row = await this.vault.get(WEBHOOK_SECRET, destinationId);
    if (!row) return ['absent', []];
    const { former = [], ...newest } = stored.parse(row.value);
    return [row.version, [newest, ...former]];
  }
}
