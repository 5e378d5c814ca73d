/** How long to wait after the first failure, after the second …; after the last there is no other try. In milliseconds. */
export type RetryPlan = readonly number[];

/** When to try again after so many failures; undefined when the plan is at its end. */
export function retryAt(plan: RetryPlan, failures: number, now: number): number | undefined {
  const delay = plan[failures - 1];
  return delay === undefined ? undefined : now + delay;
}
