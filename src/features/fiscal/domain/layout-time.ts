import { localTime } from '../../../kernel/values/days.js';

/** The layout knows offsets of whole hours from −11 to +12. */
const OFFSET = /(?:[-+](?:0[0-9]|1[01])|\+12):00$/;
const BRASILIA = 'America/Sao_Paulo';

/** The time zone in which a store's documents say when they are: its own, unless the layout has no room for that. */
export const layoutTimeZone = (now: number, timeZone: string): string =>
  OFFSET.test(localTime(now, timeZone)) ? timeZone : BRASILIA;
