import { timeZone } from './formats.js';

/** How far the store's clocks are ahead of UTC. */
function aheadAt(moment: number): number {
  const options = { timeZone: timeZone(), hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const;
  const shown = new Intl.DateTimeFormat('sv-SE', options).format(moment);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - moment;
}

/** The last second of a day in the store's time zone, wherever the browser is. */
export function endOfDay(day: string): string {
  const wanted = Date.parse(`${day}T23:59:59Z`);
  // Clocks may change on that very day: the second look is from the right side of the change.
  const near = wanted - aheadAt(wanted);
  return new Date(wanted - aheadAt(near)).toISOString();
}
