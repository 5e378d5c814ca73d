import { setTimeout as pause } from 'node:timers/promises';

/** Ends early, without an error, when the signal aborts; keeps no process alive. */
export const pauseUntilAborted = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

/** Waits for work, but no longer than so long. Keeps no process alive. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([work, pauseUntilAborted(milliseconds, over.signal)]);
  } finally {
    over.abort();
  }
}

/** The promise's outcome, unless the signal aborts before: then nobody waits for it any longer. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      reject(new Error('given up'));
    };
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', aborted);
    });
  });
}
