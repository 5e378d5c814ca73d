import type { Position, StoredEvent } from '../../ports/event-store.js';
import { indexAfter } from './index-after.js';

/** When events came, by the process's own time and by the clock. */
interface Moment {
  readonly at: number;
  readonly clock: number;
}

interface Arrival extends Moment {
  /** The last event that came then stands there. */
  readonly position: Position;
}

/** The events that have come and that somebody has not taken yet, in their order without a gap. */
export class EventWindow {
  /** How many ever came. */
  received = 0;
  private events: StoredEvent[] = [];
  private arrivals: Arrival[] = [];

  constructor(
    /** Where the last event that came stands. */
    public end: Position,
  ) {}

  get size(): number {
    return this.events.length;
  }

  /** Those that came already are left out. */
  add(events: readonly StoredEvent[], { at, clock }: Moment): void {
    const fresh = events.filter(({ position }) => position > this.end);
    const last = fresh.at(-1);
    if (!last) return;
    this.events.push(...fresh);
    this.arrivals.push({ position: last.position, at, clock });
    this.received += fresh.length;
    this.end = last.position;
  }

  after(position: Position): readonly StoredEvent[] {
    return this.events.slice(indexAfter(this.events, position));
  }

  countAfter(position: Position): number {
    return this.events.length - indexAfter(this.events, position);
  }

  /** When the first event after a position came; undefined where none did. */
  firstAfter(position: Position): Moment | undefined {
    return position < this.end ? this.arrivals.find((arrival) => arrival.position > position) : undefined;
  }

  /** Nobody needs what is not beyond this position. */
  forget(position: Position): void {
    const count = indexAfter(this.events, position);
    if (count === 0) return;
    this.events = this.events.slice(count);
    this.arrivals = this.arrivals.filter((arrival) => arrival.position > position);
  }
}
