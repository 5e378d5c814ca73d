import type { KeyObject } from 'node:crypto';
import { createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '../../../kernel/values/clock.js';
import { Rejection } from '../../../kernel/events/rejection.js';
import { TurnsByKey } from '../../../kernel/values/turns.js';
import type { Vault } from '../../../ports/vault.js';
import { addressGroup } from '../../../kernel/values/address-group.js';
import * as count from './failure-count.js';
import { TOO_MANY_ATTEMPTS } from './rejections.js';

export const THROTTLE_ROW = 'throttle';
/** How long an attempt waits for others of its account to end. */
const PATIENCE = 15_000;
/** Attempts in this process wake each other; those of others are found by looking again. */
const LOOK_AGAIN = 250;

interface Attempt {
  /** Whoever it is, known or not: attempts with one key count together. */
  readonly account: string;
  readonly address: string;
}

/** How many attempts may fail in 15 minutes. */
interface ThrottleLimits {
  readonly purpose: 'password' | 'code';
  readonly account: number;
  readonly address: number;
}

export const PASSWORD_LIMITS: ThrottleLimits = { purpose: 'password', account: 5, address: 20 };
/** A code follows a right password, and each token bears few: whoever mistyped all of them may begin again. */
export const CODE_LIMITS: ThrottleLimits = { purpose: 'code', account: 20, address: 60 };

interface ThrottleServices {
  readonly vault: Vault;
  readonly clock: Clock;
  /** Names and addresses do not stand in the vault's ids. */
  readonly key: KeyObject;
  readonly patience?: number;
}

interface Counter {
  readonly id: string;
  readonly limit: number;
}

/** Gives the count as it shall be; `undefined` leaves it. */
type Step = (known: count.FailureCount, now: number) => count.FailureCount | undefined;

/** Limits how often secrets of one purpose can be guessed. */
export class Throttle {
  private readonly turns = new TurnsByKey();
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly limits: ThrottleLimits,
    private readonly services: ThrottleServices,
  ) {}

  /**
   * Runs a check unless too many have failed: the attempt is counted before it, so that parallel guesses cannot slip through.
   * `undefined` is a failure, an exception none of the caller's fault. A success forgets the account's failures, not the address's.
   */
  async guard<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const account = this.counter('account', attempt.account, this.limits.account);
    const address = this.counter('address', addressGroup(attempt.address), this.limits.address);
    const id = randomUUID();
    await this.refuseBlocked([address, account]);
    await this.begin(address, id);
    try {
      await this.begin(account, id);
    } catch (error) {
      await this.change(address, (known) => count.givenBack(known, id));
      throw error;
    }
    let result: T | undefined;
    try {
      result = await check();
    } catch (error) {
      await Promise.all([account, address].map((one) => this.change(one, (known) => count.givenBack(known, id))));
      throw error;
    }
    await this.end(account, address, id, result !== undefined);
    return result;
  }

  /** Costs one read: who is blocked makes nobody write. */
  private async refuseBlocked(counters: readonly Counter[]): Promise<void> {
    const { vault, clock } = this.services;
    const ids = counters.map(({ id }) => id);
    const rows = await vault.getMany(THROTTLE_ROW, ids);
    const now = clock.now();
    for (const { id, limit } of counters) {
      const known = rows.find((row) => row.id === id)?.value as count.FailureCount | undefined;
      const { blockedUntil } = count.at(known ?? count.NO_FAILURES, now, limit);
      if (blockedUntil > now) throw tooMany(blockedUntil - now);
    }
  }

  private async end(account: Counter, address: Counter, id: string, success: boolean): Promise<void> {
    const failed = (of: Counter): Step => {
      return (known, now) => count.endedInFailure(known, id, now, of.limit);
    };
    await Promise.all([
      this.change(address, success ? (known) => count.givenBack(known, id) : failed(address)),
      this.change(account, success ? (known) => count.endedInSuccess(known, id) : failed(account)),
    ]);
  }

  /** Lets an attempt through; waits while those that run could use up what is left, and refuses when it is used up. */
  private async begin(counter: Counter, id: string): Promise<void> {
    const deadline = performance.now() + (this.services.patience ?? PATIENCE);
    for (;;) {
      let changed: Promise<void> | undefined;
      await this.change(counter, (known, now) => {
        if (known.blockedUntil > now) throw tooMany(known.blockedUntil - now);
        if (count.hasRoom(known, counter.limit)) return count.begun(known, id, now);
        changed = this.nextChange(counter.id);
        return undefined;
      });
      if (!changed) return;
      if (performance.now() >= deadline) throw tooMany(1_000);
      await changed;
    }
  }

  /** One at a time within this process, by compare-and-set among several. */
  private change(counter: Counter, step: Step): Promise<void> {
    return this.turns.take(counter.id, () => this.compareAndSet(counter, step));
  }

  private async compareAndSet({ id, limit }: Counter, step: Step): Promise<void> {
    const { vault, clock } = this.services;
    for (;;) {
      const row = await vault.get(THROTTLE_ROW, id);
      const now = clock.now();
      const known = (row?.value as count.FailureCount | undefined) ?? count.NO_FAILURES;
      const value = step(count.at(known, now, limit), now);
      if (value === undefined) return;
      const expiresAt = count.forgottenAt(value);
      const kept = expiresAt > now ? { value, expiresAt } : { value: undefined };
      if (await vault.write([{ kind: THROTTLE_ROW, id, expected: row?.version ?? 'absent', ...kept }])) break;
    }
    for (const wake of this.waiting.get(id) ?? []) wake();
  }

  private nextChange(id: string): Promise<void> {
    const waiting = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, waiting);
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0) this.waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, LOOK_AGAIN);
      waiting.add(wake);
    });
  }

  private counter(what: string, value: string, limit: number): Counter {
    const id = createHmac('sha256', this.services.key)
      .update(JSON.stringify([this.limits.purpose, what, value]))
      .digest('hex');
    return { id, limit };
  }
}

const tooMany = (milliseconds: number): Rejection =>
  new Rejection(TOO_MANY_ATTEMPTS, undefined, { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) });
