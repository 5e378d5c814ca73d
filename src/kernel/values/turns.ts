/** One piece of work after the other. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** Until it is over, or for as long as somebody has patience. */
const patiently = (turn: Promise<unknown>, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void turn.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The same for each key by itself. */
export class TurnsByKey {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly counts = new Map<string, number>();

  /** How many run or wait for their turn. */
  countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** Whoever is told how long to wait at most goes on then, out of turn. */
  async take<T>(key: string, work: () => Promise<T>, patience?: number): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const result = (patience === undefined ? before : patiently(before, patience)).then(work);
    this.last.set(
      key,
      result.catch(() => undefined),
    );
    this.counts.set(key, this.countOf(key) + 1);
    try {
      return await result;
    } finally {
      const left = this.countOf(key) - 1;
      this.counts.set(key, left);
      if (left === 0) {
        this.last.delete(key);
        this.counts.delete(key);
      }
    }
  }
}
