import type { EventStore, Position, StoredEvent, Subscription } from '../../ports/event-store.js';
import type { Clock } from '../values/clock.js';
import { pauseUntilAborted } from '../values/pause.js';
import type { Turns } from '../values/turns.js';
import { EventWindow } from './event-window.js';
import { LARGEST_BATCH, Portions } from './portions.js';
import type { PositionWaiters } from './position-waiters.js';
import type { Track } from './track.js';
import { leastOf } from './track.js';

/**
 * While nobody waits for a collection, so many events are gathered for it, or those of so long: together they cost less. Where other processes
 * read what this one writes it does not know what they wait for.
 */
const ENOUGH = 64;
const GATHERED_MS = { alone: 100, shared: 0 } as const;
/** What nobody waits for comes before what somebody does once it has waited so long. */
const LONGEST_MS = 300;
const PAUSE_AFTER_FAILURE = 100;

interface LivePumpOptions {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  /** Those that the pump feeds, wherever they stand between what it has dropped and what came last. */
  live(): readonly Track[];
  /** Told what has come, before anything of it is applied. */
  came(events: readonly StoredEvent[]): void;
  /** Applies events, which follow the least of their positions, to collections, and moves those. */
  apply(tracks: readonly Track[], events: readonly StoredEvent[]): Promise<void>;
  readonly waiters: PositionWaiters;
  /** Whoever holds the turn may change which collections are live. */
  readonly turns: Turns;
  readonly signal: AbortSignal;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Feeds the live collections from one subscription. Each goes on when somebody waits for it, and otherwise when enough has gathered for it: what is
 * asked for all the time is fed event by event, and costs nothing of what nobody asks for. Those that go on do so together, wherever each of them
 * stands: whoever waits does so for what is under way and for what comes next.
 */
export class LivePump {
  readonly window: EventWindow;
  /** When it last applied something, by the process's own time. */
  pumpedAt = -Infinity;
  private readonly portions = Portions.alone();
  private readonly gathered: number;
  private readonly subscription: Subscription;
  private readonly running: Promise<void>;
  private ring: () => void = () => undefined;
  private makeRoom: () => void = () => undefined;

  constructor(
    private readonly options: LivePumpOptions,
    from: Position,
  ) {
    this.window = new EventWindow(from);
    this.gathered = options.eventStore.exclusive ? GATHERED_MS.alone : GATHERED_MS.shared;
    this.subscription = options.eventStore.subscribe(from, (events) => this.receive(events));
    this.running = this.run();
  }

  /** Looks again at what is to be done: somebody waits, say. */
  wake(): void {
    this.ring();
  }

  /** Up to here every live collection has taken everything. */
  get floor(): Position {
    return leastOf(this.options.live(), this.window.end);
  }

  /** Once its signal is aborted. What has come is applied, if that is possible at once. */
  async close(): Promise<void> {
    this.ring();
    this.makeRoom();
    await this.subscription.stop();
    await this.running;
    const { turns, onError } = this.options;
    await turns
      .take(() => this.finish())
      .catch((error: unknown) => {
        onError?.(error);
      });
  }

  /** Who sends more waits until there is room for it. */
  private async receive(events: readonly StoredEvent[]): Promise<void> {
    const { clock, signal } = this.options;
    this.window.add(events, { at: performance.now(), clock: clock.now() });
    this.options.came(events);
    this.options.waiters.check();
    this.ring();
    while (this.window.size > LARGEST_BATCH && !signal.aborted) {
      await new Promise<void>((resolve) => (this.makeRoom = resolve));
    }
  }

  private async run(): Promise<void> {
    const { signal, turns, onError } = this.options;
    while (!signal.aborted) {
      try {
        while (await turns.take(() => this.step()));
        await this.rung();
      } catch (error) {
        onError?.(error);
        await pauseUntilAborted(PAUSE_AFTER_FAILURE, signal);
      }
    }
  }

  /** Until something is to be done, perhaps. */
  private rung(): Promise<void> {
    if (this.options.signal.aborted || this.next().length > 0) return Promise.resolve();
    const { floor } = this;
    const first = this.window.firstAfter(floor);
    return new Promise((resolve) => {
      const timer = first && setTimeout(resolve, Math.max(1, first.at + this.gathered - performance.now()));
      this.ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Within a turn; false where nothing is to be done. */
  private async step(): Promise<boolean> {
    if (this.options.signal.aborted) return false;
    const tracks = this.next();
    if (tracks.length > 0) await this.feed(tracks);
    else this.forget();
    return tracks.length > 0;
  }

  private async feed(tracks: readonly Track[]): Promise<void> {
    const { options, window } = this;
    const events = window.after(leastOf(tracks, window.end));
    await this.portions.first(events, (some) => options.apply(tracks, some));
    this.pumpedAt = performance.now();
    this.forget();
    options.waiters.check();
  }

  /** In a turn alone: who joins in one needs what came meanwhile. */
  private forget(): void {
    this.window.forget(this.floor);
    if (this.window.size <= LARGEST_BATCH) this.makeRoom();
  }

  private async finish(): Promise<void> {
    const behind = this.behind();
    if (behind.length > 0) await this.feed(behind);
  }

  /** Those that have not taken everything. */
  private behind(): readonly Track[] {
    const { end } = this.window;
    return this.options.live().filter(({ position }) => position < end);
  }

  /** Who goes on. */
  private next(): readonly Track[] {
    const behind = this.behind();
    const now = performance.now();
    const waitedFor = ({ position }: Track): number => now - (this.window.firstAfter(position)?.at ?? now);
    const overdue = behind.filter((track) => waitedFor(track) >= LONGEST_MS);
    if (overdue.length > 0) return overdue;
    const wanted = this.options.waiters.wanted();
    const asked = behind.filter(({ name }) => wanted.has(name));
    if (asked.length > 0) return asked;
    return behind.filter(
      (track) => this.window.countAfter(track.position) >= ENOUGH || waitedFor(track) >= this.gathered,
    );
  }
}
