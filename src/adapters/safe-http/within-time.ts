export class OutOfTime extends Error {}

/** One listener for each signal, however many wait for it: signals are slow with many listeners. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function waitingFor(signal: AbortSignal): Set<() => void> {
  let all = waiting.get(signal);
  if (!all) {
    const made = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const giveUp of made) giveUp();
    });
    waiting.set(signal, (all = made));
  }
  return all;
}

/** Gives the work up after so long, or when `outer` says so. The work goes on by itself until it notices; nobody waits for it longer. */
export function withinTime<T>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController();
    const end = (reason: Error) => {
      reject(reason);
      ending.abort(reason);
    };
    const giveUp = () => {
      end(new Error('aborted'));
    };
    const timer = setTimeout(() => {
      end(new OutOfTime());
    }, milliseconds);
    const others = outer && waitingFor(outer).add(giveUp);
    if (outer?.aborted) giveUp();
    work(ending.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        others?.delete(giveUp);
      });
  });
}
