import { PositionWaiters } from '../projections/position-waiters.js';
import type { EventStore, Position, StoredEvent } from '../../ports/event-store.js';

type Listener = (event: StoredEvent) => void;

/** One waiter's worth of names: the follower has a single position. */
const LOG = ['log'];

/** The one subscription with which a process hears of everything that is appended, by whichever process, from its start on. */
export class LogFollower {
  private readonly listeners: Listener[] = [];
  private readonly waiters = new PositionWaiters(() => this.position);
  private readonly subscription;

  constructor(
    store: Pick<EventStore, 'subscribe'>,
    private position: Position,
    /** Hears of streams that somebody may have shortened by hand. */
    onShortened?: (stream: string) => void,
  ) {
    const take = (events: readonly StoredEvent[]): Promise<void> => {
      for (const event of events) this.pass(event);
      this.waiters.check();
      return Promise.resolve();
    };
    this.subscription = store.subscribe(position, take, onShortened);
  }

  /** When everything up to a head of the log that was asked for then had been passed on. */
  get provedLiveAt(): number {
    return this.subscription.provedLiveAt;
  }

  /** The position of the last event that it has passed on, or of the head when it began. */
  get reachedPosition(): Position {
    return this.position;
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** True once everything up to the position has been passed on; false when that took too long. */
  reached(position: Position, milliseconds: number): Promise<boolean> {
    return this.waiters.wait(LOG, position, milliseconds);
  }

  async close(): Promise<void> {
    this.waiters.giveUp();
    await this.subscription.stop();
  }

  private pass(event: StoredEvent): void {
    // An event that is given again, after a batch that failed, changes nothing.
    if (event.position > this.position) this.position = event.position;
    for (const listener of this.listeners) listener(event);
  }
}
