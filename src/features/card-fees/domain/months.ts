import { dayOf, startOfDay } from '../../../kernel/values/days.js';

/** Months as `YYYY-MM`, which sort as they follow each other. */

/** The month that a moment is in, in a time zone. */
export const monthOf = (moment: number, timeZone: string): string => dayOf(moment, timeZone).slice(0, 7);

/** The moment at which a month begins in a time zone. */
export const startOfMonth = (month: string, timeZone: string): number => startOfDay(`${month}-01`, timeZone);
