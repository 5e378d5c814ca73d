import type { Logger } from 'pino';
import type { Clock } from '../../kernel/values/clock.js';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Outcome } from './outcome.js';
import type { KeyRow } from './row.js';
import { keyDeletion, keyWrite, withAnswer } from './row.js';

const RENEW_MILLISECONDS = 10_000;
const HELD_MILLISECONDS = 30_000;

/** A key's row while its request runs: renewed, so that another process can tell a slow request from a dead one. */
export class Claim {
  private readonly timer: NodeJS.Timeout;
  private lastWrite: Promise<unknown> = Promise.resolve();
  constructor(
    private readonly id: string,
    readonly value: KeyRow,
    private version: number,
    /** Whether a request that is gone held it before. */
    readonly takenOver: boolean,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => {
      this.write((expected) => keyWrite(id, { ...value, renewedAt: this.clock.now() }, expected)).catch(this.onError);
    }, RENEW_MILLISECONDS).unref();
  }

  /** Whoever renewed it further ahead had a clock that was set back since; where it still runs, who takes it over comes to the same answer. */
  static isHeld({ renewedAt }: KeyRow, now: number): boolean {
    return Math.abs(now - renewedAt) < HELD_MILLISECONDS;
  }

  readonly onError = (error: unknown): void => {
    this.logger.warn({ err: error }, 'the row of an idempotency key was not written');
  };

  /** Keeps the answer for repeats. */
  async settle(outcome: Omit<Outcome, 'uncertain'>): Promise<void> {
    clearInterval(this.timer);
    await this.write((expected) => keyWrite(this.id, withAnswer(this.value, outcome), expected));
  }

  /** Lets go of the key: for good, or with the seed for whoever repeats what may have been recorded. */
  async release(how: 'delete' | 'keep the seed'): Promise<void> {
    clearInterval(this.timer);
    await this.write((expected) =>
      how === 'delete' ? keyDeletion(this.id, expected) : keyWrite(this.id, { ...this.value, renewedAt: 0 }, expected),
    ).catch(this.onError);
  }

  /** One write after the other; whoever took the row over meanwhile has the same seed and comes to the same answer. */
  private write(make: (expected: number) => VaultWrite): Promise<void> {
    const next = this.lastWrite
      .catch(() => undefined)
      .then(async () => {
        if (await this.vault.write([make(this.version)])) this.version += 1;
      });
    this.lastWrite = next;
    return next;
  }
}
