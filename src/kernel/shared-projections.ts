import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../ports/event-store.js';
import { START } from '../ports/event-store.js';
import type { Lease, Leases } from '../ports/leases.js';
import type { Checkpoint } from '../ports/read-models.js';
import { PositionWaiters } from './position-waiters.js';
import type { ProjectionHealth, Projections } from './projections.js';

const LEASE = 'projections';
const LEASE_LIVES = 10_000;
const RENEW_EVERY = 3_000;
const LOOK_EVERY = 20;

export interface SharedProjectionsOptions {
  readonly leases: Leases;
  /** Names this process. */
  readonly holder: string;
  /** Whether this process may do the work, or only follow what others do. */
  readonly works: boolean;
  readonly collections: readonly { readonly name: string; readonly version: number }[];
  readonly logId: string;
  checkpoints(): Promise<readonly Checkpoint[]>;
  start(): Promise<Projections>;
  onError(error: unknown): void;
}

/** Several processes on one read model: the holder of a lease projects, all others follow its checkpoints. */
export class SharedProjections implements Projections {
  private readonly positions = new Map<string, Position>();
  private readonly waiters = new PositionWaiters((name) => this.positions.get(name) ?? START);
  private readonly closing = new AbortController();
  private working: Projections | undefined;
  private following: Promise<void> | undefined;
  private readonly leading: Promise<void>;

  constructor(private readonly options: SharedProjectionsOptions) {
    this.leading = options.works ? this.lead() : Promise.resolve();
  }

  waitFor(collections: readonly string[], position: Position, milliseconds: number): Promise<boolean> {
    if (this.working) return this.working.waitFor(collections, position, milliseconds);
    const waited = this.waiters.wait(collections, position, milliseconds);
    this.following ??= this.follow().finally(() => (this.following = undefined));
    return waited;
  }

  health(): readonly ProjectionHealth[] {
    if (this.working) return this.working.health();
    return this.options.collections.map(({ name, version }) => ({
      name,
      version,
      state: 'live',
      position: this.positions.get(name) ?? START,
      lagEvents: 0,
      lagMilliseconds: 0,
    }));
  }

  rebuild(collection: string): Promise<void> {
    return this.worker().rebuild(collection);
  }

  skip(collection: string, position: Position): Promise<void> {
    return this.worker().skip(collection, position);
  }

  async caughtUp(): Promise<void> {
    while (!this.working && !this.closing.signal.aborted) await this.pause(LOOK_EVERY);
    await this.working?.caughtUp();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.waiters.giveUp();
    await this.leading;
    await this.following;
  }

  private worker(): Projections {
    if (!this.working) throw new Error('another process holds the projections');
    return this.working;
  }

  private async lead(): Promise<void> {
    while (!this.closing.signal.aborted) {
      try {
        const lease = await this.options.leases.acquire(LEASE, this.options.holder, LEASE_LIVES);
        if (lease) await this.work(lease);
      } catch (error) {
        this.options.onError(error);
      }
      await this.pause(RENEW_EVERY);
    }
  }

  /** Until the lease is lost or the process stops. Two that work at once for a moment do no harm: positions guard every document. */
  private async work(lease: Lease): Promise<void> {
    const working = await this.options.start();
    this.working = working;
    try {
      do await this.pause(RENEW_EVERY);
      while (!this.closing.signal.aborted && (await lease.renew()));
    } finally {
      this.working = undefined;
      await working.close();
      await lease.release();
    }
  }

  /** Looks at the checkpoints for as long as somebody waits. */
  private async follow(): Promise<void> {
    while (this.waiters.waited && !this.closing.signal.aborted) {
      try {
        for (const { collection, version, generation, logId, position } of await this.options.checkpoints()) {
          const mine = this.options.collections.some(
            ({ name, version: wanted }) => name === collection && wanted === version,
          );
          if (mine && generation === 'live' && logId === this.options.logId) this.positions.set(collection, position);
        }
        this.waiters.check();
      } catch (error) {
        this.options.onError(error);
      }
      await this.pause(LOOK_EVERY);
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}
