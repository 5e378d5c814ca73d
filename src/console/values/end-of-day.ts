import { clocksAt } from './formats.js';

/** How far the store's clocks are ahead of UTC. */
const aheadAt = (moment: number): number => clocksAt(moment).getTime() - moment;

/** The last second of a day in the store's time zone, wherever the browser is. */
export function endOfDay(day: string): string {
  const wanted = Date.parse(`${day}T23:59:59Z`);
  // Clocks may change on that very day: the second look is from the right side of the change.
  const near = wanted - aheadAt(wanted);
  return new Date(wanted - aheadAt(near)).toISOString();
}
