import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import type { Lease, Leases } from '../../ports/leases.js';
import type { Vault } from '../../ports/vault.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import { recordedEvent } from '../events/recorded.js';
import { batchesOf } from '../values/batches.js';
import { LogHearing } from '../lanes/log-hearing.js';
import type { Clock } from '../values/clock.js';
import { pauseUntilAborted } from '../values/pause.js';
import { CheckpointLost, ReactorCheckpoint } from './checkpoint.js';
import type { Reactor, ReactorHealth } from './reactor.js';
import { ReactorStopped } from './reactor.js';

/** Another process takes over so long after the last sign of life. */
export const REACTOR_LEASE = 10_000;
const RENEW_EVERY = 3_000;
/** A reactor is handed so many of its events at once. */
const PORTION = 64;

export interface ReactorServices {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly leases: Leases;
  /** Names this process. */
  readonly holder: string;
  readonly clock: Clock;
  onError(error: unknown): void;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Runs one reactor for as long as this process holds its lease, and tries to get the lease while another does. */
export class ReactorRunner {
  private readonly closing = new AbortController();
  private readonly hearing: LogHearing;
  private readonly running: Promise<void>;
  private state: ReactorHealth['state'] = 'waiting';
  private reason: string | undefined;
  private tenure: Tenure | undefined;

  constructor(
    private readonly reactor: Reactor,
    private readonly services: ReactorServices,
  ) {
    this.hearing = new LogHearing(() => services.eventStore.head());
    this.running = this.run();
  }

  health(): ReactorHealth {
    const { name } = this.reactor;
    const since = this.tenure?.busySince;
    const lagMilliseconds = since === undefined ? 0 : Math.max(0, this.services.clock.now() - since);
    return { name, state: this.state, lagMilliseconds, ...(this.reason !== undefined && { reason: this.reason }) };
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  private async run(): Promise<void> {
    const { leases, holder } = this.services;
    while (!this.isClosing()) {
      try {
        if (this.hearing.isDeaf) await this.hearing.head();
        const lease = await leases.acquire(`reactor-${this.reactor.name}`, holder, REACTOR_LEASE);
        if (lease) await this.runWith(lease);
      } catch (error) {
        this.services.onError(error);
        if (error instanceof ReactorStopped) {
          this.state = 'stopped';
          this.reason = error.message;
          return;
        }
      }
      await this.pause(this.closing.signal);
    }
  }

  /** Until the lease or the log is lost, or the process stops. */
  private async runWith(lease: Lease): Promise<void> {
    const { eventStore } = this.services;
    const ended = new AbortController();
    try {
      const checkpoint = await ReactorCheckpoint.take(this.services, this.reactor, lease.fence);
      const tenure = new Tenure(this.reactor, checkpoint, lease.fence);
      this.tenure = tenure;
      const signal = AbortSignal.any([ended.signal, this.closing.signal]);
      const following = eventStore.subscribe(checkpoint.position, async (events) => {
        signal.throwIfAborted();
        try {
          await tenure.handle(events);
        } catch (error) {
          this.services.onError(error);
          if (error instanceof CheckpointLost) ended.abort();
          throw error; // the batch is given again after a pause
        }
      });
      this.state = 'following';
      try {
        do {
          void this.hearing.listen();
          await this.pause(signal);
        } while (!signal.aborted && !this.hearing.isDeaf && (await this.holds(lease, tenure)));
      } finally {
        this.state = 'waiting';
        this.tenure = undefined;
        await following.stop();
        if (!ended.signal.aborted) await tenure.settle();
      }
    } catch (error) {
      if (!(error instanceof CheckpointLost)) throw error;
    } finally {
      await lease.release();
    }
  }

  /** While nobody can say that the lease is lost, going on does no harm: the checkpoint refuses whoever is late. */
  private async holds(lease: Lease, tenure: Tenure): Promise<boolean> {
    try {
      if (!(await lease.renew())) return false;
      await tenure.settle();
      return true;
    } catch (error) {
      if (error instanceof CheckpointLost) return false;
      this.services.onError(error);
      return true;
    }
  }

  private pause(signal: AbortSignal): Promise<void> {
    return (this.services.pause ?? pauseUntilAborted)(RENEW_EVERY, signal);
  }
}

/** The time in which one process runs a reactor. */
class Tenure {
  private readonly types: ReadonlySet<string>;
  /** When the oldest event was recorded that it is not done with. */
  busySince: number | undefined;
  /** Up to where nothing was left to react to. */
  private passed: string;

  constructor(
    private readonly reactor: Reactor,
    private readonly checkpoint: ReactorCheckpoint,
    private readonly fence: number,
  ) {
    this.types = new Set(reactor.types);
    this.passed = checkpoint.position;
  }

  async handle(batch: readonly StoredEvent[]): Promise<void> {
    const fresh = batch.filter(({ position }) => position > this.passed);
    const concerning = fresh.filter(({ type }) => this.types.has(type));
    for (const portion of batchesOf(concerning, PORTION)) {
      const recorded = portion.map((event) => recordedEvent(this.reactor.codec, event));
      this.busySince = recordedAt(recorded);
      const reaction = await this.reactor.react(recorded, this.fence);
      const last = portion.at(-1)?.position ?? this.passed;
      const all = reaction.rows.length > 0 && (await this.checkpoint.advance(last, reaction.rows));
      this.passed = last;
      reaction.wake?.(all ? 'new' : 'some were there');
    }
    this.busySince = undefined;
    this.passed = fresh.at(-1)?.position ?? this.passed;
  }

  /** Events without effects move the checkpoint only now and then. */
  async settle(): Promise<void> {
    if (this.passed > this.checkpoint.position) await this.checkpoint.advance(this.passed, []);
  }
}

function recordedAt([first]: readonly Recorded<DomainEvent>[]): number | undefined {
  return first && Date.parse(first.meta.at);
}
