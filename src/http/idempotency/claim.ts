import type { Logger } from 'pino';
import type { Clock } from '../../kernel/values/clock.js';
import { waitAtMost } from '../../kernel/values/pause.js';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import type { Outcome } from './outcome.js';
import type { KeyRow } from './row.js';
import { keyDeletion, keyWrite, withAnswer } from './row.js';

const RENEW_MILLISECONDS = 10_000;
const HELD_MILLISECONDS = 30_000;
/** So long after it was renewed nobody can have taken it over, even by a clock that is some seconds ahead. */
const SURE_MILLISECONDS = 20_000;
/** An answer that nothing depends on any more waits no longer for its row: its command may have waited for servers that are away until it was given up. */
const PATIENCE = 1_000;

/** A key's row while its request runs: renewed, so that another process can tell a slow request from a dead one. */
export class Claim {
  private readonly timer: NodeJS.Timeout;
  private lastWrite: Promise<unknown> = Promise.resolve();
  private renewedAt: number;
  private lost = false;

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
    this.renewedAt = value.renewedAt;
    this.timer = setInterval(() => {
      this.renew().catch(this.onError);
    }, RENEW_MILLISECONDS).unref();
  }

  /** Whoever renewed it further ahead had a clock that was set back since; where it still runs, who takes it over comes to the same answer. */
  static isHeld({ renewedAt }: KeyRow, now: number): boolean {
    return Math.abs(now - renewedAt) < HELD_MILLISECONDS;
  }

  /** Whether nobody has taken it over; a process that stood still asks. */
  readonly lasts = (): boolean | Promise<boolean> => {
    if (this.lost) return false;
    return this.isSure || this.renewUntilSure();
  };

  /** Whether the row was found to be another's by now. */
  get isLost(): boolean {
    return this.lost;
  }

  private readonly onError = (error: unknown): void => {
    this.logger.warn({ err: error }, 'the row of an idempotency key was not written');
  };

  /** Keeps the answer for repeats. What was recorded rebuilds it should it be lost. */
  async settle(outcome: Omit<Outcome, 'uncertain'>): Promise<void> {
    clearInterval(this.timer);
    const kept = this.write((expected) => keyWrite(this.id, withAnswer(this.value, outcome), expected));
    await (outcome.recorded ? this.briefly(kept) : kept);
  }

  /** Keeps that there was nothing to do: whoever repeats it does nothing either. */
  async settleAsNothing(): Promise<void> {
    clearInterval(this.timer);
    await this.write((expected) => keyWrite(this.id, { ...this.value, renewedAt: 0, didNothing: true }, expected));
  }

  /** Lets go of the key: for good, or with the seed for whoever repeats what may have been recorded. */
  async release(how: 'delete' | 'keep the seed'): Promise<void> {
    clearInterval(this.timer);
    const released = this.write((expected) =>
      how === 'delete' ? keyDeletion(this.id, expected) : keyWrite(this.id, { ...this.value, renewedAt: 0 }, expected),
    );
    await this.briefly(released);
  }

  private briefly(written: Promise<void>): Promise<void> {
    return waitAtMost(PATIENCE, written.catch(this.onError));
  }

  private get isSure(): boolean {
    return Math.abs(this.clock.now() - this.renewedAt) < SURE_MILLISECONDS;
  }

  /** It may stand still while it renews as well. */
  private async renewUntilSure(): Promise<boolean> {
    do await this.renew();
    while (!this.lost && !this.isSure);
    return !this.lost;
  }

  private async renew(): Promise<void> {
    const renewedAt = this.clock.now();
    await this.write((expected) => keyWrite(this.id, { ...this.value, renewedAt }, expected));
    this.renewedAt = renewedAt;
  }

  /** One write after the other; whoever took the row over meanwhile has the same seed and comes to the same answer. */
  private write(make: (expected: number) => VaultWrite): Promise<void> {
    const next = this.lastWrite
      .catch(() => undefined)
      .then(async () => {
        if (await this.vault.write([make(this.version)])) this.version += 1;
        else this.lost = true;
      });
    this.lastWrite = next;
    return next;
  }
}
