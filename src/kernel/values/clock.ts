/** The time as a value: everything that asks for it takes a clock, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970; never less than an earlier answer of the same clock. */
  now(): number;
  /** By how much it is ahead of the wall's, which was set back. In milliseconds; absent in one that has no other to be ahead of. */
  ahead?(): number;
  /** Goes on from a moment that was recorded, where the wall's was set back a little since; absent in one that is set by hand. */
  goOnFrom?(recorded: number): void;
}

/** A clock that is ahead of the wall's goes so much slower until both agree. */
const CATCHING_UP = 0.95;

/**
 * So far a start makes up for what the wall's was set back. A time server does not set it further; after somebody who set it right by more,
 * a start is what ends the wrong time.
 */
const MADE_UP_FOR = 60_000;

/**
 * The wall's time, as long as that goes on. Where somebody sets the wall's back, this one goes on from where it is, nearly as fast as time
 * passes: what waits for a moment, a lease to its end for example, does not wait for the wall.
 */
export function systemClock(
  wall?: () => number,
  /** Milliseconds since any moment, which nobody can set. A wall that is given says the whole time unless this is given too. */
  elapsed: () => number = wall ? () => 0 : () => performance.now(),
): Clock {
  const read = wall ?? Date.now;
  let last = 0;
  let since = elapsed();
  return {
    now() {
      const passed = elapsed();
      last = Math.max(Math.floor(read()), last + (passed - since) * CATCHING_UP);
      since = passed;
      return Math.floor(last);
    },
    ahead: () => Math.max(0, last - Math.floor(read())),
    goOnFrom(recorded) {
      if (recorded - read() <= MADE_UP_FOR) last = Math.max(last, recorded);
    },
  };
}

export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Of two times that are so written; one that is missing does not count. */
export const later = (a: string | undefined, b: string): string => (a !== undefined && a > b ? a : b);
export const earlier = (a: string | undefined, b: string): string => (a !== undefined && a < b ? a : b);
