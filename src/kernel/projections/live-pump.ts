import type { EventStore, Position, StoredEvent, Subscription } from '../../ports/event-store.js';
import type { Clock } from '../values/clock.js';
import { grouped } from '../values/grouped.js';
import { pauseUntilAborted } from '../values/pause.js';
import type { Turns } from '../values/turns.js';
import { EventWindow } from './event-window.js';
import { LARGEST_BATCH, Portions } from './portions.js';
import type { PositionWaiters } from './position-waiters.js';
import type { Track } from './track.js';

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
  /** Applies events to collections that have all come as far as `after`, and moves their positions. */
  apply(tracks: readonly Track[], after: Position, events: readonly StoredEvent[]): Promise<void>;
  readonly waiters: PositionWaiters;
  /** Whoever holds the turn may change which collections are live. */
  readonly turns: Turns;
  readonly signal: AbortSignal;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Which collections take what they have not taken yet. */
interface Group {
  readonly after: Position;
  readonly tracks: readonly Track[];
}

/**
 * Feeds the live collections from one subscription. Each goes on when somebody waits for it, and otherwise when enough has gathered for it: what is
 * asked for all the time is fed event by event, and costs nothing of what nobody asks for.
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
    return this.options.live().reduce((least, { position }) => (position < least ? position : least), this.window.end);
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
    if (this.options.signal.aborted || this.next()) return Promise.resolve();
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
    const group = this.next();
    if (group) await this.feed(group);
    else this.forget();
    return group !== undefined;
  }

  private async feed({ tracks, after }: Group): Promise<void> {
    const { options } = this;
    await this.portions.first(this.window.after(after), (events) => options.apply(tracks, after, events));
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
    for (const group of this.behind()) await this.feed(group);
  }

  /** By how far they are: those that have not taken everything. */
  private behind(): readonly Group[] {
    const { end } = this.window;
    const behind = this.options.live().filter(({ position }) => position < end);
    return [...grouped(behind, ({ position }) => position)].map(([after, tracks]) => ({ after, tracks }));
  }

  private next(): Group | undefined {
    const groups = this.behind();
    const now = performance.now();
    const waitedFor = ({ after }: Group): number => now - (this.window.firstAfter(after)?.at ?? now);
    const isDue = (group: Group): boolean =>
      this.window.countAfter(group.after) >= ENOUGH || waitedFor(group) >= this.gathered;
    const wanted = this.options.waiters.wanted();
    const asked = groups
      .map(({ after, tracks }) => ({ after, tracks: tracks.filter(({ name }) => wanted.has(name)) }))
      .filter(({ tracks }) => tracks.length > 0);
    const overdue = groups.filter((group) => waitedFor(group) >= LONGEST_MS);
    return furthestBack(overdue) ?? furthestBack(asked) ?? furthestBack(groups.filter(isDue));
  }
}

const furthestBack = ([first, ...others]: readonly Group[]): Group | undefined =>
  first && others.reduce((least, group) => (group.after < least.after ? group : least), first);
