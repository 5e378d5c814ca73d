import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/values/clock.js';
import type { StoredEvent, Subscription } from '../../../ports/event-store.js';
import { positionNumber } from './position.js';

const BATCH = 1_000;
const WINDOW_EVENTS = 4_000;
const WINDOW_CHARACTERS = 8_000_000;
/** Among so many of the newest events a single one is looked for. */
const LATEST = 512;
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 5_000;

type Handler = (batch: readonly StoredEvent[]) => Promise<void>;
type ReadPage = (after: number, limit: number) => Promise<readonly StoredEvent[]>;

/**
 * Hands committed events to subscribers. The newest ones stay in a window that all share; a subscriber that is behind it reads
 * pages from the log until it has caught up, so a slow one costs no memory and there is no seam to lose an event at.
 */
export class LogFeed {
  head = 0;
  private window: StoredEvent[] = [];
  private characters = 0;
  private readonly subscribers = new Set<LogSubscription>();

  constructor(
    readonly clock: Clock,
    readonly readPage: ReadPage,
  ) {}

  /** Whether anybody wants to be given what is appended. */
  get wanted(): boolean {
    return this.subscribers.size > 0;
  }

  /** The next events of the log, each appended after the ones before. */
  publish(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.window.push(event);
      this.characters += event.data.length + event.meta.length;
    }
  }

  /** What was published is complete up to the head, or else the window starts anew after it. */
  advance(head: number): void {
    const last = this.window.at(-1);
    if (!last || positionNumber(last.position) !== head) this.clear();
    else if (this.window.length > 2 * WINDOW_EVENTS || this.characters > WINDOW_CHARACTERS) this.trim();
    this.head = head;
    for (const subscriber of this.subscribers) subscriber.wake();
  }

  /** Up to a batch of events after a position: those at hand, or else a page of the log. */
  async after(position: number): Promise<readonly StoredEvent[]> {
    const first = this.head - this.window.length + 1;
    const at = position + 1 - first;
    return at >= 0 ? this.window.slice(at, at + BATCH) : this.readPage(position, BATCH);
  }

  /** One of the newest events; undefined where it is not at hand, or not there. */
  latest(stream: string, revision: number): StoredEvent | undefined {
    const { window } = this;
    for (let at = window.length - 1; at >= 0 && at >= window.length - LATEST; at--) {
      const event = window[at];
      if (event?.revision === revision && event.stream === stream) return event;
    }
    return undefined;
  }

  subscribe(after: number, handle: Handler): LogSubscription {
    const subscription: LogSubscription = new LogSubscription(this, after, handle, () => {
      this.subscribers.delete(subscription);
      if (!this.wanted) this.clear();
    });
    this.subscribers.add(subscription);
    return subscription;
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscribers].map((subscriber) => subscriber.stop()));
  }

  private clear(): void {
    this.window = [];
    this.characters = 0;
  }

  private trim(): void {
    let kept = this.window.length;
    let characters = 0;
    const most = this.window.length - WINDOW_EVENTS;
    while (kept > Math.max(most, 0) && characters < WINDOW_CHARACTERS / 2) {
      kept -= 1;
      const event = this.window[kept];
      characters += (event?.data.length ?? 0) + (event?.meta.length ?? 0);
    }
    this.window = this.window.slice(kept);
    this.characters = characters;
  }
}

class LogSubscription implements Subscription {
  private readonly stopping = new AbortController();
  private ring: () => void = () => undefined;
  private provedAt: number;
  private readonly running: Promise<void>;

  constructor(
    private readonly feed: LogFeed,
    private position: number,
    private readonly handle: Handler,
    private readonly leave: () => void,
  ) {
    this.provedAt = feed.clock.now();
    this.running = this.run();
  }

  /** Now, while it has handled everything; otherwise when it was asked to handle what it handled last. */
  get provedLiveAt(): number {
    return !this.stopped && this.position >= this.feed.head ? this.feed.clock.now() : this.provedAt;
  }

  wake(): void {
    this.ring();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    for (let wait = FIRST_PAUSE; !this.stopped;) {
      if (this.position >= this.feed.head) {
        await new Promise<void>((resolve) => (this.ring = resolve));
        continue;
      }
      const done = await this.step().catch(() => false);
      wait = done ? FIRST_PAUSE : Math.min(2 * wait, LONGEST_PAUSE);
      if (!done) await pause(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    this.leave();
  }

  /** Handles the next batch; fails when the handler or the read does. */
  private async step(): Promise<boolean> {
    const { head } = this.feed;
    const asked = this.feed.clock.now();
    const batch = await this.feed.after(this.position);
    const last = batch.at(-1);
    if (!last || this.stopped) return true;
    await this.handle(batch);
    this.position = positionNumber(last.position);
    if (this.position >= head) this.provedAt = asked;
    return true;
  }
}
