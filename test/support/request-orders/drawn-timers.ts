/** Timers of the service ring by the time of the story, where somebody installs them; others are real ones. */

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

/** With what a timer is stopped. */
class Handle {
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

const { setTimeout: realTimeout, clearTimeout: clearRealTimeout } = globalThis;
const timers = new Map<Handle, Timer>();
let now: () => number = () => 0;

/** Real time, for what threads are at. */
export const moment = (): Promise<void> => new Promise((resolve) => realTimeout(resolve, 1));

/** To be called before anything of the service runs. */
export function installTimers(): void {
  const set = (ring: () => void, milliseconds = 0) => {
    const handle = new Handle();
    timers.set(handle, { at: now() + milliseconds, ring });
    return handle;
  };
  const clear = (handle: Handle | Parameters<typeof clearRealTimeout>[0]) => {
    if (handle instanceof Handle) timers.delete(handle);
    else clearRealTimeout(handle);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
}

/** Another story begins: what rings in the ones before is forgotten. */
export function beginTimers(time: () => number): void {
  timers.clear();
  now = time;
}

/** When the next one rings; undefined where none is set. */
export const nextRing = (): number | undefined => {
  const all = [...timers.values()].map(({ at }) => at);
  return all.length === 0 ? undefined : Math.min(...all);
};

/** Those ring whose time has come, in the order of their times. */
export function ring(): void {
  const due = [...timers].filter(([, { at }]) => at <= now()).sort(([, a], [, b]) => a.at - b.at);
  for (const [handle, timer] of due) if (timers.delete(handle)) timer.ring();
}
