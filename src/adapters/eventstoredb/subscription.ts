import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Position, StoredEvent, Subscription } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type { Connection } from './connection.js';
import { isSystemEvent, shortenedBy } from './connection.js';
import { backoff, isUnknownPosition } from './outage.js';

const LONGEST_PAUSE = 2_000;
/** The log has more and the handler is idle, but nothing came for so long: the subscription is dead without having said so. */
const SILENCE = 5_000;

/** Where the log's head was at a time of the process's clock. */
interface HeadSeen {
  readonly at: number;
  readonly head: Position;
}

type Handler = (batch: readonly StoredEvent[]) => Promise<void>;

/** Follows the log from a position on, for ever: opens the server's subscription again whenever it breaks, after the last event that was handled. */
export class ResumingSubscription implements Subscription {
  provedLiveAt = 0;
  private readonly stopping = new AbortController();
  private attempt = new AbortController();
  private readonly running: Promise<void>;
  /** The server knows no record at `position`: everything up to it is skipped instead. */
  private fromStart = false;
  /** The first and the latest look at the head that it has not yet reached. */
  private owed: HeadSeen | undefined;
  private owedNext: HeadSeen | undefined;
  private waitingSince = performance.now();
  private handling = false;

  constructor(
    private readonly connection: Connection,
    private position: Position,
    private readonly handle: Handler,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly onShortened: (stream: string) => void = () => undefined,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.attempt.abort();
    await this.running;
  }

  private isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** To be told every look at the log's head: having handled everything up to it proves that it is live. */
  sawHead(seen: HeadSeen): void {
    if (this.owed) this.owedNext = seen;
    else this.owed = seen;
    this.settle();
    if (this.isSilent()) this.attempt.abort();
  }

  private isSilent(): boolean {
    return this.owed !== undefined && !this.handling && performance.now() - this.waitingSince > SILENCE;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.isStopped(); failures++) {
      try {
        this.attempt = new AbortController();
        const from = this.fromStart ? START : this.position;
        const signOfLife = () => {
          this.waitingSince = performance.now();
        };
        signOfLife();
        for await (const batch of this.connection.follow(from, this.attempt.signal, signOfLife)) {
          failures = 0;
          await this.take(batch);
        }
      } catch (error) {
        if (this.isStopped()) return;
        if (failures === 0) this.log.warn({ err: error }, 'a subscription broke off and is resumed');
        this.fromStart ||= isUnknownPosition(error);
        await this.wait(backoff(failures, LONGEST_PAUSE));
      }
    }
  }

  private async take(arrived: readonly StoredEvent[]): Promise<void> {
    const batch = arrived.filter((event) => event.position > this.position);
    const last = batch.at(-1);
    if (last) {
      this.handling = true;
      await this.untilHandled(batch);
      this.handling = false;
      if (this.isStopped()) return;
      this.position = last.position;
      this.fromStart = false;
      this.settle();
    }
    this.waitingSince = performance.now();
  }

  private async untilHandled(batch: readonly StoredEvent[]): Promise<void> {
    const events = batch.filter((event) => !isSystemEvent(event));
    for (const event of batch) {
      const shortened = shortenedBy(event);
      if (shortened !== undefined) this.onShortened(shortened);
    }
    for (let failures = 0; !this.isStopped() && events.length > 0; failures++) {
      try {
        await this.handle(events);
        return;
      } catch (error) {
        this.log.warn({ err: error, position: batch[0]?.position }, 'a batch of events was refused and is given again');
        await this.wait(backoff(failures, LONGEST_PAUSE));
      }
    }
  }

  private settle(): void {
    while (this.owed && this.owed.head <= this.position) {
      this.provedLiveAt = this.owed.at;
      this.owed = this.owedNext;
      this.owedNext = undefined;
    }
  }

  private wait(milliseconds: number): Promise<void> {
    return pause(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
