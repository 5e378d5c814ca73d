import { z } from 'zod';
import { boundedCache } from './bounded-cache.js';
import { toIso } from './clock.js';

/** Days and moments as a store means them: a date without a time is that day in the store's time zone. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SECOND = 1_000;
const DAY_MILLISECONDS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const part = '2-digit';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: part,
    day: part,
    hour: part,
    minute: part,
    second: part,
  });
  formats.set(timeZone, format);
  return format;
}

// Before there were zones, clocks are taken to be ahead as they were then: a year of two digits would be read as another.
const FIRST_ZONES = Date.UTC(1900, 0, 1);

/** What the zone's clocks show, as if that were UTC. */
function shownAt(moment: number, timeZone: string): number {
  const known = Math.max(moment, FIRST_ZONES);
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(known)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day, hour, minute, second] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map(
    (type) => parts.get(type) ?? 0,
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second) + (moment - known);
}

/** The moment at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  // Clocks may change on that very day: the second look is from the right side of the change.
  const near = wanted - (shownAt(wanted, timeZone) - wanted);
  const start = wanted - (shownAt(near, timeZone) - near);
  // Where midnight itself is skipped, the day begins when clocks have passed it.
  if (shownAt(start, timeZone) < wanted) return near;
  // Where clocks are put back to a midnight that they had passed before, the day has begun by then.
  const justBefore = start - SECOND;
  return shownAt(justBefore, timeZone) < wanted ? start : wanted - aheadJustAt(justBefore, timeZone);
}

const QUARTER = 900_000;
let lastSlot = { timeZone: '', quarter: 0, ahead: 0 };

/** By zone and day of UTC, how far its clocks are ahead all day long; undefined of a day on which they change. */
const wholeDays = boundedCache<{ readonly ahead: number | undefined }>(10_000);

const aheadJustAt = (moment: number, timeZone: string): number => shownAt(moment, timeZone) - moment;

function aheadAllDay(day: number, timeZone: string): number | undefined {
  const key = `${String(day)} ${timeZone}`;
  const known = wholeDays.get(key);
  if (known) return known.ahead;
  const first = aheadJustAt(day * DAY_MILLISECONDS, timeZone);
  const ahead = first === aheadJustAt((day + 1) * DAY_MILLISECONDS, timeZone) ? first : undefined;
  wholeDays.set(key, { ahead });
  return ahead;
}

/** How far the zone's clocks are ahead of UTC. */
function aheadAt(moment: number, timeZone: string): number {
  const quarter = Math.floor(moment / QUARTER);
  // Most questions are about the present quarter of an hour, between two of which clocks change.
  if (lastSlot.quarter !== quarter || lastSlot.timeZone !== timeZone) {
    const allDay = aheadAllDay(Math.floor(moment / DAY_MILLISECONDS), timeZone);
    lastSlot = { timeZone, quarter, ahead: allDay ?? aheadJustAt(quarter * QUARTER, timeZone) };
  }
  return lastSlot.ahead;
}

/** The day that a moment is on in a time zone. */
export const dayOf = (moment: number, timeZone: string): string =>
  new Date(moment + aheadAt(moment, timeZone)).toISOString().slice(0, 10);

/** The day so many days later; earlier where that is negative. */
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);

/** How many days the second is after the first. */
export const daysBetween = (first: string, last: string): number =>
  (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MILLISECONDS;

/** Months are `YYYY-MM`, which sort as they follow each other. */
const MONTHS = 12;

function shifted(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * MONTHS + (number - 1) + by;
  return `${String(Math.floor(index / MONTHS)).padStart(4, '0')}-${String((index % MONTHS) + 1).padStart(2, '0')}`;
}

export const monthBefore = (month: string): string => shifted(month, -1);
export const monthAfter = (month: string): string => shifted(month, 1);

// Earlier and later moments are written in another way, which does not sort with the others.
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');
const written = (moment: number): number => Math.min(Math.max(moment, FIRST_MOMENT), LAST_MOMENT);

/** A moment as the zone's clocks show it, to the second, with the zone's distance from UTC: `2026-11-20T10:15:30-03:00`. */
export function localTime(moment: number, timeZone: string): string {
  const ahead = aheadAt(moment, timeZone);
  const minutes = Math.round(ahead / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const distance = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
  return `${new Date(moment + ahead).toISOString().slice(0, 19)}${offset}`;
}

/** The first moment of a day, or the moment itself. */
export const startOf = (text: string, timeZone: string): number =>
  written(DAY.test(text) ? startOfDay(text, timeZone) : Date.parse(text));

/** The moment with which a day is over, or the moment itself. */
export function endOf(text: string, timeZone: string): number {
  if (!DAY.test(text)) return written(Date.parse(text));
  const next = Date.parse(`${text}T00:00:00Z`) + DAY_MILLISECONDS;
  return next > LAST_MOMENT ? LAST_MOMENT : startOfDay(new Date(next).toISOString().slice(0, 10), timeZone);
}

/** In a query: a day or a moment. */
export const queryMoment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a date or an ISO 8601 time'),
  })
  .meta({
    type: 'string',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T.+)?$',
    examples: ['2026-11-21', '2026-11-21T12:00:00Z'],
  });

const EARLIEST_YEAR = 1900;

/** In a body, where a year of two digits is a slip of the hand; as what `refine` takes. */
export const ofOurTimes = [
  (text: string): boolean => Number(text.slice(0, 4)) >= EARLIEST_YEAR,
  { error: 'must not be before the year 1900' },
] as const;

/** In a body: a day or a moment. */
export const bodyMoment = queryMoment.refine(...ofOurTimes);

interface MomentRange {
  readonly from: number;
  /** Excluded. */
  readonly before: number;
}

/** `to` is included: a day whole, a moment to its millisecond. */
export function momentRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  timeZone: string,
): MomentRange {
  return {
    from: from === undefined ? -Infinity : startOf(from, timeZone),
    before: to === undefined ? Infinity : DAY.test(to) ? endOf(to, timeZone) : written(Date.parse(to) + 1),
  };
}

/** The same as texts, as times are stored, both included; an end that is not asked for is left out. */
export function isoRange(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  timeZone: string,
): { readonly from?: string; readonly to?: string } {
  const { from, before } = momentRange(asked, timeZone);
  return {
    ...(from === -Infinity ? {} : { from: toIso(from) }),
    ...(before === Infinity ? {} : { to: toIso(written(before - 1)) }),
  };
}
