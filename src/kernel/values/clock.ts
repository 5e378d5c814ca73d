/** The time as a value: everything that asks for it takes a clock, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970; never less than an earlier answer of the same clock. */
  now(): number;
}

export function systemClock(read: () => number = Date.now): Clock {
  let last = 0;
  return {
    now() {
      last = Math.max(last, read());
      return last;
    },
  };
}

export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();
