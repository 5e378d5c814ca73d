/** Waits until a condition holds; fails with the given words when it does not within the time. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  milliseconds = 120_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${milliseconds} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
