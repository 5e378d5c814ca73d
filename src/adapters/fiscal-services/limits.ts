import { HourlyCounts } from '../../kernel/values/hourly-counts.js';

const THINGS = 20_000;

/** How often the same may be asked within an hour; the authority blocks who asks more often. */
export const HOURLY = { query: 10, authorization: 25, authorizationResult: 40, event: 15, void: 15 } as const;

/** Counts what was asked about the same thing. */
export class HourlyLimits {
  private readonly asked = new HourlyCounts(THINGS);

  /** False when it has been asked as often as allowed; otherwise it counts as asked. */
  take(what: keyof typeof HOURLY, thing: string, now: number): boolean {
    return this.asked.take(`${what} ${thing}`, HOURLY[what], now);
  }
}
