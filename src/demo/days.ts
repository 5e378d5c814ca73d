import { toIso } from '../kernel/values/clock.js';
import { dayOf, startOfDay } from '../kernel/values/days.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The beginning of the day so many days later. */
export const expiryOf = (day: string, keepsDays: number, timeZone: string): string =>
  toIso(startOfDay(dayOf(Date.parse(`${day}T15:00:00Z`) + keepsDays * DAY, timeZone), timeZone));
