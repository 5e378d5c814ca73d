import { availableParallelism } from 'node:os';
import { genSaltSync } from 'bcrypt';
import { ThreadPool } from '../../kernel/threads/thread-pool.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import { LONGEST_PASSWORD } from '../../ports/password-hasher.js';
import type { Job } from './worker.js';

export interface BcryptOptions {
  /** The cost of passwords: each step doubles the work. */
  readonly cost?: number;
  /** The cost of codes, which are random already: ten of them are hashed at once. */
  readonly codeCost?: number;
  readonly workers?: number;
  readonly mostWaiting?: number;
}

const COST = 12;
const CODE_COST = 10;
const MOST_WAITING = 500;
const DIGEST_LENGTH = 31;
/** Those who show or change what is their own are limited elsewhere, and wait together. */
const HOLDERS = 'holders';

const tooLong = (text: string): boolean => Buffer.byteLength(text) > LONGEST_PASSWORD;

/** bcrypt in threads of its own: neither the event loop nor libuv's pool, which files and names need, waits for it. */
export class BcryptPasswordHasher implements PasswordHasher {
  private readonly pool: ThreadPool<Job, unknown>;
  private readonly cost: number;
  private readonly codeCost: number;
  /** Well formed and of the same cost, but nobody's. */
  private readonly nobodysHash: string;

  constructor(options: BcryptOptions = {}) {
    this.cost = options.cost ?? COST;
    this.codeCost = options.codeCost ?? CODE_COST;
    this.pool = new ThreadPool({
      script: new URL('./worker.js', import.meta.url),
      mostThreads: options.workers ?? Math.max(1, availableParallelism() - 1),
      mostWaiting: options.mostWaiting ?? MOST_WAITING,
      crowded: 'too many passwords are being checked; try again',
    });
    this.nobodysHash = genSaltSync(this.cost) + '.'.repeat(DIGEST_LENGTH);
  }

  async hash(password: string, storeId = HOLDERS): Promise<string> {
    const text = password.normalize('NFC');
    if (tooLong(text)) throw new Error('a password is longer than bcrypt reads');
    return (await this.pool.run({ kind: 'hash', text, salt: this.cost }, storeId)) as string;
  }

  /** What is longer than bcrypt reads never matches, or it would match by its beginning. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const text = password.normalize('NFC');
    const known = hash !== undefined && !tooLong(text);
    const matches = await this.pool.run({ kind: 'compare', text, hash: known ? hash : this.nobodysHash }, HOLDERS);
    return known && matches === true;
  }

  newCodeSalt(): string {
    return genSaltSync(this.codeCost);
  }

  async hashCode(code: string, salt: string): Promise<string> {
    return (await this.pool.run({ kind: 'hash', text: code, salt }, HOLDERS)) as string;
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
