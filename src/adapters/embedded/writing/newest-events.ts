import { indexAfter } from '../../../kernel/projections/index-after.js';
import type { Position, StoredEvent } from '../../../ports/event-store.js';

const MOST = 256;

/**
 * The newest events of the log that the thread that writes was given, one after the other without a gap. Both ends of the link keep them alike, so
 * that no event is handed over, nor read, once for each group of collections that takes it at another time.
 */
export class NewestEvents<E extends StoredEvent> {
  private events: E[] = [];
  /** The event before the first stands there; undefined while there is none. */
  private start: Position | undefined;

  /** Those that follow a position, as far as they are at hand. */
  after(position: Position): readonly E[] {
    if (this.start === undefined || position < this.start) return [];
    return this.events.slice(indexAfter(this.events, position));
  }

  /** Events that follow a position. Older ones than those at hand are let by, newer ones that do not follow them take their place. */
  add(after: Position, events: readonly E[]): void {
    const end = this.events.at(-1)?.position ?? this.start;
    if (this.start !== undefined && after < this.start) return;
    if (end === undefined || after > end) {
      this.start = after;
      this.events = [...events];
    } else {
      for (const event of events) if (event.position > end) this.events.push(event);
    }
    this.trim();
  }

  forget(): void {
    this.start = undefined;
    this.events = [];
  }

  private trim(): void {
    const dropped = this.events.length - MOST;
    if (dropped <= 0) return;
    this.start = this.events[dropped - 1]?.position;
    this.events = this.events.slice(dropped);
  }
}
