import { LRUCache } from 'lru-cache';

const HOUR = 3_600_000;
const THINGS = 20_000;

/** How often the same may be asked within an hour; the authority blocks who asks more often. */
export const HOURLY = { query: 10, authorization: 25, authorizationResult: 40, event: 15, void: 15 } as const;

/** Counts what was asked about the same thing. */
export class HourlyLimits {
  private readonly asked = new LRUCache<string, number[]>({ max: THINGS });

  /** False when it has been asked as often as allowed; otherwise it counts as asked. */
  take(what: keyof typeof HOURLY, thing: string, now: number): boolean {
    const key = `${what} ${thing}`;
    const recent = (this.asked.get(key) ?? []).filter((at) => at > now - HOUR);
    if (recent.length >= HOURLY[what]) return false;
    recent.push(now);
    this.asked.set(key, recent);
    return true;
  }
}
