import { setFlagsFromString } from 'node:v8';

/** How soon V8 looks whether a function is worth compiling at its best: its own figure, and one that few reach in a start. */
interface Compiling {
  readonly flag: string;
  readonly usual: number;
  readonly sparing: number;
}

const BY_BYTES_RUN: Compiling = { flag: '--interrupt-budget', usual: 67_584, sparing: 1_000_000 };
const BY_CALLS: Compiling = { flag: '--invocation-count-for-turbofan', usual: 3_000, sparing: 45_000 };

/** V8 calls it otherwise from release to release (11 is that of Node 20, 12 of 22, 13 of 24), and complains of a name that it does not know: in others it is left alone. */
export function compilingIn(v8: string): Compiling | undefined {
  const release = Number.parseInt(v8, 10);
  if (release === 11) return BY_BYTES_RUN;
  return release >= 12 && release <= 14 ? BY_CALLS : undefined;
}

/**
 * Runs what a process does once in its life. Compiling the functions that it goes through at their best, in threads of their own, takes a
 * third of the processor's work and pays only for what comes again. What it leaves behind is collected sooner than usual, in all threads,
 * so that the process does not grow to a size that it never needs again. A thread that is started meanwhile would have little room for new
 * objects for good: those that have much to do are started before.
 */
export async function workingSparingly<T>(work: () => Promise<T>): Promise<T> {
  const compiling = compilingIn(process.versions.v8);
  if (compiling) setFlagsFromString(`${compiling.flag}=${String(compiling.sparing)}`);
  setFlagsFromString('--optimize-for-size');
  try {
    return await work();
  } finally {
    setFlagsFromString('--no-optimize-for-size');
    if (compiling) setFlagsFromString(`${compiling.flag}=${String(compiling.usual)}`);
  }
}
