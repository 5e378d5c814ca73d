import type { State } from './states.js';

/** The standard rate of ICMS inside each state, in percent, without the surcharges of poverty funds. */
export const STANDARD_ICMS_RATES: Readonly<Record<State, string>> = {
  AC: '19',
  AL: '20',
  AM: '20',
  AP: '18',
  BA: '20.5',
  CE: '20',
  DF: '20',
  ES: '17',
  GO: '19',
  MA: '23',
  MG: '18',
  MS: '17',
  MT: '17',
  PA: '19',
  PB: '20',
  PE: '20.5',
  PI: '22.5',
  PR: '19.5',
  RJ: '20',
  RN: '20',
  RO: '19.5',
  RR: '20',
  RS: '17',
  SC: '17',
  SE: '19',
  SP: '18',
  TO: '20',
};

/** Wholly or mostly imported: rates between states are the same everywhere. */
const IMPORTED: ReadonlySet<number> = new Set([1, 2, 3, 8]);
const SOUTH_EAST_AND_SOUTH: ReadonlySet<State> = new Set<State>(['MG', 'PR', 'RJ', 'RS', 'SC', 'SP']);

/** The rate of ICMS between taxpayers of two states, in percent, for goods of an origin as the layout counts them. */
export function interstateIcmsRate(from: State, to: State, origin: number): string {
  if (IMPORTED.has(origin)) return '4';
  return SOUTH_EAST_AND_SOUTH.has(from) && !SOUTH_EAST_AND_SOUTH.has(to) ? '7' : '12';
}
