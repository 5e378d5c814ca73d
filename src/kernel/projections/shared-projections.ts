import { hash } from 'node:crypto';
import type { Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type { Lease, Leases } from '../../ports/leases.js';
import type { Checkpoint } from '../../ports/read-models.js';
import { RebuildReplaced } from '../../ports/read-models.js';
import type { Vault } from '../../ports/vault.js';
import type { Clock } from '../values/clock.js';
import { pauseUntilAborted } from '../values/pause.js';
import type { Errand } from './errands.js';
import { Errands } from './errands.js';
import { ErrandRunner, perform } from './errand-runner.js';
import { PositionWaiters } from './position-waiters.js';
import { LogHearing } from '../lanes/log-hearing.js';
import type { ProjectionHealth, Projections } from './projections.js';

export const LEASE_LIVES = 6_000;
export const RENEW_EVERY = 2_000;
const LOOK_EVERY = 10;

interface SharedProjectionsOptions {
  readonly leases: Leases;
  /** Where these processes leave word for one another. */
  readonly vault: Vault;
  /** Names this process. */
  readonly holder: string;
  /** Whether this process may do the work, or only follow what others do. */
  readonly works: boolean;
  readonly collections: readonly { readonly name: string; readonly version: number }[];
  readonly logId: string;
  readonly clock: Clock;
  /** The position of the log's last event. */
  head(): Promise<Position>;
  checkpoints(): Promise<readonly Checkpoint[]>;
  start(): Promise<Projections>;
  onError(error: unknown): void;
  /** Ends early, without an error, when the signal aborts. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Programs that build the same collections share a lease; a new release beside an old one does its own work at once. */
export const leaseOf = (collections: SharedProjectionsOptions['collections']): string => {
  const versions = collections.map(({ name, version }) => `${name} ${String(version)}`).sort();
  return `projections-${hash('sha256', versions.join('\n'), 'hex').slice(0, 16)}`;
};

/** Several processes on one read model: the holder of a lease projects, all others follow its checkpoints. */
export class SharedProjections implements Projections {
  readonly shared = true;
  private readonly positions = new Map<string, Position>();
  private readonly waiters = new PositionWaiters((name) => this.goesOnFrom(name));
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private working: Projections | undefined;
  private following: Promise<void> | undefined;
  private headAtStart: Position | undefined;
  private readonly hearing: LogHearing;
  private lastLook: { readonly at: number; readonly head: Position } | undefined;
  /** Collections that had not reached, by one regular look, where the log's head was at the one before. */
  private readonly behindSince = new Map<string, number>();
  private readonly errands: Errands;
  /** What the process that projects says beside its checkpoints. */
  private published: ReadonlyMap<string, ProjectionHealth> = new Map();

  constructor(private readonly options: SharedProjectionsOptions) {
    const { vault, clock, collections, pause = pauseUntilAborted } = options;
    this.errands = new Errands(vault, clock, leaseOf(collections), pause);
    this.hearing = new LogHearing(() => options.head());
    this.running = this.run();
  }

  async waitFor(collections: readonly string[], position: Position, milliseconds: number): Promise<boolean> {
    const { working } = this;
    if (!working) return this.waitForOthers(collections, position, milliseconds);
    const asked = performance.now();
    const reached = await working.waitFor(collections, position, milliseconds);
    // Whoever has lost the lease meanwhile can still see what its successor does.
    if (reached || this.working === working) return reached;
    return this.waitForOthers(collections, position, milliseconds - (performance.now() - asked));
  }

  pace(): Promise<void> | undefined {
    return this.working?.pace();
  }

  health(): readonly ProjectionHealth[] {
    return this.working?.health() ?? this.options.collections.map((collection) => this.healthOfOthers(collection));
  }

  rebuild(...collections: readonly string[]): Promise<void> {
    return this.have({ kind: 'rebuild', collections });
  }

  skip(collection: string, position: Position): Promise<void> {
    return this.have({ kind: 'skip', collection, position });
  }

  async caughtUp(): Promise<void> {
    if (this.working) return this.working.caughtUp();
    const names = this.options.collections.map(({ name }) => name);
    await this.waitForOthers(names, await this.options.head());
    // Whoever asks next how they are hears what the one that works says by now.
    await this.lookRegularly();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.waiters.giveUp();
    await this.running;
    await this.following;
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  private reached(name: string): Position {
    return this.positions.get(name) ?? START;
  }

  /** How far another process has projected the collection; undefined when it has stopped there. */
  private goesOnFrom(name: string): Position | undefined {
    const [position, stoppedBefore] = [this.reached(name), this.published.get(name)?.poison?.position];
    return stoppedBefore !== undefined && position < stoppedBefore ? undefined : position;
  }

  /** Through this process while it projects, and otherwise through the one that does. */
  private async have(errand: Errand): Promise<void> {
    const { working } = this;
    if (working) {
      try {
        await perform(working, errand);
        return;
      } catch (error) {
        const isAnothers = this.working !== working || error instanceof RebuildReplaced;
        if (!isAnothers || this.isClosing()) throw error;
      }
    }
    await this.errands.have(errand, this.closing.signal);
    await Promise.all([this.readPositions(), this.readPublished()]);
  }

  private async run(): Promise<void> {
    const { leases, holder, works, collections } = this.options;
    while (!this.isClosing()) {
      try {
        const mayWork = works && !this.hearing.isDeaf;
        const lease = mayWork ? await leases.acquire(leaseOf(collections), holder, LEASE_LIVES) : undefined;
        if (lease) await this.work(lease);
        else await this.lookRegularly();
      } catch (error) {
        this.options.onError(error);
      }
      await this.pause(RENEW_EVERY);
    }
  }

  /** Until the lease or the log is lost, or the process stops. Two that work at once for a moment do no harm: positions guard every document. */
  private async work(lease: Lease): Promise<void> {
    let working: Projections | undefined;
    let runner: ErrandRunner | undefined;
    try {
      working = await this.options.start();
      this.working = working;
      runner = new ErrandRunner(this.errands, working, (error) => {
        this.options.onError(error);
      });
      do {
        runner.look();
        void this.hearing.listen();
        await this.pause(RENEW_EVERY);
      } while (!this.isClosing() && !this.hearing.isDeaf && (await this.holds(lease)));
    } finally {
      this.working = undefined;
      this.forgetOthers();
      runner?.leave();
      try {
        await working?.close();
        await runner?.ended();
      } finally {
        await lease.release();
      }
    }
  }

  /** What was seen of others before this process projected says nothing of those that do afterwards. */
  private forgetOthers(): void {
    this.lastLook = undefined;
    this.behindSince.clear();
    this.published = new Map();
  }

  /** While nobody can say that the lease is lost, going on is better than stopping. */
  private holds(lease: Lease): Promise<boolean> {
    return lease.renew().catch((error: unknown) => {
      this.options.onError(error);
      return true;
    });
  }

  private waitForOthers(collections: readonly string[], position: Position, milliseconds?: number): Promise<boolean> {
    if (this.isClosing()) return Promise.resolve(false);
    const waited = this.waiters.wait(collections, position, milliseconds);
    if (this.waiters.waited) this.following ??= this.follow();
    return waited;
  }

  /** Looks at the checkpoints for as long as somebody waits. */
  private async follow(): Promise<void> {
    do {
      try {
        await this.readPositions();
        this.waiters.check();
      } catch (error) {
        this.options.onError(error);
      }
      await this.pause(LOOK_EVERY);
    } while (this.waiters.waited && !this.isClosing());
    this.following = undefined; // in the same turn as the last look at who waits
  }

  /** So that health tells how far the others are even when nobody waits. */
  private async lookRegularly(): Promise<void> {
    const [at, head] = [this.options.clock.now(), await this.hearing.head()];
    await Promise.all([this.readPositions(), this.readPublished()]);
    this.waiters.check();
    for (const { name } of this.options.collections) {
      if (!this.lastLook || this.reached(name) >= this.lastLook.head) this.behindSince.delete(name);
      else if (!this.behindSince.has(name)) this.behindSince.set(name, this.lastLook.at);
    }
    this.headAtStart ??= head;
    this.lastLook = { at, head };
  }

  private async readPositions(): Promise<void> {
    const wanted = new Map(this.options.collections.map(({ name, version }) => [name, version]));
    for (const { collection, version, generation, logId, position } of await this.options.checkpoints()) {
      const mine = wanted.get(collection) === version && generation === 'live' && logId === this.options.logId;
      if (mine) this.positions.set(collection, position);
    }
  }

  private async readPublished(): Promise<void> {
    this.published = new Map((await this.errands.published()).map((health) => [health.name, health]));
  }

  private healthOfOthers({ name, version }: { readonly name: string; readonly version: number }): ProjectionHealth {
    const position = this.reached(name);
    const since = this.behindSince.get(name);
    const said = this.published.get(name);
    return {
      name,
      version,
      state: said?.state ?? (this.headAtStart !== undefined && position >= this.headAtStart ? 'live' : 'catching-up'),
      position,
      lagEvents: said?.lagEvents ?? 0,
      lagMilliseconds: said?.lagMilliseconds ?? (since === undefined ? 0 : this.options.clock.now() - since),
      ...(said?.rebuiltTo === undefined ? {} : { rebuiltTo: said.rebuiltTo }),
      ...(said?.poison ? { poison: said.poison } : {}),
    };
  }

  private pause(milliseconds: number): Promise<void> {
    return (this.options.pause ?? pauseUntilAborted)(milliseconds, this.closing.signal);
  }
}
