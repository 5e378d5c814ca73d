const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 50;

/**
 * Waits until a condition holds; fails with the given words when it does not within the time. It looks less often when it waits long, so that
 * looking does not slow down what it waits for.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  milliseconds = 120_000,
): Promise<void> {
  const started = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - started;
    if (waited > milliseconds) throw new Error(`waited ${milliseconds} ms in vain until ${what}`);
    const ms = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE + waited / 100);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
