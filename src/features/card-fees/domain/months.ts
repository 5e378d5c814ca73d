import { dayOf, startOfDay } from '../../../kernel/values/days.js';

/** Months as `YYYY-MM`, which sort as they follow each other. */

const MONTHS = 12;

function shifted(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * MONTHS + (number - 1) + by;
  return `${String(Math.floor(index / MONTHS)).padStart(4, '0')}-${String((index % MONTHS) + 1).padStart(2, '0')}`;
}

export const monthBefore = (month: string): string => shifted(month, -1);
export const monthAfter = (month: string): string => shifted(month, 1);

/** The month that a moment is in, in a time zone. */
export const monthOf = (moment: number, timeZone: string): string => dayOf(moment, timeZone).slice(0, 7);

/** The moment at which a month begins in a time zone. */
export const startOfMonth = (month: string, timeZone: string): number => startOfDay(`${month}-01`, timeZone);
