import type { Position } from '../../ports/event-store.js';

/** How far behind is too far: those who read their own writes would soon wait for them in vain. */
const CALM_MS = 500;
/** What a second beyond that makes a command wait; the wait grows with the square. */
const PAUSE_MS = 120;
const LONGEST_PAUSE_MS = 500;
const BETWEEN_LOOKS_MS = 20;

/** How long the projections have been behind the log, told by looks at where it ends. */
export class Backlog {
  private readonly ends: { readonly position: Position; readonly at: number }[] = [];

  /** Notes that the log ends there now, which the projections have not reached yet. */
  look(position: Position, at: number): void {
    const newest = this.ends.at(-1);
    if (!newest || (position > newest.position && at - newest.at >= BETWEEN_LOOKS_MS)) this.ends.push({ position, at });
  }

  passed(position: Position): void {
    while (this.ends[0] && this.ends[0].position <= position) this.ends.shift();
  }

  /** For how many milliseconds something has been waiting to be projected. */
  age(now: number): number {
    const [oldest] = this.ends;
    return oldest ? Math.max(0, now - oldest.at) : 0;
  }
}

/** For how long a command waits, so that projections which are so far behind can come closer. */
export function pauseAt(age: number): number {
  const seconds = Math.max(0, age - CALM_MS) / 1_000;
  return Math.min(LONGEST_PAUSE_MS, PAUSE_MS * seconds ** 2);
}
