import type { Position } from '../../ports/event-store.js';

interface Waiter {
  readonly collections: readonly string[];
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

/** How far a collection is; `undefined` when it has stopped and will not go on by itself. */
type Reach = (collection: string) => Position | undefined;

/** Those who wait until collections have passed a position. */
export class PositionWaiters {
  private readonly waiting = new Set<Waiter>();
  private ended = false;

  constructor(
    private readonly reach: Reach,
    /** Told when somebody begins to wait. */
    private readonly onWait: () => void = () => undefined,
  ) {}

  /** Whether anybody waits. */
  get waited(): boolean {
    return this.waiting.size > 0;
  }

  /** The collections that somebody waits for, who came first first. */
  wanted(): ReadonlySet<string> {
    const wanted = new Set<string>();
    for (const { collections, position } of this.waiting) {
      for (const collection of collections) if ((this.reach(collection) ?? position) < position) wanted.add(collection);
    }
    return wanted;
  }

  /** Without `milliseconds` it waits for as long as it takes. */
  wait(collections: readonly string[], position: Position, milliseconds?: number): Promise<boolean> {
    const known = this.state(collections, position);
    if (known !== undefined) return Promise.resolve(known);
    if (this.ended || (milliseconds !== undefined && milliseconds <= 0)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (reached: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(waiter);
        resolve(reached);
      };
      const waiter: Waiter = { collections, position, settle };
      const timer = milliseconds === undefined ? undefined : setTimeout(settle, milliseconds, false);
      this.waiting.add(waiter);
      this.onWait();
    });
  }

  /** Whether all have passed it; false too when one has stopped. Undefined while it is open. */
  state(collections: readonly string[], position: Position): boolean | undefined {
    let behind = false;
    for (const collection of collections) {
      const reached = this.reach(collection);
      if (reached === undefined) return false;
      behind ||= reached < position;
    }
    return behind ? undefined : true;
  }

  /** To be called after every step. */
  check(): void {
    for (const { collections, position, settle } of this.waiting) {
      const known = this.state(collections, position);
      if (known !== undefined) settle(known);
    }
  }

  /** For all that wait, and all that would begin to. */
  giveUp(): void {
    this.ended = true;
    for (const { settle } of this.waiting) settle(false);
  }
}
