import { setFlagsFromString } from 'node:v8';
import { memoryAllowed } from './kernel/values/memory-allowed.js';

/**
 * Caches keep to `MEMORY` by themselves. What threads have made and not yet collected comes on top of it, and V8 lets that grow with what is
 * in use. Where the whole process takes a multiple of what it is allowed, heaps are collected sooner, which costs processor time.
 */

const LOOKED_AFTER = 2_000;
const MEGABYTE = 1024 * 1024;

/** Beyond so many times of what is allowed heaps grow by so many percent of what is in use before they are collected. */
const STEPS = [
  { times: 2.25, percent: 20 },
  { times: 1.5, percent: 40 },
] as const;
/** Below so many times V8 reckons by itself again. */
const EASED = 1.25;
const BY_ITSELF = 0;

/** By how many percent heaps may grow now; 0 is what V8 reckons by itself. */
export function growthFor(taken: number, allowed: number, before: number): number {
  const step = STEPS.find(({ times }) => taken > times * allowed);
  if (step) return step.percent;
  return taken > EASED * allowed ? before : BY_ITSELF;
}

/** Looks after the memory of this process until it ends. */
export function boundMemory(megabytes: number = memoryAllowed()): void {
  let percent = BY_ITSELF;
  const look = (): void => {
    const taken = takenNow();
    if (taken === undefined) return;
    const wanted = growthFor(taken / MEGABYTE, megabytes, percent);
    if (wanted !== percent) setFlagsFromString(`--heap-growing-percent=${String(wanted)}`);
    percent = wanted;
  };
  setInterval(look, LOOKED_AFTER).unref();
}

/** Undefined while the system does not say, as where every file that the process may open is in use by a connection. */
function takenNow(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
