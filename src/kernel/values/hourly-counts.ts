import { boundedCache } from './bounded-cache.js';

const HOUR = 3_600_000;

/** Counts how often the same was done within the last hour, in this process. */
export class HourlyCounts {
  private readonly done;

  constructor(things: number) {
    this.done = boundedCache<readonly number[]>(things);
  }

  /** False when it was done as often as allowed; otherwise it counts as done. */
  take(thing: string, most: number, now: number): boolean {
    const lately = (this.done.get(thing) ?? []).filter((at) => at > now - HOUR);
    if (lately.length >= most) return false;
    this.done.set(thing, [...lately, now]);
    return true;
  }
}
