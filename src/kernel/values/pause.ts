import { setTimeout as pause } from 'node:timers/promises';

/** Ends early, without an error, when the signal aborts; keeps no process alive. */
export const pauseUntilAborted = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
