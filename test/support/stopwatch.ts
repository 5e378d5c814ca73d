const EVERY = 10;
/** So much of the time between two looks counts at most. */
const MOST = 2 * EVERY;

/**
 * Begins to count the milliseconds in which this process gets to run, and gives them when asked. Limits of time that hold on every machine
 * are proved by it: on a busy one, timers and answers come late for no fault of what sets the limit.
 */
export function stopwatch(): () => number {
  let counted = 0;
  let looked = performance.now();
  const looking = setInterval(() => {
    const now = performance.now();
    counted += Math.min(now - looked, MOST);
    looked = now;
  }, EVERY);
  return () => {
    clearInterval(looking);
    return counted;
  };
}
